import FrostTestSupport
import Testing

@testable import Frost
@testable import FrostCore

/// Tests mosaics and the effect `redact`, on every backend. A mosaic averages the pixels of square cells.
struct MosaicTests {
    private static func oracle(_ image: PixelBuffer, side: Int, region: Rect) -> SampleRows {
        MosaicOracle(side: side).render(SampleRows(image).expanded(to: .rgba), region: region)
    }

    @Test(
        "within the promise of the definition, at any size and place", arguments: Worker.wanted,
        [
            PixelFormat(.rgba), PixelFormat(.rgb), PixelFormat(.greyAlpha, .u16),
            PixelFormat(.bgra, alpha: .premultiplied),
        ])
    func accuracy(_ worker: Worker, _ format: PixelFormat) throws {
        let renderer = try worker.renderer()
        for (side, width, height) in [(1, 9, 7), (2, 1, 1), (4, 37, 2), (8, 61, 43), (32, 61, 43), (256, 61, 43)] {
            let effect = Effect(name: "mosaic", blur: try Mosaic(side: Double(side)))
            let image = try TestImage.make(.uniformNoise, width, height, format)
            for region in [image.layout.extent, Rect(x: -11, y: -3, width: width + 14, height: height + 9)] {
                let expected = Self.oracle(image, side: side, region: region)
                let result = SampleRows(try renderer.renderNow(image, effect, region: region).image).expanded(to: .rgba)
                try expectClose(
                    result, expected, within: .promise(format.sample), "side \(side), \(width)x\(height), \(region)")
            }
            let exact = try renderer.exact(image, effect).expanded(to: .rgba)
            let expected = Self.oracle(image, side: side, region: image.layout.extent)
            #expect(try Comparison(exact, expected).maximum < 1e-9)
            if side == 8 {
                let other = Self.oracle(image, side: 16, region: image.layout.extent)
                #expect(try Comparison(exact, other).maximum > 10)
            }
        }
    }

    @Test("the cells that are shown are the whole ones, or the one with the most pixels")
    func shownCells() throws {
        for side in [1, 4, 8] {
            let mosaic = try Mosaic(side: Double(side))
            for start in -20...20 {
                for count in 1...40 {
                    let pixels = start..<start + count
                    var inside: [Int: Int] = [:]
                    for pixel in pixels { inside[Int((Double(pixel) / Double(side)).rounded(.down)), default: 0] += 1 }
                    let most = inside.values.max() ?? 0
                    let shown = mosaic.cells(in: Rect(columns: pixels, rows: 0..<count))
                    let cells = Set(stride(from: shown.x, to: shown.columns.upperBound, by: side).map { $0 / side })
                    #expect(shown.x % side == 0 && shown.width % side == 0 && shown.y == 0)
                    if most == side {
                        #expect(cells == Set(inside.filter { $0.value == side }.keys), "\(pixels), side \(side)")
                    } else {
                        #expect(cells.count == 1 && cells.allSatisfy { inside[$0] == most }, "\(pixels), side \(side)")
                    }
                }
            }
        }
    }

