import FrostTestSupport
import Testing

@testable import FrostCore

/// Tests the laws of ``ContrastFloor``: the function of luminance, the colours, the margins and the growth of errors.
struct ContrastFloorTests {
    static let colors = ["black", "white", "#c01040", "#7f7f7f", "#104080"]

    /// Stages for many contrasts and colours, of both directions and with limits near both ends.
    static let floors: [ContrastFloor] = colors.flatMap { color in
        [1.01, 1.2, 1.5, 2, 3, 4.5, 6.1, 7, 10, 15, 20, 20.4].compactMap { minimum in
            (try? Color(parsing: color)).flatMap { try? ContrastFloor(minimum: minimum, content: $0) }
        }
    }

    private static func decode(_ code: Double) -> Double {
        code <= 0.04045 ? code / 12.92 : TransferFunction.sRGB.decode(code)
    }

    private static func light(_ color: SIMD4<Double>) -> SIMD3<Double> {
        SIMD3(decode(color[0]), decode(color[1]), decode(color[2]))
    }

    private static func luminance(_ color: SIMD4<Double>) -> Double {
        (light(color) * SIMD3(0.2126, 0.7152, 0.0722)).sum()
    }

    /// Returns a random opaque colour. A third of the colours are at the corners, edges or greys of the cube.
    private static func color(_ random: inout SeededGenerator) -> SIMD4<Double> {
        let grey = random.unit()
        if (random.unit() < 0.15) { return SIMD4(grey, grey, grey, 1) }
        func channel() -> Double { (random.unit() < 0.25) ? random.unit().rounded() : random.unit() }
        return SIMD4(channel(), channel(), channel(), 1)
    }

    @Test("the list of cases has both directions, and limits on both sides of every branch")
    func cases() {
        #expect(Self.floors.contains { $0.raises && $0.limit <= 0.25 && $0.limit > 0.02 })
        #expect(Self.floors.contains { $0.raises && $0.limit > 0.9 })
        #expect(Self.floors.contains { !$0.raises && $0.limit < ContrastFloor.greyGains })
        #expect(Self.floors.contains { !$0.raises && $0.limit > 0.5 })
    }

    @Test("the function rises strictly from end to end, by at least its stated slope, and has no jump and no corner")
    func monotone() {
        for floor in Self.floors {
            let count = 20_000
            let values = (0...count).map { floor(Double($0) / Double(count)) }
            let slopes = zip(values, values.dropFirst()).map { ($1 - $0) * Double(count) }
            let (limit, knee) = (floor.limit, floor.knee)
            let stated =
                floor.raises
                ? (limit <= 0.25 ? 0.25 : (1 - limit) / 3)
                : ((limit - knee) / (1 - knee)) * ((limit - knee) / (1 - knee))
            #expect((slopes.min() ?? 0) >= stated * 0.999, "\(floor)")
            // A corner would change the slope at once. The second derivative is at most 6T/K² or 2/h.
            let bend = floor.raises ? 6 * limit / (knee * knee) : 2 / floor.lower.bend
            for (a, b) in zip(slopes, slopes.dropFirst()) {
                #expect(abs(b - a) <= 1.01 * bend / Double(count) + 1e-9, "\(floor)")
            }
            if floor.raises {
                #expect(abs(values[0] - limit) < 1e-12 && values[count] == 1, "\(floor)")
            } else {
                #expect(values[0] == 0 && abs(values[count] - limit) < 1e-12, "\(floor)")
            }
            // No value is on the wrong side of the limit.
            #expect(values.allSatisfy { floor.raises ? $0 >= limit - 1e-12 : $0 <= limit + 1e-12 }, "\(floor)")
        }
    }

