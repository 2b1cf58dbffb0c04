import FrostTestSupport
import Testing

@testable import FrostCore

struct VariablePlanTests {
    static let extent = Rect(x: 0, y: 0, width: 640, height: 400)

    static func mask(_ width: Int, _ height: Int, _ values: [UInt8]) throws -> MaskImage {
        let layout = try PixelLayout(width: width, height: height, format: PixelFormat(.grey))
        return MaskImage(try PixelBuffer(layout: layout, bytes: values))
    }

    @Test("levels are the image and sigma * 2^(-k/4) down to 0.2; sigma is 0 to 1000")
    func levels() throws {
        for sigma in [0.2, 0.5, 3, 20, 1000] {
            let levels = try VariableBlur(sigma: sigma, mask: .image).levels
            #expect(levels.first == 0 && levels.last == sigma)
            #expect(levels[1] >= 0.2 && levels[1] < 0.2379)
            for (a, b) in zip(levels.dropFirst(), levels.dropFirst(2)) { #expect(abs(b / a - 1.189207115) < 1e-9) }
        }
        #expect(try VariableBlur(sigma: 0.199, mask: .image).levels == [0])
        for sigma in [-0.1, 1000.1, .nan, .infinity] {
            #expect(throws: ParameterError.self) { try VariableBlur(sigma: sigma, mask: .image) }
        }
    }

    @Test("each level is a Gaussian's plan, its bound the worst of theirs; without a mask all are for the whole region")
    func structure() throws {
        let blur = try VariableBlur(sigma: 20, mask: .image, edge: .mirror)
        let plan = try blur.plan(extent: Self.extent)
        let blend = try #require(plan.blend)
        #expect(plan.passes.isEmpty && plan.slots.isEmpty && !plan.isCopy)
        #expect(blend.levels.map(\.sigma) == blur.levels)
        #expect(plan.errorBound == blend.levels.map(\.plan.errorBound).max())
        for level in blend.levels.dropFirst() {
            #expect(
                try level.plan.standalone(in: plan)
                    == GaussianBlur(sigma: level.sigma, edge: .mirror).plan(extent: Self.extent))
            #expect(abs(level.share - level.sigma * level.sigma / 400) < 1e-12)
        }
        #expect(blend.levels[0].plan.passes.list.map(\.operation) == [.convolve(taps: [1])])
        for (index, span) in blend.spans.enumerated() {
            #expect(span == Blend.Span(lower: index, upper: index + 1, window: Self.extent))
            #expect(blend.levels[index].above == blend.levels[index + 1].share)
            #expect(blend.levels[index + 1].below == blend.levels[index].share)
        }
        #expect(try VariableBlur(sigma: 0.1, mask: .image).plan(extent: Self.extent).isCopy)
    }

    @Test("levels that the mask does not ask for are left out; the others are planned where it does")
    func use() throws {
        func levels(_ mask: MaskImage) throws -> [Double] {
            let plan = try VariableBlur(sigma: 16, mask: .image).plan(extent: Self.extent, mask: mask)
            return try #require(plan.blend).levels.map(\.sigma)
        }
        #expect(try levels(Self.mask(2, 2, [0, 0, 0, 0])) == [0])
        #expect(try levels(Self.mask(2, 2, [255, 255, 255, 255])) == [16])
        // The mask value 128 / 255 gives a sigma of 8.03. This is slightly more than the sigma of the level 16 * 2^(-4/4) =
        // 8.
        #expect(try levels(Self.mask(1, 1, [128])).allSatisfy { (7.9...9.6).contains($0) })
        let ramp = try VariableBlur(sigma: 16, mask: .ramp(Mask.Ramp(from: 0.25, to: 0.75)))
        let blend = try #require(try ramp.plan(extent: Self.extent).blend)
        #expect(blend.levels.count == ramp.levels.count)
        #expect(blend.levels[0].plan.region.rows == 0..<104)
        let last = try #require(blend.levels.last)
        #expect(last.plan.region.upperRow == 400 && last.plan.region.y > 240)
        let rows = blend.levels.reduce(0) { $0 + $1.plan.region.height }
        #expect(rows < 3 * 400, "\(rows)")
    }