    @Test("redact leaves one opaque colour per cell, shifted from the mean at random", arguments: Worker.wanted)
    func redact(_ worker: Worker) throws {
        let renderer = try worker.renderer()
        for picture in [Picture.photograph, .softAlpha] {
            let image = try TestImage.make(picture, 150, 90)
            let description = try EffectCatalog.effect("redact")
            var effect = try description.make(["cell": .number(20), "shift": .number(0.2)]).keyed(for: .frames)
            effect.outputStages.dither = nil
            let result = SampleRows(try renderer.renderNow(image, effect).image)
            let means = Self.oracle(image, side: 32, region: image.layout.extent)
            var shifts: [Set<Int>] = [[], [], []]
            var differences: Set<Int> = []
            for y in 0..<90 {
                // Two whole cells fit below each other, and four beside each other.
                let (row, first, mean) = (result[y], result[min(y / 32, 1) * 32], means[y])
                for x in 0..<150 {
                    let (at, start) = (4 * x, 4 * (min(x / 32, 3) * 32))
                    #expect(Array(row[at..<at + 4]) == Array(first[start..<start + 4]), "\(x),\(y)")
                    #expect(row[at + 3] == 1)
                    for c in 0..<3 where mean[at + c] > 0.2 && mean[at + c] < 0.8 {
                        let shift = row[at + c] - mean[at + c]
                        #expect(abs(shift) <= 0.2 + 1.0 / 255)
                        shifts[c].insert(Int((shift * 255).rounded()))
                        if c > 0 { differences.insert(Int((shift - row[at] + mean[at]) * 255)) }
                    }
                }
            }
            // The shifts must differ between cells, and also between the colours of a cell.
            #expect(shifts.allSatisfy { $0.count > 1 } && differences.count > 3, "\(picture): \(shifts)")
            try expectClose(result, renderer.exact(image, effect), within: .promise8, "\(picture)")
        }
    }

    @Test("the cipher is XTEA: a published vector")
    func cipher() {
        // In the published test vector, all bits of the plaintext and of the key are zero.
        #expect(XTEA.encrypt(0, 0, .zero) == (0xDEE9_D4D8, 0xF713_1ED9))
        let scatter = Scatter(amplitude: 1, level: 3, key: .frames(SecretKey(bits: [1, 2, 3, 4])))
        let key = scatter.cipherKey
        let (a, b) = XTEA.encrypt(1, 2, key)
        let value = scatter.value(cellX: 1, cellY: 2, color: .one, key: key)
        #expect(value[0] == (Double(a & 0xFFFF) + 0.5) / 32768 - 1)
        #expect(value[2] == (Double(b & 0xFFFF) + 0.5) / 32768 - 1)
        #expect([-1, 8, -9].map { scatter.cell($0, along: .x) } == [-1, 1, -2])
    }

    /// No number of results reveals more of a cell than one result: with one key, equal cells have equal shifts, in all
    /// calls, and in a still picture other colours have other shifts.
    @Test(
        "redact shows the same sample of the same picture, and another one of another picture", arguments: Worker.wanted
    )
    func secret(_ worker: Worker) throws {
        let renderer = try worker.renderer()
        let image = try TestImage.make(.uniformNoise, 120, 90)
        var other = image
        // Black pixels lower the mean of their cell of 32x32 pixels from about 127 to about 110. It stays above the largest
        // shift of 77: below it a result may be clipped at 0, and its shift could not be read from it.
        let black = try PixelBuffer(layout: PixelLayout(width: 12, height: 12, format: image.format))
        try other.paste(black, at: Rect(x: 40, y: 40, width: 12, height: 12))
        let description = try EffectCatalog.effect("redact")
        var effect = try description.make()
        effect.outputStages.dither = nil
        let rect = try RoundedRect(Rect(x: 0, y: 0, width: 64, height: 64))
        let moved = try RoundedRect(Rect(x: 32, y: 0, width: 64, height: 64))
        let queue = try RenderQueue(renderer)
        func whole(_ image: PixelBuffer, _ effect: Effect) throws -> PixelBuffer {
            try renderer.renderNow(image, effect).image
        }
        /// The largest difference of the shifts of a colour in the cell at 45, 45, in steps. By chance, one shift of 77 steps may
        /// equal another one, but hardly all three.
        func difference(_ a: (PixelBuffer, PixelBuffer), _ b: (PixelBuffer, PixelBuffer)) -> Double {
            func shift(_ pair: (image: PixelBuffer, result: PixelBuffer), _ color: Int) -> Double {
                let means = Self.oracle(pair.image, side: 32, region: pair.image.layout.extent)
                return 255 * (SampleRows(pair.result)[45][4 * 45 + color] - means[45][4 * 45 + color])
            }
            return (0..<3).map { abs(shift(a, $0) - shift(b, $0)) }.max() ?? 0
        }
        let first = try whole(image, effect)
        #expect(try whole(image, effect) == first && queue.submit(image, effect).wait().image == first)
        let changed = try whole(other, effect)
        // The other cells keep their shifts, and the changed one gets a new one.
        #expect(SampleRows(changed)[5] == SampleRows(first)[5])
        #expect(difference((other, changed), (image, first)) > 1.5)
        // In frames, the changed cell keeps its shift: within the rounding of both results.
        let frames = effect.keyed(for: .frames)
        let (one, two) = (try whole(image, frames), try whole(other, frames))
        #expect(difference((image, one), (other, two)) <= 1.1)
        #expect(one != first && two != changed)
        // Rectangles and other keys have shifts of their own.
        let parts = try [rect, rect, moved].map { try renderer.render(image, effect, within: [$0]).image }
        #expect(parts[0] == parts[1])
        #expect(SampleRows(parts[0])[5][4 * 40..<4 * 40 + 3] != SampleRows(parts[2])[5][4 * 40..<4 * 40 + 3])
        #expect(try whole(image, effect.keyed(by: SecretKey(), for: .pictures)) != first)
        let known = try description.make(["seed": .number(3)])
        #expect(known.keyed(for: .pictures) == known && effect.keyed(for: .pictures) == effect.keyed(for: .pictures))
    }