    @Test("colours on the safe side of the knee keep their bits, others move")
    func identity() {
        var random = SeededGenerator(seed: 3)
        for floor in Self.floors {
            for _ in 0..<200 {
                let color = Self.color(&random)
                let result = ColorStage.contrast(floor).apply(to: color, x: 0, y: 0)
                let y = Self.luminance(color)
                let isSafe = floor.raises ? y > floor.knee + 1e-9 : y < floor.knee - 1e-9
                let isMoved = floor.raises ? y < floor.limit - 1e-9 : y > floor.limit + 1e-9
                if isSafe { #expect(result == color, "\(floor), \(color)") }
                if isMoved { #expect(result != color, "\(floor), \(color)") }
            }
        }
    }

    @Test(
        "light is scaled, or mixed with white by one part; colours stay in the gamut and grey stays grey, with any alpha"
    )
    func hue() {
        var random = SeededGenerator(seed: 4)
        for floor in Self.floors {
            for _ in 0..<200 {
                let (straight, alpha) = (Self.color(&random), (random.unit() < 0.5) ? 1 : 0.05 + 0.95 * random.unit())
                let moved = floor.moved(straight * alpha)
                #expect(moved[3] == alpha)
                let result = moved / alpha
                #expect((0..<3).allSatisfy { (-1e-12...1 + 1e-12).contains(result[$0]) }, "\(floor), \(straight)")
                let (before, after) = (Self.light(straight), Self.light(result))
                let expected = floor(Self.luminance(straight))
                #expect(abs((after * SIMD3(0.2126, 0.7152, 0.0722)).sum() - expected) < 1e-9, "\(floor), \(straight)")
                // The vectors from white, or from black, keep their direction: their cross product is 0.
                let (a, b) =
                    floor.raises ? (SIMD3(repeating: 1) - before, SIMD3(repeating: 1) - after) : (before, after)
                for (i, j) in [(0, 1), (1, 2), (2, 0)] {
                    #expect(abs(a[i] * b[j] - a[j] * b[i]) < 1e-9, "\(floor), \(straight)")
                }
                if straight[0] == straight[1], straight[1] == straight[2] {
                    #expect(result[0] == result[1] && result[1] == result[2])
                }
            }
            #expect(floor.moved(SIMD4<Double>()) == SIMD4<Double>())
        }
    }

    /// The derivation of the margin says: if a colour has the luminance of the limit, and all channels move by less than the
    /// margin, the contrast still holds. Greys come close to the bound, which shows that the test can fail.
    @Test("a colour at the limit keeps the contrast if its channels move by the margin, and fails for twice the margin")
    func margin() {
        var random = SeededGenerator(seed: 5)
        for floor in Self.floors {
            let content = ContrastFloor.luminance(floor.content)
            let sign = floor.raises ? -1.0 : 1
            func contrast(_ color: SIMD4<Double>, moved by: Double) -> Double {
                let codes = (0..<3).map { min(max(color[$0] + sign * by, 0), 1) }
                return ContrastFloor.contrast(Self.luminance(SIMD4(codes[0], codes[1], codes[2], 1)), content)
            }
            var smallest = Double.infinity
            for _ in 0..<500 {
                let color = Self.atLimit(floor, &random)
                smallest = min(smallest, contrast(color, moved: ContrastFloor.margin))
            }
            #expect(smallest >= floor.minimum - 1e-9, "\(floor): \(smallest)")
            let code = TransferFunction.sRGB.encode(floor.limit)
            let grey = SIMD4(code, code, code, 1)
            let isTight =
                floor.raises ? floor.limit > ContrastFloor.leastRaised : floor.limit >= ContrastFloor.greyGains
            if isTight {
                #expect(abs(contrast(grey, moved: ContrastFloor.margin) - floor.minimum) < 1e-9, "\(floor)")
                #expect(contrast(grey, moved: 2 * ContrastFloor.margin) < floor.minimum, "\(floor)")
            }
        }
    }

    /// Returns a random colour with the luminance of the limit: a random direction of light, scaled or mixed with white.
    private static func atLimit(_ floor: ContrastFloor, _ random: inout SeededGenerator) -> SIMD4<Double> {
        let before = light(color(&random)) * pow2(-12 * random.unit())
        let y = (before * SIMD3(0.2126, 0.7152, 0.0722)).sum()
        var after = y > 0 ? before * (floor.limit / y) : SIMD3(repeating: floor.limit)
        if (0..<3).contains(where: { after[$0] > 1 }) {
            let part = (1 - floor.limit) / (1 - min(y, 0.999))
            after =
                y < floor.limit
                ? SIMD3(repeating: 1) - (SIMD3(repeating: 1) - before) * part : SIMD3(repeating: floor.limit)
        }
        let curve = TransferFunction.sRGB
        return SIMD4(curve.encode(after[0]), curve.encode(after[1]), curve.encode(after[2]), 1)
    }

    private static func pow2(_ exponent: Double) -> Double {
        (0..<12).reduce(1) { $1 < Int(-exponent) ? $0 / 2 : $0 }
    }

    @Test("light that is moved by the margin has its tangents as bounds, from the stated luminances on and not before")
    func tangents() {
        let (curve, margin) = (TransferFunction.sRGB, ContrastFloor.margin)
        let lights = (0...4000).map { Double($0) / 4000 * Double($0) / 4000 }
        func slope(_ y: Double, _ by: Double) -> Double {
            let step = 1e-7
            return (curve.decode(curve.encode(y + step) + by) - curve.decode(curve.encode(y - step) + by)) / (2 * step)
        }
        func bounds(_ y: Double, _ sign: Double) -> Bool {
            let (value, slope) = (curve.decode(curve.encode(y) + sign * margin), slope(y, sign * margin))
            return lights.allSatisfy { u in
                let moved = curve.decode(min(max(curve.encode(u) + sign * margin, 0), 1))
                return sign * (value + slope * (u - y) - moved) >= -1e-9
            }
        }
        for step in 0...60 {
            let part = Double(step) / 60
            let (low, high) = (ContrastFloor.leastRaised, ContrastFloor.greyGains)
            #expect(bounds(low + (0.98 - low) * part * part, -1), "\(part)")
            #expect(bounds(high + (0.98 - high) * part * part, 1), "\(part)")
        }
        #expect(!bounds(0.7 * ContrastFloor.leastRaised, -1))
        #expect(!bounds(0.7 * ContrastFloor.greyGains, 1))
    }

    @Test("amplification bounds the growth of small differences, at any strength, and is not much larger")
    func growth() throws {
        var random = SeededGenerator(seed: 6)
        var closest = 0.0
        for floor in Self.floors {
            var largest = 0.0
            for strength in [1, 1, 1, 0.5] {
                let stage = ColorStage.contrast(floor.weakened(to: strength))
                for _ in 0..<1500 {
                    let alpha = (random.unit() < 0.7) ? 1 : 0.1 + 0.9 * random.unit()
                    var a = Self.color(&random) * alpha
                    var b = a
                    for c in 0..<4 { b[c] += 1e-5 * random.signed().sign }
                    if alpha == 1 { b[3] = 1 }
                    a = a.clamped(lowerBound: SIMD4<Double>(), upperBound: SIMD4(repeating: a[3]))
                    b = b.clamped(lowerBound: SIMD4<Double>(), upperBound: SIMD4(repeating: b[3]))
                    let (before, after) = (a - b, stage.apply(to: a, x: 0, y: 0) - stage.apply(to: b, x: 0, y: 0))
                    let was = (0..<4).map { abs(before[$0]) }.max() ?? 0
                    if was > 0 { largest = max(largest, ((0..<4).map { abs(after[$0]) }.max() ?? 0) / was) }
                }
            }
            #expect(largest <= ColorStage.contrast(floor).amplification, "\(floor): \(largest)")
            closest = max(closest, largest / ColorStage.contrast(floor).amplification)
        }
        #expect(closest > 0.5, "the bound is too large by \(1 / closest)")
        // Growth before and after the stage is multiplied.
        let vibrant = ContentLayer(
            ContentImage(try TestImage.make(.gradient, 2, 2)), vibrancy: BlurStyle.dark.vibrancy(.label))
        let floor = ColorStage.contrast(try ContrastFloor(minimum: 4.5, content: Color(parsing: "black")))
        let both = OutputStages(over: [floor], content: [vibrant]).amplification
        #expect(both == floor.amplification * OutputStages(content: [vibrant]).amplification)
    }

    @Test("a contrast that cannot be reached is refused with the largest one, which is accepted", arguments: colors)
    func refusals(name: String) throws {
        let color = try Color(parsing: name)
        let error = #expect(throws: ParameterError.self) { try ContrastFloor(minimum: 21, content: color) }
        guard case .contrastTooHigh(let minimum, let content, let largest)? = error else {
            Issue.record("\(name): \(String(describing: error))")
            return
        }
        #expect(minimum == 21 && content == color)
        #expect(try ContrastFloor(minimum: largest, content: color).minimum == largest)
        #expect(throws: ParameterError.self) { try ContrastFloor(minimum: largest + 0.01, content: color) }
        // White and black have the contrasts of WCAG to the colour; rounding costs little of the larger one.
        let y = ContrastFloor.luminance(color)
        let possible = max(1.05 / (y + 0.05), (y + 0.05) / 0.05)
        #expect((0.95 * possible...possible).contains(largest), "\(largest) of \(possible)")
        for minimum in [0.99, 21.01, .nan] {
            #expect(throws: ParameterError.self) { try ContrastFloor(minimum: minimum, content: color) }
        }
    }

    @Test("automatic content is black on light means and white on dark ones, and must be decided before planning")
    func automatic() throws {
        let effect = try EffectCatalog.effect("light").make(["min-contrast": .number(4.5)])
        let extent = Rect(x: 0, y: 0, width: 20, height: 20)
        #expect(throws: ParameterError.undecidedContent) { try effect.plan(extent: extent) }
        for (grey, name) in [(0.0, "white"), (0.05, "white"), (0.9, "black"), (1, "black")] {
            let plain = try Effect(GaussianBlur(sigma: 3)).withContrast(atLeast: 4.5, to: nil)
            let decided = try plain.decidingContent(for: SIMD4(grey, grey, grey, 1))
            #expect(try decided.contrast?.content == Color(parsing: name))
            #expect(try decided.plan(extent: extent).outputStages.over.count == 1)
            #expect(try decided.decidingContent(for: SIMD4<Double>()) == decided)
            #expect(
                try decided == Effect(GaussianBlur(sigma: 3)).withContrast(atLeast: 4.5, to: Color(parsing: name)))
        }
        // The effect's own stages count: a tint decides.
        let tinted = try EffectCatalog.effect("gpuimage-gaussian").make([
            "min-contrast": .number(4.5), "tint": .color(try Color(parsing: "white,0.9")),
        ])
        #expect(try tinted.decidingContent(for: SIMD4(0, 0, 0, 1)).contrast?.content == Color(parsing: "black"))
        #expect(throws: ParameterError.self) {
            try EffectCatalog.effect("light").make(["content-color": .color(try Color(parsing: "red"))])
        }
    }

