import FrostTestSupport
import Testing

@testable import FrostCore

/// Tests the values that describe output stages: colours, rounded rectangles and the effect catalogue.
struct OutputStagesValueTests {
    @Test("whole columns are fully covered, no others are, and columns that are not touched are not covered")
    func wholeColumns() throws {
        for rect in [
            try RoundedRect(x: 3.25, y: 2.5, width: 20.5, height: 14.25, radius: 5.5),
            try RoundedRect(x: -4, y: 0, width: 9, height: 9, radius: 4.5),
            try RoundedRect(x: 2, y: 2, width: 3, height: 0.5),
        ] {
            for row in -3..<20 {
                let whole = rect.wholeColumns(row)
                for x in -8..<30 where whole.contains(x) { #expect(rect.coverage(x, row) == 1, "\(rect) \(x),\(row)") }
                let touched = rect.touchedColumns(row)
                for x in -8..<30 where !touched.contains(x) {
                    #expect(rect.coverage(x, row) == 0, "\(rect) \(x),\(row)")
                }
                for x in -8..<30 where !whole.contains(x) { #expect(rect.coverage(x, row) < 1, "\(rect) \(x),\(row)") }
            }
        }
    }

    @Test("the coverage of a rounded rectangle is its area, as measured in 256 lines of each pixel")
    func coverage() throws {
        for rect in [
            try RoundedRect(x: 1.3, y: 2.6, width: 17.45, height: 12.2, radius: 5.7),
            try RoundedRect(x: 0, y: 0, width: 9, height: 9, radius: 4.5),
            try RoundedRect(x: 3.5, y: 3.5, width: 0.6, height: 0.4, radius: 0.2),
            try RoundedRect(x: 2.25, y: 1, width: 6, height: 3),
            try RoundedRect(x: 4, y: 4, width: 3, height: 5, radius: 0.9),
        ] {
            var total = 0.0
            for y in -1..<20 {
                for x in -1..<22 {
                    let inside = (0..<256).reduce(0) { sum, line in
                        sum + width(of: rect, at: Double(y) + (Double(line) + 0.5) / 256, within: Double(x))
                    }
                    let part = rect.coverage(x, y)
                    total += part
                    // The reference samples the pixel along 256 horizontal lines. At the upper and lower edge of the
                    // rectangle it has an error of up to half the distance between two lines.
                    #expect(abs(part - inside / 256) <= 1.0 / 255, "\(rect) at \(x),\(y): \(part)")
                }
            }
            let area = rect.width * rect.height - (4 - Double.pi) * rect.radius * rect.radius
            #expect(abs(total - area) < 1e-7, "\(rect)")
        }
    }

    /// Takes a horizontal line across a pixel and returns the length of the part that lies inside the rounded rectangle.
    private func width(of rect: RoundedRect, at y: Double, within x: Double) -> Double {
        guard (rect.y...rect.y + rect.height).contains(y) else { return 0 }
        let outside = max(rect.y + rect.radius - y, y - (rect.y + rect.height - rect.radius), 0)
        let inset = rect.radius - max(rect.radius * rect.radius - outside * outside, 0).squareRoot()
        return max(0, min(rect.x + rect.width - inset, x + 1) - max(rect.x + inset, x))
    }

    @Test("amplification bounds the growth of small differences, and is at most the product of the stages'")
    func amplification() throws {
        var random = SeededGenerator(seed: 4)
        let image = ContentImage(try TestImage.make(.gradient, 2, 2))
        for description in EffectCatalog.all {
            var outputStages = try description.make().keyed(for: .frames).outputStages
            if let vibrancy = try description.make().vibrancy(.label) {
                outputStages.content = [ContentLayer(image, vibrancy: vibrancy)]
            }
            let stages = outputStages.inside + outputStages.over
            func finished(_ color: SIMD4<Double>, _ alpha: Double) -> SIMD4<Double> {
                let below = stages.reduce(color) { $1.apply(to: $0, x: 0, y: 0) }
                return outputStages.content.reduce(below) { $1.draw(SIMD4(alpha, alpha, alpha, alpha), over: $0) }
            }
            var largest = 0.0
            for _ in 0..<1000 {
                var (a, b) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
                let isOpaque = Bool.random(using: &random)
                a[3] = isOpaque ? 1 : Double.random(in: 0.2...1, using: &random)
                b[3] = isOpaque ? 1 : min(a[3] + Double.random(in: -0.004...0.004, using: &random), 1)
                for c in 0..<3 {
                    a[c] = Double.random(in: 0...a[3], using: &random)
                    b[c] = min(max(a[c] + Double.random(in: -0.004...0.004, using: &random), 0), b[3])
                }
                let alpha = Double.random(in: 0...1, using: &random)
                let (before, after) = (a - b, finished(a, alpha) - finished(b, alpha))
                let grown = (0..<4).map { abs(after[$0]) }.max() ?? 0
                let was = (0..<4).map { abs(before[$0]) }.max() ?? 0
                #expect(grown <= was * outputStages.amplification + 1e-12, "\(description.name)")
                largest = max(largest, grown / was)
            }
            let layers = ErrorGrowth.bound(outputStages.content.compactMap(\.derivatives))
            let product = stages.reduce(layers) { $0 * $1.amplification }
            #expect(outputStages.amplification <= max(1, product) * (1 + 1e-9), "\(description.name)")
            let amplification = outputStages.amplification
            #expect(largest > 0.2 * amplification, "\(description.name): \(largest) of \(amplification)")
        }
    }

    @Test("growth that the next stage undoes is not counted")
    func growth() throws {
        for (name, limit) in [("material-thick-light", 1.45), ("material-regular-dark", 1.05), ("light", 1.8)] {
            let outputStages = try EffectCatalog.effect(name).make().outputStages
            #expect((1...limit).contains(outputStages.amplification), "\(name): \(outputStages.amplification)")
        }
        let stages: [ColorStage] = [.matrix(.saturation(3)), .matrix(.saturation(1 / 3.0))]
        let (three, third) = (stages[0].amplification, stages[1].amplification)
        let both = OutputStages(inside: stages).amplification
        #expect(both < three * third && both >= 1)
    }

    @Test("the output stages' growth is taken from the blur's budget, and counted in the bound")
    func budget() throws {
        let extent = Rect(x: 0, y: 0, width: 900, height: 700)
        for description in EffectCatalog.all {
            let effect = try description.make()
            let plan = try effect.plan(extent: extent)
            #expect(plan.errorBound <= Accuracy.eightBit.errorBudget, "\(description.name)")
            // The lens is a part of the work, a plan says where its edges are, and the whole picture throws no shadow.
            var stages = effect.outputStages
            (stages.lens, stages.shadow) = (nil, nil)
            if stages.edge != nil { stages.shapes = [try RoundedRect(extent)] }
            if let mosaic = effect.blur as? Mosaic { stages.numberCells(within: mosaic.cells(in: extent)) }
            #expect(plan.outputStages == stages)
            #expect(try effect.plan(extent: extent, accuracy: .sixteenBit).errorBound <= 2.5 / 257 * 2.1)
        }
        let zero = try EffectCatalog.effect("image-effects").make(["radius": .number(0)])
        #expect(try zero.plan(extent: extent).passes.count == 1)
    }

    @Test("unknown names are refused with the known ones")
    func refusals() throws {
        let light = try EffectCatalog.effect("light")
        let known = light.parameters.map(\.name)
        #expect(
            known == [
                "convention", "kernel", "scale", "edge", "saturation", "tint", "noise", "opacity", "strength",
                "min-contrast", "content-color",
            ])
        #expect(throws: ParameterError.unknown(parameter: "sigma", allowed: known)) {
            _ = try light.make(["sigma": .number(3)])
        }
        #expect(throws: ParameterError.outOfRange(parameter: "scale", value: 4, allowed: 1...3)) {
            _ = try EffectCatalog.effect("light").make(["scale": .number(4)])
        }
        #expect(throws: ParameterError.self) { _ = try EffectCatalog.effect("lite") }
        #expect(throws: ParameterError.self) {
            _ = try EffectCatalog.effect("light").make(["convention": .choice("2")])
        }
        #expect(Set(EffectCatalog.all.map(\.name)).count == EffectCatalog.all.count)
    }

    @Test("colours are read as they are written")
    func colors() throws {
        #expect(try Color(parsing: "#0af").description == "#00aaffff")
        #expect(try Color(parsing: "10203040").description == "#10203040")
        #expect(try Color(parsing: "1,0.3") == Color(red: 1, green: 1, blue: 1, alpha: 0.3))
        #expect(try Color(parsing: "0,0.5,1,0.25") == Color(red: 0, green: 0.5, blue: 1, alpha: 0.25))
        #expect(try Color(parsing: "RebeccaPurple").description == "#663399ff")
        #expect(try Color(parsing: "white,0.5") == Color(red: 1, green: 1, blue: 1, alpha: 0.5))
        #expect(try Color(parsing: "transparent").alpha == 0)
        for text in ["", "#12345", "redd", "red,", "red,2", "red,0.5,0", "1,2", "0,0,0,0,0", "#ggg"] {
            #expect(throws: ParameterError.self) { _ = try Color(parsing: text) }
        }
    }
}
