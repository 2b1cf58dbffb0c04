import FrostTestSupport
import Testing

@testable import FrostCore

/// Tests the laws of ``Vividness``. The formula is written here a second time, from docs/internals/Formulas.md.
struct VividnessTests {
    static let stages: [Vividness] = [0, 0.4, 1, 1.02, 1.5, 2, 3, 4].flatMap { saturation in
        [-1, -0.55, -0.1, 0, 0.3, 0.55, 1].compactMap { try? Vividness(saturation: saturation, whitePoint: $0) }
    }

    /// Returns a random straight colour. Channels are often at, or close to, the border of the gamut.
    private static func color(_ random: inout SeededGenerator) -> SIMD3<Double> {
        func channel() -> Double {
            let (kind, value) = (random.unit(), random.unit())
            if kind < 0.2 { return value.rounded() }
            if kind < 0.35 { return value * value * value * value * 0.01 }
            if kind < 0.5 { return 1 - value * value * value * value * 0.01 }
            return value
        }
        if random.unit() < 0.1 { return SIMD3(repeating: channel()) }
        return SIMD3(channel(), channel(), channel())
    }

    private static func luma(_ color: SIMD3<Double>) -> Double { (color * SIMD3(0.2126, 0.7152, 0.0722)).sum() }

    /// Returns the result of a stage for a straight colour, without clamping.
    private static func moved(_ stage: Vividness, _ color: SIMD3<Double>, alpha: Double = 1) -> SIMD3<Double> {
        let result = stage.moved(SIMD4(color * alpha, alpha))
        return SIMD3(result[0], result[1], result[2]) / alpha
    }

    private static func root4(_ value: Double) -> Double { value.squareRoot().squareRoot() }

    /// The formula, by channels.
    private static func formula(_ s: Double, _ w: Double, _ color: SIMD3<Double>) -> SIMD3<Double> {
        let y = luma(color)
        let sum = (0..<3).reduce(0) { $0 + (color[$1] - y) * (color[$1] - y) }
        var rest = 0.0
        for c in 0..<3 where sum > 0 {
            let ratio = 1.25 * (s - 1) * (s - 1) * sum / (color[c] * (1 - color[c]) * color[c] * (1 - color[c]))
            rest += ratio * ratio
        }
        let part = s <= 1 ? s - 1 : rest.isFinite ? (s - 1) / root4(1 + rest) : 0
        let vivid = color + part * (color - y)
        let t = min(max(2 * (w < 0 ? 1 - y : y) - 1, 0), 1)
        let g = t * t * (3 - 2 * t)
        return w < 0 ? vivid + w * g * vivid : vivid + w * g * (1 - vivid)
    }

    @Test("the stage is the formula of docs/internals/Formulas.md, with any alpha")
    func formula() {
        var random = SeededGenerator(seed: 1)
        for stage in Self.stages {
            for _ in 0..<300 {
                let (color, alpha) = (Self.color(&random), random.unit() < 0.5 ? 1 : 0.05 + 0.95 * random.unit())
                let expected = Self.formula(stage.saturation, stage.whitePoint, color)
                let difference = Self.moved(stage, color, alpha: alpha) - expected
                #expect((0..<3).allSatisfy { abs(difference[$0]) < 1e-9 }, "\(stage), \(color)")
            }
            #expect(stage.moved(SIMD4<Double>()) == SIMD4<Double>())
        }
    }