    @Test("the parameters of redact make equal effects, and wrong ones are refused")
    func parameters() throws {
        let description = try EffectCatalog.effect("redact")
        #expect(try description.make() == description.make())
        #expect(try description.make(["seed": .number(3)]) == description.make(["seed": .number(3)]))
        #expect(throws: ParameterError.self) { try description.make(["seed": .number(0.5)]) }
        #expect(throws: ParameterError.self) { try description.make(["cell": .number(2000)]) }
        for side in [0, -1, .nan, 1025] as [Double] {
            #expect(throws: ParameterError.self) { try Mosaic(side: side) }
        }
        #expect(try Mosaic(side: 33).side == 64 && Mosaic(side: 64).side == 64 && Mosaic(side: 1).side == 1)
    }

    @Test(
        "in a rectangle the cells begin at its corner, and no cell is narrower than its side", arguments: Worker.wanted)
    func rectangles(_ worker: Worker) throws {
        let renderer = try worker.renderer()
        let image = try TestImage.make(.uniformNoise, 120, 90)
        let effect = Effect(name: "mosaic", blur: try Mosaic(side: 16))
        for (rect, isBounded) in [
            (Rect(x: 7, y: 5, width: 70, height: 49), false), (Rect(x: 7, y: 5, width: 70, height: 49), true),
            (Rect(x: 30, y: 40, width: 9, height: 16), false), (Rect(x: 101, y: 70, width: 32, height: 32), false),
        ] {
            let inside = try #require(rect.intersection(image.layout.extent))
            let within = [try RoundedRect(inside)]
            let result = try renderer.render(image, effect, within: within, isBounded: isBounded).image
            let rows = SampleRows(result)
            let exact = try renderer.exact(image, effect, within: within, isBounded: isBounded, mask: nil)
            try expectClose(rows, exact, within: .promise(image.format.sample), "\(rect)")
            // All pixels of a cell have the colour of its first pixel. If pixels remain at the end of a row or a column,
            // they belong to the last cell.
            func start(_ offset: Int, _ length: Int) -> Int { min(offset / 16, max(length / 16 - 1, 0)) * 16 }
            for y in inside.rows {
                let (row, first) = (rows[y], rows[inside.y + start(y - inside.y, inside.height)])
                for x in inside.columns {
                    let from = inside.x + start(x - inside.x, inside.width)
                    #expect(Array(row[4 * x..<4 * x + 4]) == Array(first[4 * from..<4 * from + 4]), "\(x),\(y)")
                }
            }
            // If cells began at multiples of 16 from the image's corner, the result would be different.
            let other = SampleRows(try renderer.renderNow(image, effect).image)
            #expect(other[inside.y] != rows[inside.y])
        }
    }
}
