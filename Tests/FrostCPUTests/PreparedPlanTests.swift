import FrostCore
import FrostTestSupport
import Testing

@testable import FrostCPU

@Suite("Plans that are prepared once")
struct PreparedPlanTests {
    static let formats: [PixelFormat] = [
        PixelFormat(.rgba), PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgb), PixelFormat(.grey),
        PixelFormat(.rgba, .u16), PixelFormat(.rgb, .f32),
    ]

    /// Runs a prepared plan on an image.
    static func run(_ prepared: PreparedPlan, _ image: PixelBuffer) throws -> PixelBuffer {
        let region = prepared.key.plan.region
        let layout = try PixelLayout(width: region.width, height: region.height, format: prepared.key.target)
        return try unsafe image.withUnsafeBytes { from in
            try unsafe PixelBuffer(layout: layout) { to in
                try unsafe prepared.run(
                    source: PixelSource(#require(from.baseAddress), layout: image.layout),
                    target: PixelTarget(#require(to.baseAddress), layout: layout), cancellation: nil)
            }
        }
    }

    @Test(
        "one that has served an image serves the next as a new one would, to the bit", arguments: EdgeMode.allCases,
        formats)
    func reuse(_ edge: EdgeMode, _ format: PixelFormat) throws {
        for (sigma, threads) in [(0.7, 1), (2.0, 1), (8.0, 1), (8.0, 3), (30.0, 3)] {
            for outputStages in [OutputStages(), OutputStages(inside: [.matrix(.saturation(1.8))], dither: Dither())] {
                let blur = try GaussianBlur(sigma: sigma, edge: edge)
                let effect = Effect(name: "test", blur: blur, outputStages: outputStages)
                let extent = Rect(x: 0, y: 0, width: 67, height: 130)
                let shape = PreparedPlan.Key(
                    plan: try effect.plan(extent: extent), source: format, target: effect.outputFormat(for: format),
                    threads: threads, isInPlace: false)
                // The images have different strides.
                let images = try [(Picture.uniformNoise, 0), (.checker, 5), (.uniformNoise, 0)].map {
                    try TestImage.make($0.0, extent.width, extent.height, format, padding: $0.1)
                }
                let prepared = try PreparedPlan(shape, mask: nil)
                for image in images {
                    let result = try Self.run(prepared, image)
                    #expect(result == (try Self.run(PreparedPlan(shape, mask: nil), image)), "\(effect)")
                }
                // Different images must give different results. This shows that each run reads the image that it receives.
                #expect(try Self.run(prepared, images[0]) != Self.run(prepared, images[1]))
            }
        }
    }

    @Test("a prepared plan serves one caller at a time and its own shape only; large ones are not kept")
    func keeping() throws {
        let blur = try GaussianBlur(sigma: 3)
        func shape(_ width: Int, _ format: PixelFormat) throws -> PreparedPlan.Key {
            let plan = try blur.plan(extent: Rect(x: 0, y: 0, width: width, height: 20))
            return PreparedPlan.Key(plan: plan, source: format, target: format, threads: 1, isInPlace: false)
        }
        let plans = PreparedPlans()
        let (small, other) = (try shape(20, PixelFormat(.rgba)), try shape(21, PixelFormat(.rgba)))
        let rgb = try shape(20, PixelFormat(.rgb))
        #expect(plans.take(small) == nil)
        plans.give(try PreparedPlan(small, mask: nil), bytes: 3200)
        #expect(plans.take(other) == nil && plans.take(rgb) == nil)
        let taken = plans.take(small)
        #expect(taken?.key == small)
        #expect(plans.take(small) == nil)
        plans.give(try #require(taken), bytes: 1 << 30)
        #expect(plans.take(small) == nil)
        // Plans that have not been used for the longest time are removed first.
        for width in 20..<40 { plans.give(try PreparedPlan(try shape(width, PixelFormat(.rgba)), mask: nil), bytes: 1) }
        #expect(plans.take(small) == nil)
        #expect(plans.take(try shape(39, PixelFormat(.rgba))) != nil)
    }
}
