@testable import Frost
@testable import FrostCore
import FrostTestSupport
import Foundation
import Testing

/// Tests ellipses, feathers and inverted shapes: how much of each pixel an effect covers.
struct ClipRuleTests {
    /// The part of a pixel within a shape, from the definitions alone: the area by many points, and the distance to the nearest of
    /// many points of the outline.
    private struct Oracle {
        let shape: RoundedRect
        let isEllipse: Bool
        let degrees: Double
        let outline: [SIMD2<Double>]

        init(_ shape: RoundedRect, isEllipse: Bool, degrees: Double) {
            (self.shape, self.isEllipse, self.degrees) = (shape, isEllipse, degrees)
            let half = SIMD2(shape.width, shape.height) / 2
            outline = (0..<2400).map { index in
                let turn = Double(index) / 2400
                if isEllipse { return half * SIMD2(cos(2 * .pi * turn), sin(2 * .pi * turn)) }
                // Points on the four arcs and the sides between them.
                let side = index * 4 / 2400
                let part = turn * 4 - Double(side)
                let corner = SIMD2(side == 0 || side == 3 ? 1.0 : -1, side < 2 ? 1.0 : -1)
                let angle = (Double(side) + (part - 0.25) * 2) * .pi / 2
                let center = corner * (half - shape.radius)
                if part >= 0.25, part < 0.75 { return center + shape.radius * SIMD2(cos(angle), sin(angle)) }
                let isFirst = part < 0.25
                let isUpright = (side % 2 == 0) == isFirst
                let length = isUpright ? half.y - shape.radius : half.x - shape.radius
                let along = length * (isFirst ? part * 4 : 4 - part * 4)
                return isUpright
                    ? SIMD2(corner.x * half.x, corner.y * along) : SIMD2(corner.x * along, corner.y * half.y)
            }
        }

        /// A point in the coordinates of the shape before it is turned, from its middle.
        private func place(_ x: Double, _ y: Double) -> SIMD2<Double> {
            let moved = SIMD2(x - shape.x - shape.width / 2, y - shape.y - shape.height / 2)
            let (s, c) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
            return SIMD2(moved.x * c + moved.y * s, moved.y * c - moved.x * s)
        }

        func contains(_ x: Double, _ y: Double) -> Bool {
            let (p, half) = (place(x, y), SIMD2(shape.width, shape.height) / 2)
            if isEllipse { return (p.x / half.x) * (p.x / half.x) + (p.y / half.y) * (p.y / half.y) < 1 }
            let q = SIMD2(max(abs(p.x) - half.x + shape.radius, 0), max(abs(p.y) - half.y + shape.radius, 0))
            return (q.x * q.x + q.y * q.y).squareRoot() < shape.radius
                || abs(p.x) < half.x && abs(p.y) < half.y
                    && (q.x == 0 || q.y == 0)
        }

        func area(_ x: Int, _ y: Int) -> Double {
            var count = 0
            for i in 0..<16 {
                for j in 0..<16 where contains(Double(x) + (Double(i) + 0.5) / 16, Double(y) + (Double(j) + 0.5) / 16) {
                    count += 1
                }
            }
            return Double(count) / 256
        }

        func distance(_ x: Int, _ y: Int) -> Double {
            let p = place(Double(x) + 0.5, Double(y) + 0.5)
            var least = Double.infinity
            for point in outline {
                let way = p - point
                least = min(least, way.x * way.x + way.y * way.y)
            }
            return contains(Double(x) + 0.5, Double(y) + 0.5) ? -least.squareRoot() : least.squareRoot()
        }
    }

