@testable import Frost
import FrostCore
import FrostTestSupport
import Testing

/// Tests effects that are seen through a lens along the edge of a shape.
struct LensTests {
    private static func glass(_ values: String = "", name: String = "glass") throws -> Effect {
        var effect = try EffectCatalog.effect(name).make(parsing: values)
        effect.outputStages.dither = nil
        return effect
    }

    /// Returns a random effect with a lens, clipped to its shape.
    private static func random(_ generator: inout SeededGenerator, width: Double, height: Double) throws -> Effect {
        func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &generator) }
        let profile = Lens.Profile.allCases.randomElement(using: &generator) ?? .soft
        var effect = try glass(
            "radius=\(number(0.5...9)) band=\(number(1...30)) thickness=\(number(0...60)) refraction=\(number(-1...1.2)) "
                + "profile=\(profile.rawValue) dispersion=\(Bool.random(using: &generator) ? 0 : number(0...0.4)) "
                + "saturation=\(number(0.5...2)) white-point=\(number(-1...1)) rim=\(number(0...1)) rim-width=\(number(0...4)) "
                + "rim-angle=\(number(-180...180)) rim-sharpness=\(number(0...8)) shade=\(number(0...0.6)) "
                + "shade-width=\(number(0...20))")
        let curves: [CornerCurve] = [
            .circular, .continuous(smoothing: number(0.1...1)), .superellipse(exponent: number(1.5...8)),
        ]
        let corners = curves.randomElement(using: &generator) ?? .circular
        let size = SIMD2(number(12...width), number(12...height))
        let isWhole = Bool.random(using: &generator)
        func place(_ value: Double) -> Double { isWhole ? value.rounded() : value }
        let (w, h) = (place(size.x), place(size.y))
        let shape = try RoundedRect(
            x: place(number(-6...width - w + 6)), y: place(number(-6...height - h + 6)), width: w, height: h,
            radius: number(0...1) * corners.maximumRadius(width: w, height: h), corners: corners)
        let turns = Int.random(in: 0..<3, using: &generator) == 0
        effect.outputStages.clip = [turns ? try shape.turned(by: number(-180...180)) : shape]
        return effect
    }

    /// After a filter, a channel at full scale may be above it by its rounding. The 16-bit arithmetic of the vivid stage once wrapped
    /// there, and wrote 0 for 255.
    @Test("flat saturated colours are within the promise of the exact effect", arguments: Worker.wanted)
    func saturated(worker: Worker) throws {
        let renderer = try worker.renderer()
        let colors: [SIMD3<Double>] = [
            SIMD3(255, 200, 100), SIMD3(255, 255, 200), SIMD3(0, 255, 40), SIMD3(30, 0, 255), SIMD3(255, 254, 0),
            SIMD3(255, 255, 255), SIMD3(0, 0, 0),
        ]
        for name in ["glass", "glass-clear"] {
            for values in ["", "radius=3", "radius=5 saturation=1.2", "radius=10 saturation=2"] {
                let effect = try Self.glass(values, name: name)
                for color in colors {
                    let image = try TestImage.make(40, 32, PixelFormat(.rgb)) { _, _, c in color[c] / 255 }
                    try expectClose(
                        SampleRows(renderer.renderNow(image, effect).image), renderer.exact(image, effect),
                        within: .promise8, "\(name) \(values) on \(color)")
                }
            }
        }
    }

    @Test("random glass is within the promise of the exact effect", arguments: Worker.wanted)
    func accuracy(worker: Worker) throws {
        let renderer = try worker.renderer()
        var generator = SeededGenerator(seed: 50)
        let formats: [PixelFormat] = [
            PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgba), PixelFormat(.rgb), PixelFormat(.grey),
            PixelFormat(.bgra), PixelFormat(.rgba, .u16), PixelFormat(.rgb, .f32), PixelFormat(.greyAlpha),
        ]
        for index in 0..<(TestCases.every ? 256 : 64) {
            let effect = try Self.random(&generator, width: 90, height: 70)
            let format = formats[index % formats.count]
            let pattern: Picture = [.photograph, .uniformNoise, .softAlpha, .screenshot][index / 8 % 4]
            let picture = try TestImage.make(pattern, 90, 70, format)
            let wanted = try renderer.exact(picture, effect)
            let found = try renderer.renderNow(picture, effect).image
            let tolerance = Tolerance.promise(format.sample)
            let worst = try Comparison(SampleRows(found), wanted)
            #expect(
                worst.maximum <= tolerance.steps, "\(index), \(format): \(worst), \(effect.outputStages)")
        }
    }

    /// On a pixel centre at the edge of a shape without a radius, the equation of the distance has no slope.
    @Test("sides on pixel centres have the lens and the rim of sides beside them", arguments: Worker.wanted)
    func sidesOnCentres(worker: Worker) throws {
        let renderer = try worker.renderer()
        let picture = try TestImage.make(.photograph, 90, 70, PixelFormat(.rgba))
        func result(_ x: Double, _ y: Double, turn: Double = 0) throws -> SampleRows {
            var effect = try Self.glass("radius=3 band=14 rim=1 rim-width=3 rim-sharpness=0")
            let shape = try RoundedRect(x: x, y: y, width: 60, height: 48)
            effect.outputStages.clip = [turn == 0 ? shape : try shape.turned(by: turn)]
            let found = SampleRows(try renderer.renderNow(picture, effect).image)
            try expectClose(found, renderer.exact(picture, effect), within: .promise8, "\(x), \(y), \(turn)")
            return found
        }
        _ = try result(9.5, 7.5, turn: 90)
        let (on, beside) = (try result(9.5, 7.5), try result(9.49, 7.49))
        // Half of these pixels is covered. A pixel without the rim would differ by half of the rim's light.
        for (x, y) in [(9, 30), (69, 30), (40, 7), (40, 55), (9, 7), (69, 55)] {
            for c in 0..<3 { #expect(255 * abs(on[y][4 * x + c] - beside[y][4 * x + c]) < 4, "\(x), \(y)") }
        }
    }

    @Test("a refraction of 0 is the effect without a lens, to the bit", arguments: Worker.wanted)
    func none(worker: Worker) throws {
        let renderer = try worker.renderer()
        let picture = try TestImage.make(.photograph, 80, 60, PixelFormat(.rgba))
        for values in ["refraction=0", "band=0", "thickness=0"] {
            let effect = try Self.glass(values)
            #expect(effect.outputStages.lens == nil)
            var plain = Effect(try GaussianBlur(sigma: 10, edge: .mirror))
            (plain.outputStages.inside, plain.outputStages.edge) = (
                effect.outputStages.inside, effect.outputStages.edge
            )
            #expect(
                try renderer.renderNow(picture, effect).image.bytes == renderer.renderNow(picture, plain).image.bytes)
        }
        let strong = try Self.glass("radius=3")
        #expect(try strong.weakened(to: 0).outputStages.lens == nil)
        let half = try #require(try strong.weakened(to: 0.5).outputStages.lens)
        #expect(abs(half.depth - 16.8) < 1e-9)
    }

    @Test("a symmetric shape over a symmetric picture gives a symmetric result", arguments: Worker.wanted)
    func symmetry(worker: Worker) throws {
        let renderer = try worker.renderer()
        let half = try TestImage.make(.uniformNoise, 40, 33, PixelFormat(.rgba))
        let picture = try TestImage.make(80, 66, PixelFormat(.rgba)) { x, y, c in
            SampleRows(half)[min(y, 65 - y)][4 * min(x, 79 - x) + c]
        }
        for radius in [0, 6, 25] {
            // The light of the rim comes from two of the corners, and the shadow falls downwards.
            var effect = try Self.glass("radius=2 band=14 rim=0 shadow-offset=0")
            effect.outputStages.clip = [
                try RoundedRect(x: 5, y: 4.5, width: 70, height: 57, radius: Double(radius))
            ]
            let rows = SampleRows(try renderer.renderNow(picture, effect).image)
            for y in 0..<33 {
                let (top, bottom) = (rows[y], rows[65 - y])
                for x in 0..<80 {
                    for c in 0..<4 {
                        let values = [
                            top[4 * x + c], top[4 * (79 - x) + c], bottom[4 * x + c], bottom[4 * (79 - x) + c],
                        ]
                        // Filters round differently in the two directions, so a value may fall on either side of a half.
                        let (low, high) = (values.min() ?? 0, values.max() ?? 0)
                        #expect((high - low) * 255 <= 1.001, "\(radius): \(x), \(y)")
                    }
                }
            }
        }
    }

    @Test("regions show the whole picture's pixels, and nothing changes outside the shape", arguments: Worker.wanted)
    func regions(worker: Worker) throws {
        let renderer = try worker.renderer()
        let picture = try TestImage.make(.photograph, 100, 80, PixelFormat(.rgba, alpha: .premultiplied))
        var generator = SeededGenerator(seed: 51)
        for index in 0..<(TestCases.every ? 96 : 24) {
            var effect = try Self.random(&generator, width: 100, height: 80)
            effect.outputStages.shadow = nil
            let whole = try renderer.renderNow(picture, effect).image
            let (x, y) = (Int.random(in: 0..<60, using: &generator), Int.random(in: 0..<50, using: &generator))
            let region = Rect(
                x: x, y: y, width: Int.random(in: 1...100 - x, using: &generator),
                height: Int.random(in: 1...80 - y, using: &generator))
            let part = try renderer.renderNow(picture, effect, region: region).image
            #expect(try part.bytes == whole.cropped(to: region).bytes, "\(index): \(region)")
            let shape = try #require(effect.outputStages.clip.first)
            for row in 0..<80 {
                for column in 0..<100 where shape.coverage(column, row) == 0 {
                    let at = 4 * (100 * row + column)
                    #expect(whole.bytes[at..<at + 4] == picture.bytes[at..<at + 4])
                }
            }
        }
    }

    /// The last interpolation writes these pixels itself; see `PlainPixels`. The comparator is the band, which does change.
    @Test(
        "pixels that no lens, light or border reaches have the bytes of the effect without a lens", arguments: [1, 3])
    func plainPixels(threads: Int) throws {
        let renderer = try Renderer(backend: .cpu, threads: threads)
        for (index, format) in [
            PixelFormat(.rgba, alpha: .premultiplied), PixelFormat(.rgb), PixelFormat(.rgba),
            PixelFormat(.rgba, alpha: .premultiplied),
        ].enumerated() {
            let pattern: Picture = index == 3 ? .softAlpha : .photograph
            let picture = try TestImage.make(pattern, 391, 307, format)
            for (band, shape) in [
                (20.0, nil), (12, try RoundedRect(x: 10, y: 7, width: 361, height: 290, radius: 40)),
                (
                    28,
                    try RoundedRect(
                        x: 12.3, y: -20.5, width: 300.2, height: 260, radius: 11, corners: .continuous(smoothing: 0.6))
                ),
            ] {
                var effect = try Self.glass("band=\(band) radius=4" + (index == 1 ? " rim=0 shade=0" : ""))
                if index % 2 == 0 { effect.outputStages.dither = Dither(seed: 4) }
                effect.outputStages.clip = shape.map { [$0] } ?? []
                var plain = effect
                (plain.outputStages.lens, plain.outputStages.edge, plain.outputStages.clip) = (nil, nil, [])
                let (found, wanted) = try (
                    renderer.renderNow(picture, effect).image, renderer.renderNow(picture, plain).image
                )
                let field = ShapeField(band: band, along: try shape ?? RoundedRect(picture.layout.extent))
                let size = format.bytesPerPixel
                var (same, changed) = (0, 0)
                for y in 0..<307 {
                    for x in 0..<391 {
                        let at = size * (391 * y + x)
                        let isEqual = found.bytes[at..<at + size] == wanted.bytes[at..<at + size]
                        if field.distance(SIMD2(Double(x) + 0.5, Double(y) + 0.5)).depth < band + 1 {
                            if !isEqual { changed += 1 }
                            continue
                        }
                        #expect(isEqual, "\(format), \(band): \(x), \(y)")
                        same += 1
                    }
                }
                #expect(same > 30_000 && changed > 3000, "\(same), \(changed)")
                // A part has the same bytes.
                let region = Rect(x: 31, y: 3, width: 303, height: 250)
                #expect(
                    try renderer.renderNow(picture, effect, region: region).image.bytes
                        == found.cropped(to: region).bytes)
                let worst = try Comparison(SampleRows(found), renderer.exact(picture, effect))
                #expect(worst.maximum <= Tolerance.promise(format.sample).steps, "\(format), \(band): \(worst)")
            }
        }
    }

    @Test("a change reaches no further than the damage that the plan states")
    func damage() throws {
        let renderer = try Renderer(backend: .cpu, threads: 1)
        var generator = SeededGenerator(seed: 52)
        let picture = try TestImage.make(.photograph, 120, 90, PixelFormat(.rgba))
        for _ in 0..<(TestCases.every ? 96 : 24) {
            let effect = try Self.random(&generator, width: 120, height: 90)
            let changed = Rect(
                x: Int.random(in: 0..<118, using: &generator), y: Int.random(in: 0..<88, using: &generator), width: 2,
                height: 2)
            let other = try TestImage.make(120, 90, PixelFormat(.rgba)) { x, y, c in
                let value = SampleRows(picture)[y][4 * x + c]
                return changed.columns.contains(x) && changed.rows.contains(y) && c < 3 ? 1 - value : value
            }
            let plan = try effect.plan(extent: picture.layout.extent)
            let affected = plan.affected(by: changed)
            let expansion = try effect.damageExpansion(extent: picture.layout.extent)
            let (before, after) = try (
                renderer.renderNow(picture, effect).image, renderer.renderNow(other, effect).image
            )
            for y in 0..<90 {
                for x in 0..<120 where !affected.contains(x: x, y: y) {
                    let at = 4 * (120 * y + x)
                    #expect(before.bytes[at..<at + 4] == after.bytes[at..<at + 4], "\(changed) at \(x),\(y)")
                }
            }
            let grown = Rect(
                x: changed.x - expansion.x, y: changed.y - expansion.y, width: 2 + 2 * expansion.x,
                height: 2 + 2 * expansion.y)
            #expect(affected.rects.allSatisfy { grown.contains($0) })
        }
    }

    @Test("a lens needs a blur that consists of passes, and the error says so")
    func refusals() throws {
        let extent = Rect(x: 0, y: 0, width: 40, height: 30)
        for name in ["disc", "zoom", "motion"] {
            var effect = try EffectCatalog.effect(name).make()
            effect.outputStages.lens = try Lens(band: 10, depth: 5)
            let error = #expect(throws: ParameterError.self) { try effect.plan(extent: extent) }
            #expect("\(try #require(error))".contains("Gaussian or box"))
        }
        // Any other effect can have a lens.
        var light = try EffectCatalog.effect("light").make()
        light.outputStages.lens = try Lens(band: 10, depth: 5)
        #expect(try light.plan(extent: extent).description.contains("lens along a shape, band 10, depth 5, soft"))
    }
}
