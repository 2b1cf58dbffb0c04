import FrostCPU
import FrostExact
import FrostTestSupport
import Testing

@testable import FrostCore

/// Tests the total error of the plan and of the CPU backend: it must not exceed the guaranteed error.
struct AccuracyTests {
    static let sizes = [(1, 1), (1, 70), (17, 5), (203, 131)]

    static let sigmas: [(Double, Double)] =
        [0.2, 0.35, 0.5, 0.8, 1, 1.5, 2, 2.45, 3, 4, 5.5, 8, 12, 20, 30, 64, 100, 300, 1000].map { ($0, $0) }
        + [(3, 40), (0, 12), (12, 0), (0.1, 1000)]

    static let pictures: [Picture] = [.binaryNoise, .uniformNoise, .photograph, .softAlpha, .checker]

    /// Expects the blurred image to be close to the exact image: within the guaranteed error, and within the plan's own
    /// error bound.
    static func check(_ blur: GaussianBlur, _ picture: Picture, _ width: Int, _ height: Int, _ format: PixelFormat)
        throws
    {
        // The extent does not start at the origin, so the image's edges cut through low-resolution samples.
        let extent = Rect(x: -37, y: 5, width: width, height: height)
        let image = try TestImage.make(picture, width, height, format, padding: 2)
        let exact = try Blurring.exact(blur, image, extent: extent)
        let result = try Blurring.cpu(blur, image, extent: extent)
        let context = "\(blur) of \(picture) \(width)x\(height) \(format)"
        try expectClose(SampleRows(result.image), exact.rows, within: .promise(format.sample), context)
        try expectClose(SampleRows(result.image), exact.rows, within: .bound(of: result.plan, format.sample), context)
    }

    @Test(
        "every sigma, edge and size is within the promise of the exact blur and within its plan's bound",
        arguments: EdgeMode.allCases, Array(sigmas.indices))
    func promise(_ edge: EdgeMode, _ index: Int) throws {
        let (sigmaX, sigmaY) = Self.sigmas[index]
        let blur = try GaussianBlur(sigmaX: sigmaX, sigmaY: sigmaY, edge: edge)
        let formats = TestImage.formats
        for (n, (width, height)) in Self.sizes.enumerated() {
            // The step sizes are coprime to the numbers of formats and pictures, so that every format and picture occurs.
            let step = index * 4 + n + (EdgeMode.allCases.firstIndex(of: edge) ?? 0) * 7
            let format = formats[(step * 5) % formats.count]
            try Self.check(blur, Self.pictures[step % Self.pictures.count], width, height, format)
        }
    }

    @Test(
        "every format is within the promise of the exact blur, direct and at lower resolution",
        arguments: TestImage.formats)
    func everyFormat(_ format: PixelFormat) throws {
        for sigma in [1.2, 6] {
            for (edge, picture) in [(EdgeMode.clear, Picture.softAlpha), (.mirror, .binaryNoise)] {
                try Self.check(try GaussianBlur(sigma: sigma, edge: edge), picture, 61, 47, format)
            }
        }
    }

    @Test("the usual 8-bit picture is within the promise for every sigma of an animation")
    func animation() throws {
        for step in 0..<60 {
            let sigma = 0.2 * SeededNoise.growth(step)
            try Self.check(try GaussianBlur(sigma: sigma), .binaryNoise, 67, 41, PixelFormat(.rgb))
        }
    }

    @Test(
        "the adversarial image reaches the plan's bound and does not exceed it",
        arguments: [Accuracy.eightBit, .sixteenBit])
    func adversary(_ accuracy: Accuracy) throws {
        for sigma in [0.7, 2.2, 2.7, 3.5, 6, 9.9, 17, 40] {
            for axis in Axis.allCases {
                let blur = try GaussianBlur(sigmaX: axis == .x ? sigma : 0, sigmaY: axis == .y ? sigma : 0)
                let origin = Rect(x: 0, y: 0, width: 1, height: 1)
                let adversary = Adversary(try blur.plan(extent: origin, accuracy: accuracy), axis, sigma: sigma)
                let range = adversary.range
                let across = 0..<1
                let extent = axis == .x ? Rect(columns: range, rows: across) : Rect(columns: across, rows: range)
                let pixel =
                    axis == .x ? (adversary.phase - range.lowerBound, 0) : (0, adversary.phase - range.lowerBound)
                for sample in [SampleType.f32, .u8] {
                    let format = PixelFormat(.grey, sample)
                    let image = try TestImage.make(extent.width, extent.height, format) { x, y, _ in
                        adversary.signs[axis == .x ? x : y] ? 1 : 0
                    }
                    let exact = try Blurring.exact(blur, image, extent: extent)
                    let result = try Blurring.cpu(blur, image, extent: extent, accuracy: accuracy)
                    let context = "sigma \(sigma) along \(axis), \(sample), \(accuracy)"
                    let rows = SampleRows(result.image)
                    try expectClose(rows, exact.rows, within: .bound(of: result.plan, sample), context)
                    guard sample == .f32 else { continue }
                    let error = abs(rows[pixel.1][pixel.0] - exact.rows[pixel.1][pixel.0]) * 255
                    // The worst-case image must reach at least 95 % of the error bound, apart from float rounding. This
                    // shows that the bound is not larger than necessary.
                    #expect(
                        error >= 0.95 * result.plan.errorBound - Tolerance.floatRoundingError(result.plan),
                        "\(context): \(error) of \(result.plan.errorBound)")
                }
            }
        }
    }
}

extension SeededNoise {
    /// Returns 1.155^step, which grows from 1 to about 5000 in sixty steps.
    fileprivate static func growth(_ step: Int) -> Double { (0..<step).reduce(1) { value, _ in value * 1.155 } }
}

/// A worst-case test image that varies along one axis. It maximises the plan's error at one pixel, whose index is `phase`. A
/// phase is a pixel's position in a low-resolution sample, and the image uses the phase with the largest error. A pixel is
/// full scale if its weight in the plan's kernel exceeds its weight in the Gaussian, and black otherwise.
private struct Adversary {
    let phase: Int
    let range: Range<Int>
    let signs: [Bool]

    init(_ plan: Plan, _ axis: Axis, sigma: Double) {
        let (orders, taps) = plan.filters(along: axis)
        let kernel = CompositeKernel(chain: ResamplingChain(orders: orders), taps: taps)
        let gaussian = SampledGaussian.taps(sigma: sigma)
        let reach = gaussian.count / 2
        var best = (error: -1.0, phase: 0, range: 0..<1, signs: [false])
        for phase in 0..<kernel.chain.factor {
            let (start, weights) = kernel.weights(phase: phase)
            let range = min(start, phase - reach) - 1..<max(start + weights.count, phase + reach + 1) + 1
            let differences = range.map { x in
                (weights.indices.contains(x - start) ? weights[x - start] : 0)
                    - (abs(x - phase) <= reach ? gaussian[x - phase + reach] : 0)
            }
            let positive = differences.reduce(0) { $0 + max(0, $1) }
            if positive > best.error { best = (positive, phase, range, differences.map { $0 > 0 }) }
        }
        (phase, range, signs) = (best.phase, best.range, best.signs)
    }
}