    private static func shape(_ generator: inout SeededGenerator, _ index: Int) throws -> (RoundedRect, Oracle) {
        func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &generator) }
        let (width, height) = (number(8...30), number(8...30))
        let isEllipse = index % 3 != 0
        var shape = try RoundedRect(
            x: number(-4...30), y: number(-4...20), width: width, height: height,
            radius: isEllipse ? 0 : number(1...4), corners: isEllipse ? .ellipse : .circular)
        let degrees = index % 4 == 3 ? number(5...85) : 0
        let oracle = Oracle(shape, isEllipse: isEllipse, degrees: degrees)
        if degrees != 0 { shape = try shape.turned(by: degrees) }
        return (shape, oracle)
    }

    @Test("the covered part is the area, or follows the distance from the outline")
    func parts() throws {
        var generator = SeededGenerator(seed: 51)
        var partial = 0
        for index in 0..<24 {
            let (shape, oracle) = try Self.shape(&generator, index)
            let feather = index % 2 == 0 ? 0 : Double.random(in: 1...12, using: &generator)
            for isInverted in [false, true] {
                let area = ClipArea([shape], join: 0, rule: ClipRule(feather: feather, isInverted: isInverted))
                for y in stride(from: -10, to: 60, by: 5) {
                    for x in stride(from: -10, to: 70, by: 3) {
                        let wanted: Double
                        if feather > 0 {
                            let d = oracle.distance(x, y)
                            let t = min(max(1 - (isInverted ? -d : d) / feather, 0), 1)
                            wanted = t * t * (3 - 2 * t)
                        } else {
                            wanted = isInverted ? 1 - oracle.area(x, y) : oracle.area(x, y)
                        }
                        let found = area.coverage(x, y)
                        // 16 rows of points know an area to 1/16 of a pixel; the points of the outline are less than 0.1
                        // apart, so that a distance of a pixel is 0.001 too large, and smaller ones at most 0.05.
                        #expect(
                            abs(found - wanted) < (feather > 0 ? 0.08 / feather : 0.06),
                            "\(shape), \(feather), \(x),\(y)")
                        if wanted > 0.1, wanted < 0.9 { partial += 1 }
                        // A pixel outside the columns has the part of all far pixels.
                        if !area.columns(y).contains(where: { $0.contains(x) }) { #expect(found == area.partOutside) }
                        if area.middle(y).columns.contains(where: { $0.contains(x) }) {
                            #expect(abs(found - area.middle(y).part) < 1e-9, "\(shape), \(x),\(y)")
                        }
                    }
                }
            }
        }
        #expect(partial > 200)
    }

    @Test("the shapes near some columns of a row cover these as all shapes do")
    func shapesNearby() throws {
        var generator = SeededGenerator(seed: 52)
        var fewer = 0
        for index in 0..<24 {
            let shapes = try (0..<12).map { try Self.shape(&generator, index + $0).0 }
            let feather = index % 2 == 0 ? 0 : Double.random(in: 1...9, using: &generator)
            let rule = ClipRule(feather: feather, isInverted: index % 3 == 0, coversTouched: index % 4 == 2)
            let area = ClipArea(shapes, join: index % 8 == 7 ? 6 : 0, rule: rule)
            for y in -12..<60 {
                let columns = 7 * (y & 3) - 10..<7 * (y & 3) + 12
                let near = area.near(columns, row: y)
                for x in columns { #expect(near.coverage(x, y) == area.coverage(x, y), "\(index): \(x), \(y)") }
                let touched = near.columns(y)
                #expect(zip(touched, touched.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
                #expect(
                    columns.allSatisfy { x in
                        touched.contains { $0.contains(x) } == area.columns(y).contains { $0.contains(x) }
                    })
                if near.columns(y).count < area.columns(y).count { fewer += 1 }
            }
        }
        #expect(fewer > 20)
    }

    private static let formats: [PixelFormat] = [
        PixelFormat(.rgba), PixelFormat(.rgb), PixelFormat(.grey), PixelFormat(.rgba, .u16), PixelFormat(.rgb, .f32),
        PixelFormat(.bgra, alpha: .premultiplied),
    ]

    private static func effect(_ generator: inout SeededGenerator, _ index: Int) throws -> Effect {
        var effect = Effect(try GaussianBlur(sigma: 3))
        effect.outputStages.clip = try (0...index % 2).map { try shape(&generator, index + $0).0 }
        effect.outputStages.clipRule = ClipRule(
            feather: index % 3 == 1 ? 0 : Double.random(in: 0.5...9, using: &generator), isInverted: index % 2 == 1)
        if index % 5 == 4 { effect.outputStages.opacity = 0.6 }
        return effect
    }

    @Test("random shapes are within the promise of a mixture by the covered part", arguments: Worker.wanted)
    func accuracy(worker: Worker) throws {
        let renderer = try worker.renderer()
        var generator = SeededGenerator(seed: 52)
        for index in 0..<(TestCases.every ? 120 : 36) {
            let effect = try Self.effect(&generator, index)
            let format = Self.formats[index % Self.formats.count]
            let picture = try TestImage.make(.photograph, 60, 50, format)
            let blurred = try renderer.exact(picture, Effect(try GaussianBlur(sigma: 3)))
            let original = SampleRows(picture).expanded(to: blurred.channels)
            let (stages, count) = (effect.outputStages, blurred.channels.count)
            let area = ClipArea(stages.clip, join: 0, rule: stages.clipRule)
            let wanted = SampleRows(width: 60, height: 50, channels: blurred.channels) { y in
                (0..<60 * count).map { at in
                    let part = area.coverage(at / count, y) * stages.opacity
                    return original[y][at] + (blurred[y][at] - original[y][at]) * part
                }
            }
            let found = SampleRows(try renderer.renderNow(picture, effect).image).expanded(to: blurred.channels)
            let worst = try Comparison(found, wanted)
            #expect(worst.maximum <= Tolerance.promise(format.sample).steps, "\(index), \(format): \(worst)")
            let exact = try renderer.exact(picture, effect).expanded(to: blurred.channels)
            #expect(try Comparison(exact, wanted).maximum < 1e-6)
            var plain = effect
            plain.outputStages.clipRule = ClipRule()
            if !stages.clipRule.isPlain {
                let other = SampleRows(try renderer.renderNow(picture, plain).image).expanded(to: blurred.channels)
                #expect(try Comparison(other, wanted).maximum > 2, "the rule changes the picture")
            }
        }
    }

    @Test("rectangles of the renderer, parts and tiles have the pixels of the whole", arguments: Worker.wanted)
    func regions(worker: Worker) throws {
        let renderer = try worker.renderer()
        var generator = SeededGenerator(seed: 53)
        let picture = try TestImage.make(.photograph, 60, 50, PixelFormat(.rgba))
        for index in 0..<24 {
            var effect = try Self.effect(&generator, index)
            let shapes = effect.outputStages.clip
            guard shapes.allSatisfy({ $0.bounds.intersection(picture.layout.extent) != nil }) else { continue }
            let whole = try renderer.renderNow(picture, effect).image
            let region = Rect(x: 7, y: 5, width: 41, height: 33)
            let part = try renderer.renderNow(picture, effect, region: region).image
            #expect(try part.bytes == whole.cropped(to: region).bytes, "\(index)")
            effect.outputStages.clip = []
            let within = try renderer.render(picture, effect, within: shapes).image
            #expect(try Comparison(SampleRows(whole), SampleRows(within)).maximum <= 1, "\(index): \(shapes)")
            let rows = try renderer.exact(
                picture, effect, within: shapes, isBounded: false, mask: nil)
            #expect(
                try Comparison(SampleRows(within), rows).maximum <= Tolerance.promise8.steps, "\(index): \(shapes)")
        }
    }

    @Test("many shapes at once have the bytes of shapes one by one", arguments: Worker.wanted, [0, 5.0])
    func manyShapes(worker: Worker, feather: Double) throws {
        var generator = SeededGenerator(seed: 53)
        let renderer = try worker.renderer()
        for format in [PixelFormat(.rgb), PixelFormat(.rgba), PixelFormat(.grey, .f32)] {
            let image = try TestImage.make(.uniformNoise, 60, 50, format)
            let shapes = try (0..<40).map { try Self.shape(&generator, 1 + 3 * ($0 / 3) + $0 % 2).0 }
                .filter { $0.bounds.intersection(image.layout.extent) != nil }
            var effect = Effect(try GaussianBlur(sigma: 3))
            effect.outputStages.clipRule.feather = feather
            effect.outputStages.opacity = 0.75
            #expect(effect.withAll(shapes, in: image.layout.extent, .rect) != nil)
            #expect(effect.withAll([shapes[0]], in: image.layout.extent, .rect) == nil)
            var expected = try renderer.unchanged(image, in: effect.outputFormat(for: image.format))
            var parts = shapes.map { ($0.bounds, effect.panel($0, of: shapes, .rect)) }
            parts += effect.partsBeside(shapes, in: image.layout.extent, .rect).map { ($0.rect, $0.effect) }
            for (bounds, panel) in parts {
                guard let place = bounds.intersection(image.layout.extent) else { continue }
                try expected.paste(renderer.renderNow(image, panel, region: place).image, at: place)
            }
            let found = try renderer.render(image, effect, within: shapes)
            try expectIdentical(found.image, expected, "\(format)")
            #expect(found.report.warning?.contains("was cropped") == true)
        }
    }

    @Test(
        "many boxes at once have the bytes of boxes one by one, alone and among other shapes", arguments: Worker.wanted)
    func manyBoxes(worker: Worker) throws {
        var generator = SeededGenerator(seed: 59)
        let renderer = try worker.renderer()
        let boxes = try (0..<60).map { _ in
            try RoundedRect(
                Rect(
                    x: Int.random(in: -4..<58, using: &generator), y: Int.random(in: -4..<48, using: &generator),
                    width: Int.random(in: 5..<12, using: &generator), height: Int.random(in: 5..<12, using: &generator))
            )
        }
        let round = try RoundedRect(Rect(x: 20, y: 10, width: 30, height: 20), radius: 8)
        for (shapes, format) in [
            (boxes, PixelFormat(.rgb)), (boxes + [round], PixelFormat(.rgba)), (boxes, PixelFormat(.grey, .f32)),
        ] {
            let image = try TestImage.make(.uniformNoise, 60, 50, format)
            var effect = Effect(try GaussianBlur(sigma: 3))
            effect.outputStages.opacity = 0.75
            #expect(effect.withAll(shapes, in: image.layout.extent, .rect) != nil)
            #expect(effect.withAll(Array(shapes.prefix(3)), in: image.layout.extent, .rect) == nil)
            #expect(effect.isSeparate(within: shapes) == (shapes.count == 60))
            var expected = try renderer.unchanged(image, in: effect.outputFormat(for: image.format))
            for shape in shapes {
                guard let place = shape.bounds.intersection(image.layout.extent) else { continue }
                let panel = effect.panel(shape, of: shapes, .rect)
                try expected.paste(renderer.renderNow(image, panel, region: place).image, at: place)
            }
            try expectIdentical(renderer.render(image, effect, within: shapes).image, expected, "\(format)")
        }
    }

    @Test("a redaction covers every pixel that a shape touches, and leaves all others", arguments: Worker.wanted)
    func redaction(worker: Worker) throws {
        let renderer = try worker.renderer()
        var generator = SeededGenerator(seed: 54)
        let picture = try TestImage.make(.photograph, 71, 53, PixelFormat(.rgb))
        let description = try EffectCatalog.effect("redact")
        for fill in [0.0, 1.0] {
            for index in 0..<8 {
                var effect = try description.make([
                    "cell": .number(8), "seed": .number(7), "fill": .color(.white(0, fill)),
                ])
                effect.outputStages.dither = nil
                let isInverted = index % 2 == 1
                let (shape, oracle) = try Self.shape(&generator, index)
                guard shape.bounds.intersection(picture.layout.extent) != nil else { continue }
                effect.outputStages.clipRule.isInverted = isInverted
                let found = try renderer.render(picture, effect, within: [shape]).image
                effect.outputStages.clipRule.isInverted = false
                let around = try RoundedRect(isInverted ? picture.layout.extent : shape.bounds)
                let hidden = try renderer.render(picture, effect, within: [around]).image
                for y in stride(from: 0, to: 53, by: 2) {
                    for x in 0..<71 {
                        let at = 3 * (71 * y + x)
                        let pixel = found.bytes[at..<at + 3]
                        let part = isInverted ? 1 - oracle.area(x, y) : oracle.area(x, y)
                        if part > 0 { #expect(pixel == hidden.bytes[at..<at + 3], "\(index): \(x),\(y)") }
                        #expect(pixel == hidden.bytes[at..<at + 3] || pixel == picture.bytes[at..<at + 3])
                        if x % 5 == 0, (isInverted ? -1 : 1) * oracle.distance(x, y) > 1.5 {
                            #expect(pixel == picture.bytes[at..<at + 3])
                        }
                    }
                }
            }
        }
    }

    @Test("a rule that cannot be combined is refused") func conflicts() throws {
        let extent = Rect(x: 0, y: 0, width: 60, height: 50)
        let ellipse = try RoundedRect(x: 2, y: 3, width: 20, height: 10, corners: .ellipse)
        func plan(_ change: (inout OutputStages) -> Void, _ effect: Effect) throws {
            var effect = effect
            effect.outputStages.clip = [ellipse]
            change(&effect.outputStages)
            _ = try effect.plan(extent: extent)
        }
        let (blur, glass) = (Effect(try GaussianBlur(sigma: 2)), try EffectCatalog.effect("glass").make())
        try plan({ _ in }, blur)
        for feather in [-1, 5000, .nan] {
            #expect(throws: ParameterError.self) { try plan({ $0.clipRule.feather = feather }, blur) }
        }
        #expect(throws: ParameterError.self) { try plan({ $0.join = 4 }, blur) }
        #expect(throws: ParameterError.self) { try plan({ _ in }, glass) }
        for rule in [ClipRule(feather: 3), ClipRule(isInverted: true)] {
            let square = try RoundedRect(x: 2, y: 3, width: 20, height: 20, radius: 4)
            #expect(throws: ParameterError.self) {
                try plan({ ($0.clip, $0.clipRule) = ([square], rule) }, glass)
            }
            #expect(throws: FrostError.self) {
                var effect = blur
                effect.outputStages.clipRule = rule
                let picture = try TestImage.make(.photograph, 60, 50)
                _ = try Renderer(backend: .cpu).render(picture, effect, within: [square], isBounded: true)
            }
        }
        var redact = try EffectCatalog.effect("redact").make()
        redact.outputStages.clip = [ellipse]
        _ = try redact.plan(extent: extent)
        redact.outputStages.clipRule.feather = 2
        #expect(throws: ParameterError.self) { try redact.plan(extent: extent) }
    }

    @Test("a circle is a rectangle with circular corners, and an ellipse describes itself") func values() throws {
        let circle = try RoundedRect(x: 1, y: 2, width: 8, height: 8, radius: 99, corners: .ellipse)
        #expect(circle == (try RoundedRect(x: 1, y: 2, width: 8, height: 8, radius: 4)))
        let ellipse = try RoundedRect(x: 1, y: 2, width: 8, height: 6, corners: .ellipse)
        #expect("\(ellipse)" == "1,2,8,6 ellipse")
        #expect(ellipse.bounds == Rect(x: 1, y: 2, width: 8, height: 6))
        #expect(try RoundedRect(x: 0, y: 0, width: 0, height: 6, corners: .ellipse).coverage(0, 0) == 0)
        let quarter = try ellipse.turned(by: 90)
        #expect(quarter == (try RoundedRect(x: 2, y: 1, width: 6, height: 8, corners: .ellipse)))
    }
}