    @Test("a choice stays within a range of luminances, and black and white are chosen at the ends of all of them")
    func hysteresis() throws {
        let (black, white) = (try Color(parsing: "black"), try Color(parsing: "white"))
        for (minimum, width) in [(3.0, 0.05), (4.5, 0.09), (7, 0.16)] {
            let contrast = try AutomaticContrast(minimum: minimum)
            let steps = stride(from: 0.0, through: 1, by: 0.001)
            // From the dark to the light end with one choice, and back with the other.
            let toBlack = try #require(try steps.first { try contrast.decided(for: $0, after: white).content == black })
            let toWhite = try #require(try steps.first { try contrast.decided(for: $0, after: black).content == black })
            let plain = try #require(try steps.first { try contrast.decided(for: $0, after: nil).content == black })
            #expect(toWhite < plain && plain < toBlack && abs(toBlack - toWhite - width) < 0.005, "\(minimum)")
        }
        for minimum in [1.1, 2, 4.5, 12, 20] {
            let contrast = try AutomaticContrast(minimum: minimum)
            #expect(try contrast.decided(for: 0, after: black).content == white, "\(minimum)")
            #expect(try contrast.decided(for: 1, after: white).content == black, "\(minimum)")
        }
        let effect = try Effect(GaussianBlur(sigma: 3)).withContrast(atLeast: 4.5, to: nil)
        #expect(try effect.decisions().compactMap(\.contrast?.content) == [black, white])
        for color in [black, white] {
            let given = try Effect(GaussianBlur(sigma: 3)).withContrast(atLeast: 4.5, to: color)
            #expect(try effect.decidingContent(as: color) == given && given.decisions() == [given])
        }
    }