    @Test("every pixel lies in the levels and the span that its mask asks for", arguments: 0..<9)
    func cover(_ n: Int) throws {
        var random = SeededGenerator(seed: UInt64(n))
        func next(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
        let noise = MaskImage(try TestImage.make(.uniformNoise, 7 + n, 5, PixelFormat(.grey)))
        let masks: [Mask] = [
            .image,
            .band(Mask.Band(top: next(0...0.5), bottom: next(0.5...1), falloff: n % 3 == 0 ? 0 : next(0...0.4))),
            .circle(
                Mask.Circle(centerX: next(0...1), centerY: next(0...1), radius: next(0...1), border: next(0...0.5))),
            .ramp(Mask.Ramp(from: next(-0.5...0.9), to: next(0...1), angle: next(-360...360))),
            .ramp(Mask.Ramp(from: 0.5, to: 0.5, angle: Double(45 * n))),
            .ramp(
                Mask.Ramp(
                    stops: [
                        .init(0.1, next(0...1)), .init(next(0.1...0.5), 1), .init(0.5, 0), .init(0.5, next(0...1)),
                    ],
                    angle: next(-360...360))),
        ]
        let extent = Rect(x: -13, y: 7, width: 131 + n, height: 90)
        let region = Rect(x: -20, y: 20 - n, width: 140, height: 70 + n)
        for mask in masks {
            let blur = try VariableBlur(sigma: 9, mask: mask)
            let blend = try #require(try blur.plan(extent: extent, region: region, mask: noise).blend)
            for y in region.rows {
                for x in region.columns {
                    let share = Blend.share(mask.value(x: x, y: y, extent: extent, image: noise))
                    let parts = blend.levels.filter {
                        $0.plan.region.columns.contains(x) && $0.plan.region.rows.contains(y)
                    }
                    .reduce(0.0) { sum, level in
                        let up = (share - level.below) / (level.share - level.below)
                        let down = (level.above - share) / (level.above - level.share)
                        return sum + min(max(min(up, down), 0), 1)
                    }
                    #expect(abs(parts - 1) < 1e-9, "\(mask) at \(x),\(y): \(parts)")
                    let spans = blend.spans.filter { span in
                        span.window.columns.contains(x) && span.window.rows.contains(y)
                            && (span.lower == span.upper
                                || (blend.levels[span.lower].share...blend.levels[span.upper].share).contains(share))
                    }
                    #expect(!spans.isEmpty, "\(mask) at \(x),\(y)")
                }
            }
        }
    }

    @Test("a shared decimation has the passes and the samples that its levels need", arguments: EdgeMode.allCases)
    func decimations(edge: EdgeMode) throws {
        let masks: [Mask] = [
            .ramp(Mask.Ramp(from: 0, to: 1)),
            .circle(Mask.Circle(centerX: 0.2, centerY: 0.5, radius: 0.6, border: 0.6)),
        ]
        let regions = [
            Self.extent, Rect(x: 100, y: 30, width: 411, height: 299), Rect(x: -30, y: 350, width: 90, height: 77),
        ]
        for (mask, region) in masks.flatMap({ mask in regions.map { (mask, $0) } }) {
            let blur = try VariableBlur(sigma: 40, mask: mask, edge: edge)
            let blend = try #require(try blur.plan(extent: Self.extent, region: region).blend)
            func expectContained(_ plan: Blend.LevelPlan, in index: Int) {
                let image = blend.decimations[index]
                let count = image.passes.upperBound
                #expect(plan.passes.list.prefix(count) == image.plan.passes.list.prefix(count))
                let (own, shared) = (plan.passes.slots[count - 1].window, image.window)
                #expect(shared.hull(own) == shared, "\(edge), \(mask), \(region): \(own) in \(shared)")
            }
            for (index, image) in blend.decimations.enumerated() {
                let users =
                    blend.levels.count { $0.decimation == index } + blend.decimations.count { $0.from == index }
                #expect(users > 1)
                guard let from = image.from else {
                    #expect(image.passes.lowerBound == 0)
                    continue
                }
                #expect(from < index && image.passes.lowerBound == blend.decimations[from].passes.upperBound)
                expectContained(image.plan, in: from)
            }
            for level in blend.levels {
                if let index = level.decimation { expectContained(level.plan, in: index) }
            }
            #expect(!blend.decimations.isEmpty)
        }
    }

    @Test("a ramp goes from edge to edge of the image at every angle, and is level across")
    func ramps() {
        let extent = Rect(x: 3, y: -5, width: 200, height: 100)
        func value(_ ramp: Mask.Ramp, _ x: Int, _ y: Int) -> Double {
            Mask.ramp(ramp).value(x: x + 3, y: y - 5, extent: extent, image: nil)
        }
        let down = Mask.Ramp(from: 0, to: 1)
        #expect(value(down, 0, 0) == 0.005 && value(down, 199, 0) == 0.005 && value(down, 7, 99) == 0.995)
        let left = Mask.Ramp(from: 0, to: 1, angle: 180)
        #expect(value(left, 0, 50) == 0.9975 && abs(value(left, 199, 1) - 0.0025) < 1e-12)
        // A ramp at 45 degrees goes from corner to corner. In an image of 200 x 100 pixels, its value at pixel (x, y) is (x
        // + 0.5 + y + 0.5) / 300.
        let diagonal = Mask.Ramp(from: 0, to: 1, angle: 45)
        #expect(abs(value(diagonal, 0, 0) - 1 / 300.0) < 1e-12)
        #expect(abs(value(diagonal, 99, 49) - 149 / 300.0) < 1e-12)
        #expect(abs(value(diagonal, 109, 39) - 149 / 300.0) < 1e-12)
        let part = Mask.Ramp(from: 0.75, to: 0.25)
        #expect(value(part, 0, 10) == 1 && value(part, 0, 90) == 0 && abs(value(part, 0, 49) - 0.51) < 1e-12)
        let step = Mask.Ramp(from: 0.5, to: 0.5)
        #expect(value(step, 0, 49) == 0 && value(step, 0, 50) == 1)
    }

    @Test("a variable blur has one mask, which the effect names")
    func masks() throws {
        var effect = try EffectCatalog.effect("variable").make()
        #expect(effect.mask == .image)
        #expect(throws: ParameterError.maskImage(needed: true)) { try effect.check(nil) }
        try effect.check(Self.mask(1, 1, [0]))
        effect.outputStages.mask = .image
        #expect(throws: ParameterError.secondMask) { try effect.check(Self.mask(1, 1, [0])) }
        #expect(throws: ParameterError.secondMask) { try effect.plan(extent: Self.extent) }
        let progressive = try EffectCatalog.effect("progressive").make()
        #expect(throws: ParameterError.maskImage(needed: false)) { try progressive.check(Self.mask(1, 1, [0])) }
        #expect("\(progressive)" == "progressive (variable sigma 20)")
    }

    @Test("masks whose numbers are NaN or infinite are planned, too")
    func noNumbers() throws {
        for number in [Double.nan, .infinity, -.infinity, 1e300] {
            let masks: [Mask] = [
                .ramp(Mask.Ramp(from: number, to: 1)), .ramp(Mask.Ramp(from: 0, to: 1, angle: number)),
                .band(Mask.Band(top: number, bottom: 0.5, falloff: number)),
                .circle(Mask.Circle(centerX: number, centerY: 0.5, radius: number, border: 0.1)),
            ]
            for mask in masks {
                let plan = try VariableBlur(sigma: 3, mask: mask).plan(extent: Self.extent)
                #expect(plan.blend?.spans.isEmpty == false)
            }
        }
    }

    @Test("a plan prints its levels")
    func description() throws {
        let lines = try VariableBlur(sigma: 5, mask: .ramp(Mask.Ramp(from: 0, to: 1))).plan(extent: Self.extent)
            .description.split(separator: "\n")
        #expect(lines.count == 1 + 20 + 1 + 2)
        #expect(lines[0].hasPrefix("1. decimate the image, 2 passes -> 3") && lines[0].hasSuffix(" at 1/2"))
        #expect(lines[1] == "2. the image -> 640x20 at 0,0")
        #expect(lines[19].hasPrefix("20. sigma 4.204, 4 passes from step 1 down to 1/2 -> 640x"))
        #expect(lines[20].hasPrefix("21. sigma 5, 10 passes down to 1/4 -> 640x"))
        #expect(lines[21] == "22. blended by the square of the mask")
    }
}

extension Rect {
    fileprivate var upperRow: Int { rows.upperBound }
}
