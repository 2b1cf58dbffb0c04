import FrostTestSupport
import Testing

@testable import FrostCore

struct Kernel2DPlanTests {
    static let extent = Rect(x: -7, y: 11, width: 100, height: 60)

    @Test("radii, angles, centres and factors are refused with name, value and range")
    func ranges() throws {
        for radius in [-0.1, 100.1, .infinity] {
            let refused = ParameterError.outOfRange(parameter: "radius", value: radius, allowed: 0...100)
            #expect(throws: refused) { try DiscBlur(radius: radius) }
            #expect(throws: refused) { try MotionBlur(radius: radius) }
        }
        #expect(throws: ParameterError.self) { try DiscBlur(radius: .nan) }
        #expect(throws: ParameterError.self) { try MotionBlur(radius: 1, angle: .nan) }
        #expect(throws: ParameterError.outOfRange(parameter: "angle", value: 101, allowed: -100...100)) {
            try MotionBlur(radius: 1, angle: 101)
        }
        #expect(throws: ParameterError.outOfRange(parameter: "center y", value: -0.1, allowed: 0...1)) {
            try ZoomBlur(centerY: -0.1, scales: 0.5...1)
        }
        #expect(throws: ParameterError.outOfRange(parameter: "upper scale", value: 0.9, allowed: 1...2)) {
            try ZoomBlur(scales: 0.5...0.9)
        }
        #expect(throws: ParameterError.outOfRange(parameter: "lower scale", value: 1.1, allowed: 0...1)) {
            try ZoomBlur(scales: 1.1...1.2)
        }
        for name in ["disc", "motion", "zoom", "ci-disc", "ci-motion", "ci-zoom", "gpuimage-motion", "gpuimage-zoom"] {
            let description = try EffectCatalog.effect(name)
            for parameter in description.parameters {
                // Whether a contrast is possible depends on the colour of the content.
                guard case .number(_, let range, _) = parameter.kind, parameter.name != "min-contrast" else { continue }
                // The effect accepts both ends of every parameter's range.
                for value in [range.lowerBound, range.upperBound] {
                    let effect = try description.make([parameter.name: .number(value)])
                    #expect(try effect.plan(extent: Self.extent).region == effect.region(extent: Self.extent))
                }
            }
        }
    }

    @Test("a plan is one 2-D kernel with the blur's edge, whose weights sum to 1")
    func structure() throws {
        for edge in EdgeMode.allCases {
            for kernel in [
                try DiscBlur(radius: 7.3, edge: edge) as any Blur,
                try MotionBlur(radius: 33, angle: 0.7, edge: edge),
                try ZoomBlur(scales: 0.7...1.1, edge: edge),
            ] {
                let plan = try Effect(name: "one", blur: kernel).plan(extent: Self.extent)
                let kernel2D = try #require(plan.kernel2D)
                #expect(plan.passes.isEmpty && plan.slots.isEmpty && !plan.isCopy)
                #expect(kernel2D.edge == edge && plan.edge(along: .x) == edge && plan.rowEdge == edge)
                #expect(plan.errorBound < 0.001)
                #expect("\(plan)".hasPrefix("1. 2-D kernel of "))
                guard case .runs(let runs) = kernel2D.reads else { continue }
                #expect(abs(runs.reduce(0) { $0 + Double($1.count) * $1.weight } - 1) < 1e-12)
                #expect(runs.allSatisfy { $0.count > 0 && $0.weight > 0 })
            }
        }
    }

    @Test("no radius has more runs than a GPU has room for")
    func room() throws {
        for step in 1...1000 { #expect(try DiscBlur(radius: Double(step) / 10).runs.count <= 1024) }
        for degree in 0..<360 {
            #expect(try MotionBlur(radius: 100, angle: Double(degree) * .pi / 180).runs.count <= 1024)
        }
        // A motion blur along x consists of one run and two end pixels.
        #expect(try MotionBlur(radius: 20).runs.count == 3)
    }

    @Test("runs read no more than their reach, and a tile needs no more")
    func reach() throws {
        let runs = [
            KernelRun(dx: -3, dy: 2, count: 4, weight: 0.2), KernelRun(dx: 5, dy: -1, count: 1, weight: 0.2),
        ]
        let kernel2D = Kernel2D(.runs(runs), edge: .mirror)
        #expect(kernel2D.reach(of: 10..<20, along: .x) == 7..<25)
        #expect(kernel2D.reach(of: 10..<20, along: .y) == 9..<22)
        #expect(kernel2D.reach(of: 3..<3, along: .y).isEmpty)
        let tile = try DiscBlur(radius: 10).runs
        let plan = try Kernel2D(.runs(tile), edge: .clamp).plan(
            extent: Rect(x: 0, y: 0, width: 1000, height: 1000), region: Rect(x: 500, y: 0, width: 10, height: 10))
        #expect(plan.sourceRead == Rect(columns: 490..<520, rows: 0..<20))
        // A zoom reads the pixels between each output pixel and the centre.
        let zoom = Kernel2D(.zoom(.init(centerX: 0, centerY: 0, scales: 0.5...1)), edge: .clamp)
        let read = zoom.reach(of: 100..<200, along: .x)
        #expect(read.lowerBound >= 48 && read.lowerBound <= 50 && read.upperBound >= 200 && read.upperBound <= 202)
    }

    @Test("an identity is copied, but not outside the image")
    func copy() throws {
        let effects = [
            Effect(name: "disc", blur: try DiscBlur(radius: 0.5, edge: .clear)),
            Effect(name: "motion", blur: try MotionBlur(radius: 0.5, angle: 1, edge: .clear)),
            Effect(name: "zoom", blur: try ZoomBlur(scales: 1...1, edge: .clear)),
        ]
        for effect in effects {
            #expect(try effect.plan(extent: Self.extent).isCopy)
            #expect(effect.outputFormat(for: PixelFormat(.rgb)).channels == .rgb)
            let outside = try effect.plan(extent: Self.extent, region: Rect(x: -9, y: 11, width: 5, height: 5))
            #expect(outside.kernel2D != nil)
            var finished = effect
            finished.outputStages.inside = [.matrix(.saturation(0))]
            #expect(try !finished.plan(extent: Self.extent).isCopy)
        }
        let bleeding = Effect(name: "disc", blur: try DiscBlur(radius: 2, edge: .clear))
        #expect(bleeding.outputFormat(for: PixelFormat(.rgb)).channels == .rgba)
        #expect(throws: ParameterError.self) { try bleeding.plan(extent: Rect(x: 0, y: 0, width: 0, height: 1)) }
        let zoom = try EffectCatalog.effect("zoom").make()
        let far = ParameterError.outOfRange(
            parameter: "region's distance from the image", value: 16385, allowed: 0...16384)
        #expect(throws: far) {
            try zoom.plan(extent: Self.extent, region: Rect(x: -7 - 16385, y: 11, width: 5, height: 5))
        }
    }

    @Test("Core Image's effects with clear edges grow by their reach, on the axes where they blur")
    func growth() throws {
        func region(_ name: String, _ given: [String: EffectValue] = [:]) throws -> Rect {
            try EffectCatalog.effect(name).make(given).region(extent: Rect(x: 0, y: 0, width: 10, height: 10))
        }
        #expect(try region("ci-box") == Rect(x: -10, y: -10, width: 30, height: 30))
        #expect(try region("ci-disc", ["radius": .number(2.5)]) == Rect(x: -3, y: -3, width: 16, height: 16))
        #expect(try region("ci-motion") == Rect(x: -20, y: 0, width: 50, height: 10))
        #expect(
            try region("ci-motion", ["angle": .number(.pi / 2)]) == Rect(x: 0, y: -20, width: 10, height: 50))
        #expect(try region("ci-zoom") == Rect(x: 0, y: 0, width: 10, height: 10))
        for name in ["ci-box", "ci-disc", "ci-motion", "ci-gaussian"] {
            #expect(try region(name, ["edge": .choice("clamp")]).width == 10)
            #expect(try region(name, ["radius": .number(0)]).width == 10)
        }
        // A disc of radius 0.5 changes nothing, so the effect's region is not larger than the picture.
        #expect(try region("ci-disc", ["radius": .number(0.5)]).width == 10)
    }

    @Test("every plan that is accepted can be printed, the largest included") func largest() async {
        await #expect(processExitsWith: .success) {
            let side = 1 << 40
            for name in ["disc", "motion", "zoom", "gpuimage-zoom"] {
                let plan = try EffectCatalog.effect(name).make()
                    .plan(extent: Rect(x: -side, y: side, width: side, height: side))
                #expect("\(plan)".contains("\(side)x\(side)"))
            }
        }
    }
}