    @Test("no channel clips, and channels at the border of the gamut stay; the matrix does clip")
    func gamut() throws {
        var random = SeededGenerator(seed: 2)
        var clipped = 0
        for stage in Self.stages {
            for _ in 0..<1000 {
                let color = Self.color(&random)
                let result = Self.moved(stage, color)
                #expect((0..<3).allSatisfy { (-1e-11...1 + 1e-11).contains(result[$0]) }, "\(stage), \(color)")
                if stage.saturation > 1, stage.whitePoint == 0 {
                    for c in 0..<3 where color[c] == 0 || color[c] == 1 { #expect(abs(result[c] - color[c]) < 1e-11) }
                    // A colour inside of the gamut stays inside of it, so that it can be told from its neighbours.
                    for c in 0..<3 where (0.001...0.999).contains(color[c]) { #expect(0 < result[c] && result[c] < 1) }
                }
                let matrix = ColorMatrix.saturation(stage.saturation)(SIMD4(color, 1))
                if (0..<3).contains(where: { !(-1e-6...1 + 1e-6).contains(matrix[$0]) }) { clipped += 1 }
            }
        }
        #expect(clipped > 1000 * Self.stages.count / 4, "\(clipped)")
    }

    @Test(
        "hue and luma are kept by the saturation, which is full near grey; the white point keeps hue; grey stays grey")
    func hue() {
        var random = SeededGenerator(seed: 3)
        for stage in Self.stages {
            for _ in 0..<300 {
                let color = Self.color(&random)
                let result = Self.moved(stage, color)
                let (before, after) = (color - Self.luma(color), result - Self.luma(result))
                for (i, j) in [(0, 1), (1, 2), (2, 0)] {
                    #expect(abs(before[i] * after[j] - before[j] * after[i]) < 1e-11, "\(stage), \(color)")
                }
                #expect((before * after).sum() >= -1e-12)
                if stage.whitePoint == 0 {
                    #expect(abs(Self.luma(result) - Self.luma(color)) < 1e-11)
                    if stage.saturation > 1 { #expect((after * after).sum() >= (before * before).sum() - 1e-12) }
                }
                if color[0] == color[1], color[1] == color[2] {
                    #expect(abs(result[0] - result[1]) < 1e-12 && abs(result[1] - result[2]) < 1e-12)
                }
            }
            // A faint colour gets the whole saturation.
            let faint = SIMD3(0.501, 0.5, 0.4985)
            guard let plain = try? Vividness(saturation: stage.saturation) else { continue }
            let (before, after) = (faint - Self.luma(faint), Self.moved(plain, faint) - Self.luma(faint))
            #expect(abs(after[0] - stage.saturation * before[0]) < 1e-4 * abs(before[0]), "\(stage)")
        }
    }

    @Test("black and white stay; light areas move towards white by w, and dark areas stay, or the reverse")
    func whitePoint() throws {
        for stage in Self.stages {
            for end in [0.0, 1] {
                let result = Self.moved(stage, SIMD3(repeating: end))
                #expect((0..<3).allSatisfy { abs(result[$0] - end) < 1e-12 })
            }
        }
        let (white, black) = (
            try Vividness(saturation: 1, whitePoint: 0.6), try Vividness(saturation: 1, whitePoint: -0.6)
        )
        for y in stride(from: 0.0, through: 1, by: 0.01) {
            let grey = SIMD3(repeating: y)
            let (lighter, darker) = (Self.moved(white, grey)[0], Self.moved(black, 1 - grey)[0])
            // The two are mirror images.
            let sum: Double = lighter + darker
            #expect(abs(sum - 1) < 1e-12)
            if y <= 0.5 { #expect(abs(lighter - y) < 1e-12) } else if y <= 0.999 { #expect(lighter > y) }
        }
        // A bright colour of the luma 0.9152 + moves by almost 0.6 of its distance from white.
        let bright = SIMD3(0.93, 0.93, 0.93)
        let distance: Double = 1 - Self.moved(white, bright)[0]
        #expect(abs(distance - 0.4 * 0.07) < 0.004)
    }

    @Test("along random gradients the slope changes without jumps, unlike that of the clipping matrix")
    func smooth() throws {
        var random = SeededGenerator(seed: 4)
        /// Returns the largest change of the slope between neighbouring steps of a gradient.
        func bend(_ count: Int, _ from: SIMD3<Double>, _ to: SIMD3<Double>, _ map: (SIMD3<Double>) -> SIMD3<Double>)
            -> Double
        {
            let values = (0...count).map { map(from + (to - from) * (Double($0) / Double(count))) }
            let slopes = zip(values, values.dropFirst()).map { ($1 - $0) * Double(count) }
            return zip(slopes, slopes.dropFirst()).reduce(0) { largest, pair in
                let change = pair.1 - pair.0
                return max(largest, abs(change[0]), abs(change[1]), abs(change[2]))
            }
        }
        var (smooth, cornered, clipped) = (0, 0, 0)
        for stage in Self.stages where stage.saturation >= 1.5 {
            for _ in 0..<(TestCases.every ? 20 : 6) {
                func inner() -> SIMD3<Double> { Self.color(&random) * 0.96 + 0.02 }
                let (from, to) = (inner(), inner())
                // With ten times as many steps, the change of a continuous slope is about a tenth, and that of a jump is the same.
                let (coarse, fine) = (
                    bend(1000, from, to) { Self.moved(stage, $0) }, bend(10_000, from, to) { Self.moved(stage, $0) }
                )
                #expect(fine < 0.25 * coarse + 1e-6, "\(stage): \(coarse), \(fine), \(from), \(to)")
                smooth += 1
                func matrix(_ color: SIMD3<Double>) -> SIMD3<Double> {
                    let result = ColorMatrix.saturation(stage.saturation)(SIMD4(color, 1))
                    return SIMD3(result[0], result[1], result[2]).clamped(
                        lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 1))
                }
                let corner = bend(10_000, from, to, matrix)
                if corner > 1e-6 {
                    clipped += 1
                    if corner > 0.8 * bend(1000, from, to, matrix) { cornered += 1 }
                }
            }
        }
        #expect(clipped > smooth / 3 && cornered > clipped * 3 / 4, "\(cornered) of \(clipped) of \(smooth)")
    }

    @Test("each channel increases with itself, and luma with luma")
    func monotone() {
        var random = SeededGenerator(seed: 5)
        for stage in Self.stages {
            for _ in 0..<300 {
                let color = Self.color(&random)
                for c in 0..<3 {
                    var next = color
                    next[c] += (1 - color[c]) * random.unit() * 0.1
                    let (a, b) = (Self.moved(stage, color), Self.moved(stage, next))
                    #expect(b[c] >= a[c] - 1e-12, "\(stage), \(color), \(next)")
                    #expect(Self.luma(b) >= Self.luma(a) - 1e-12, "\(stage), \(color), \(next)")
                }
            }
        }
    }

    /// The derivatives are computed on a grid that is dense at the border of the gamut.
    @Test("amplification bounds the growth of errors, at any strength, and is not much larger")
    func growth() {
        let places: [Double] = [
            0.0005, 0.002, 0.01, 0.04, 0.12, 0.25, 0.4, 0.55, 0.7, 0.8, 0.88, 0.96, 0.99, 0.998, 0.9995,
        ]
        let step = 1e-6
        var closest = (0.0, 0.0)
        for stage in Self.stages + Self.stages.map({ $0.weakened(to: 0.3) }) {
            var (largest, ofFilters) = (0.0, 0.0)
            for red in places {
                for green in places {
                    for blue in places {
                        let color = SIMD4(red, green, blue, 1)
                        // The sums of the magnitudes of the derivatives, of the positive ones and of the negative ones.
                        var (rows, rising, falling) = (SIMD4<Double>(), SIMD4<Double>(), SIMD4<Double>())
                        for c in 0..<4 {
                            var (below, above) = (color, color)
                            below[c] -= step
                            above[c] += step
                            // Alpha above 1 is not clamped here.
                            let slope = (stage.moved(above) - stage.moved(below)) / (2 * step)
                            if c == 3 {
                                // Alpha's error and the others differ by at most the error of a filter.
                                ofFilters = max(
                                    ofFilters, rows.max(), (rising + slope).max(), (falling - slope).max())
                            }
                            rows += slope.replacing(with: -slope, where: slope .< 0)
                            rising += slope.replacing(with: 0, where: slope .< 0)
                            falling -= slope.replacing(with: 0, where: slope .> 0)
                        }
                        largest = max(largest, rows.max())
                    }
                }
            }
            let bound = ColorStage.vivid(stage).amplification
            #expect(largest <= bound + 1e-6, "\(stage): \(largest) of \(bound)")
            #expect(ofFilters <= stage.growthOfFilters + 1e-6, "\(stage): \(ofFilters) of \(stage.growthOfFilters)")
            #expect(stage.growthOfFilters <= bound)
            if !stage.isIdentity, stage.saturation >= 1.5 {
                closest = (max(closest.0, largest / bound), max(closest.1, ofFilters / stage.growthOfFilters))
            }
            if stage.saturation == 4 { #expect(largest > 0.9 * bound) }
        }
        #expect(closest.0 > 0.9 && closest.1 > 0.9, "\(closest)")
    }

    @Test("the growths of a stage and of the stages before and after it are multiplied")
    func lists() throws {
        let vivid = ColorStage.vivid(try Vividness(saturation: 1.5, whitePoint: 0.5))
        let before = ColorStage.matrix(.contrast(1.5))
        let after = ColorStage.matrix(.saturation(0))
        let stages = OutputStages(inside: [before, vivid, after])
        #expect(abs(stages.amplification - before.amplification * vivid.amplification * after.amplification) < 1e-9)
        #expect(stages.keepsGrey && vivid.keepsGamut)
        // Errors of the blur's filter are bounded apart if the stage is the first one and colours come from alpha's places.
        #expect(stages.filterAmplification == stages.amplification)
        var first = OutputStages(inside: [vivid, after])
        #expect(first.filterAmplification < 0.75 * first.amplification)
        first.lens = try Lens(band: 20, depth: 10, dispersion: 0.1)
        #expect(first.filterAmplification == first.amplification)
    }

    /// The difference of alpha and a colour is a picture too, so a filter that is exact to e on every picture has errors that differ by
    /// at most e. The comparator is a filter without this property.
    @Test("growthOfFilters bounds the growth of such errors, and not that of independent ones")
    func filterErrors() throws {
        let stage = try Vividness(saturation: 1.5, whitePoint: 0.55)
        var random = SeededGenerator(seed: 7)
        var (largest, independent) = (0.0, 0.0)
        for _ in 0..<200_000 {
            // The growth is largest in light, saturated yellow.
            let color = SIMD4(1 - 0.01 * random.unit(), 0.5 + 0.5 * random.unit(), 0.05 * random.unit(), 1) * 0.99
            func error() -> Double { 1e-6 * (2 * random.unit() - 1).rounded(.awayFromZero) }
            var errors = SIMD4(error(), error(), error(), error())
            func growth() -> Double {
                let difference = stage.moved(color + errors) - stage.moved(color)
                return max(difference.max(), -difference.min()) / 1e-6
            }
            independent = max(independent, growth())
            if random.unit() < 0.5 { errors[3] = 0 }
            let alpha = errors[3]
            for c in 0..<3 where abs(errors[c] - alpha) > 1e-6 { errors[c] = 0 }
            largest = max(largest, growth())
        }
        #expect(largest <= stage.growthOfFilters && largest > 0.7 * stage.growthOfFilters, "\(largest)")
        #expect(independent > stage.growthOfFilters && independent <= stage.growth, "\(independent)")
    }

    @Test("numbers out of range are refused, and a weaker effect has weaker numbers")
    func values() throws {
        for (saturation, white) in [(-0.1, 0.0), (4.1, 0), (1, -1.1), (1, 1.1), (.nan, 0), (1, .nan)] {
            #expect(throws: ParameterError.self) { try Vividness(saturation: saturation, whitePoint: white) }
        }
        let effect = try EffectCatalog.effect("glass").make(parsing: "saturation=2 white-point=0.8 appearance=dark")
        #expect(effect.appearance == .dark)
        #expect(effect.outputStages.inside == [.vivid(try Vividness(saturation: 2, whitePoint: -0.8))])
        #expect(
            try effect.weakened(to: 0.5).outputStages.inside == [
                .vivid(try Vividness(saturation: 1.5, whitePoint: -0.4))
            ])
        #expect(try effect.weakened(to: 0).outputStages.inside.isEmpty)
        for name in ["glass", "glass-clear"] {
            let plain = try EffectCatalog.effect(name).make()
            #expect(plain.appearance == .light && plain.vibrancy(.label) != nil)
            #expect(plain.outputStages.inside == [.vivid(try Vividness(saturation: 1.5, whitePoint: 0.55))])
            #expect(
                try EffectCatalog.effect(name).make(parsing: "saturation=1 white-point=0").outputStages.inside.isEmpty)
        }
    }
}