    @Test("a grid of samples has at most about 4096 within its rectangles, and the mean of a gradient")
    func samples() throws {
        var random = SeededGenerator(seed: 8)
        func number(_ largest: Int) -> Int { Int.random(in: 1...largest, using: &random) }
        for _ in 0..<300 {
            let rects = (0..<number(20)).map { _ in
                Rect(
                    x: number(500), y: number(500), width: number(number(16384)), height: number(number(16384)))
            }
            let grid = SampleGrid(rects)
            #expect(grid.count > 0 && grid.count <= 2 * 4096 + 40 * SampleGrid.sideLimit / 10, "\(rects)")
            #expect(grid.parts.reduce(0) { $0 + $1.rows } <= SampleGrid.sideLimit)
            for part in grid.parts {
                #expect(part.columns <= SampleGrid.sideLimit && part.columns > 0 && part.rows > 0)
                let last = (part.x + (part.columns - 1) * grid.step, part.y + (part.rows - 1) * grid.step)
                if rects.count <= 16 {
                    #expect(rects.contains { $0.columns.contains(part.x) && $0.columns.contains(last.0) })
                    #expect(rects.contains { $0.rows.contains(part.y) && $0.rows.contains(last.1) })
                }
            }
        }
        #expect(SampleGrid([]).count == 0 && SampleGrid.mean(of: [], nil) == .zero)
        let grid = SampleGrid([Rect(x: 7, y: 9, width: 800, height: 500)])
        let colors = grid.parts.flatMap { part in
            (0..<part.rows * part.columns).map {
                SIMD4<Float>(repeating: Float($0 % part.columns * grid.step + part.x))
            }
        }
        #expect(abs(SampleGrid.mean(of: colors, nil)[0] - 406.5) < 3)
    }

    @Test("the contrast is the last stage of every effect, at any strength of the parameters, also outside a gradient")
    func order() throws {
        for description in EffectCatalog.all {
            var values: [String: EffectValue] = [
                "min-contrast": .number(4.5), "content-color": .color(try Color(parsing: "black")),
            ]
            let names = description.parameters.map(\.name)
            if names.contains("noise") { values["noise"] = .number(0.1) }
            if names.contains("tint") { values["tint"] = .color(try Color(parsing: "red,0.2")) }
            if names.contains("strength") { values["strength"] = .number(0.4) }
            if names.contains("gradient") { values["gradient"] = .stops([Mask.Ramp.Stop(0, 0), Mask.Ramp.Stop(1, 1)]) }
            let stages = try description.make(values).outputStages
            let floor = try ContrastFloor(minimum: 4.5, content: Color(parsing: "black"))
            #expect(stages.over.last == .contrast(floor), "\(description.name)")
            #expect(!stages.inside.contains { $0.guaranteesContrast }, "\(description.name)")
        }
    }

    @Test("a weaker effect changes luminance in proportion, and none of it at strength 0")
    func strength() throws {
        for floor in Self.floors {
            for y in stride(from: 0.0, through: 1, by: 0.05) {
                let moved = floor(y) - y
                #expect(abs(floor.weakened(to: 0.3)(y) - y - 0.3 * moved) < 1e-12)
            }
        }
        let effect = try Effect(GaussianBlur(sigma: 4)).withContrast(atLeast: 3, to: Color(parsing: "black"))
        #expect(try effect.weakened(to: 0).contrast == nil)
        #expect(try effect.weakened(to: 0.5).contrast?.strength == 0.5)
    }
}

extension Double {
    fileprivate var sign: Double { self < 0 ? -1 : 1 }
}
