import FrostCore
import FrostImages
import FrostTestSupport
import Testing

/// Tests the reader of BMP with files of another encoder. Each kind of pixels has the colours that the format states.
@Suite struct BMPTests {
    private func read(_ file: TestBMP, _ failOn: FailOn = .error) throws -> DecodedImage {
        try ImageFile.read(bytes: file.bytes, name: "x", options: ImageReadOptions(failOn: failOn))
    }

    /// Blue, green and red of five colours.
    private static let palette: [[UInt8]] = [[0, 0, 255], [0, 255, 0], [255, 0, 0], [9, 8, 7], [1, 2, 3]]

    @Test("Indices of every size are read, from the bottom or the top", arguments: [1, 2, 4, 8], [12, 40, 64, 124])
    func indices(_ bits: Int, _ header: Int) throws {
        let (width, height) = (9, 3)
        let values = (0..<width * height).map { ($0 * 7 + $0 / width) % min(1 << bits, 5) }
        let rows = (0..<height).map { y in
            var row = [UInt8](repeating: 0, count: (width * bits + 7) / 8)
            for x in 0..<width { row[x * bits / 8] |= UInt8(values[y * width + x] << (8 - bits - x * bits % 8)) }
            return row
        }
        // Headers of 12 bytes state no number of colours: all that the bits allow are there.
        let colors = header == 12 ? (0..<1 << bits).map { Self.palette[$0 % 5] } : Array(Self.palette.prefix(1 << bits))
        let expected = values.flatMap { Self.palette[$0].reversed() }.map { Int($0) }
        for isTopDown in header == 12 ? [false] : [false, true] {
            let stored = isTopDown ? rows : rows.reversed()
            let file = TestBMP(
                width: width, height: height, bits: bits, header: header, isTopDown: isTopDown, palette: colors,
                pixels: TestBMP.rows(stored))
            let image = try read(file)
            #expect(image.pixels.format.channels == .rgb)
            #expect(samples(of: image.pixels) == expected)
        }
    }

    @Test("A palette of greys gives grey pixels")
    func grey() throws {
        let file = TestBMP(
            width: 2, height: 1, bits: 1, palette: [[3, 3, 3], [200, 200, 200]], pixels: TestBMP.rows([[0x40]]))
        let image = try read(file)
        #expect(image.pixels.format.channels == .grey)
        #expect(samples(of: image.pixels) == [3, 200])
        #expect(image.metadata.pixelDensity == PixelDensity(x: 2835, y: 2835, unit: .perMetre))
    }

    static let masks: [(Int, Int, [Int], [UInt8], [Int])] = [
        // Without masks: five bits each, three bytes, and four bytes of which the last means nothing.
        (16, 0, [], [0x1F, 0x7C], [255, 0, 255]), (24, 0, [], [1, 2, 3], [3, 2, 1]),
        (32, 0, [], [1, 2, 3, 77], [3, 2, 1]),
        // Five, six and five bits: 17 of 31 is 140 of 255, and 33 of 63 is 134.
        (16, 3, [0xF800, 0x7E0, 0x1F], [0x20, 0x8C], [140, 134, 0]),
        // Alpha, from four bits and from eight.
        (16, 6, [0xF00, 0xF0, 0xF, 0xF000], [0x21, 0x83], [51, 34, 17, 136]),
        (32, 6, [0xFF, 0xFF00, 0xFF0000, 0xFF00_0000], [1, 2, 3, 4], [1, 2, 3, 4]),
        // Ten bits become 16, and two bits of alpha as well: 1023 of 1023, 512 of 1023, none, and 2 of 3.
        (32, 6, [0x3FF0_0000, 0xFFC00, 0x3FF, 0xC000_0000], [0, 0, 0xF8, 0xBF], [65535, 32800, 0, 43690]),
        // A mask of no bits gives zero, and an alpha of no bits none.
        (32, 6, [0xFFFF_0000, 0xFF00, 0, 0], [1, 2, 0x34, 0x12], [0x1234, 0x202, 0]),
    ]

    @Test("Samples are the bits of their masks, and are scaled to 8 or 16 bits", arguments: masks)
    func samplesOfMasks(_ bits: Int, _ compression: Int, _ masks: [Int], _ pixel: [UInt8], _ expected: [Int]) throws {
        let file = TestBMP(
            width: 1, height: 2, bits: bits, compression: compression, masks: masks,
            pixels: TestBMP.rows([pixel, [UInt8](repeating: 0, count: pixel.count)]))
        let image = try read(file)
        #expect(image.pixels.format.channels == (expected.count == 4 ? .rgba : .rgb))
        #expect(samples(of: image.pixels) == [Int](repeating: 0, count: expected.count) + expected)
        // Longer headers contain the masks.
        guard !masks.isEmpty else { return }
        var longer = file
        longer.header = masks.count == 4 ? 108 : 52
        longer.compression = 3
        #expect(try read(longer).pixels == image.pixels)
    }

    @Test("Runs are repeated, given one by one, and left out")
    func runs() throws {
        let eight: [UInt8] = [3, 1, 0, 3, 2, 3, 4, 0, 0, 0, 1, 4, 0, 2, 2, 1, 2, 2, 0, 1]
        // From the bottom: 1 1 1 2 3 4, then 4 and five that are left out, then, after two more, 2 2 in the third row.
        let expected = [[0, 0, 0, 2, 2, 0], [4, 0, 0, 0, 0, 0], [1, 1, 1, 2, 3, 4]].joined()
        var file = TestBMP(width: 6, height: 3, bits: 8, compression: 1, palette: Self.palette, pixels: eight)
        func colors(_ indices: some Sequence<Int>) -> [Int] {
            indices.flatMap { Self.palette[$0].reversed().map { Int($0) } }
        }
        #expect(try samples(of: read(file).pixels) == colors(expected))
        let four: [UInt8] = [3, 0x12, 0, 3, 0x34, 0x10, 0, 0, 1, 0x40, 0, 2, 2, 1, 2, 0x22, 0, 1]
        (file.bits, file.compression, file.pixels) = (4, 2, four)
        let other = [[0, 0, 0, 2, 2, 0], [4, 0, 0, 0, 0, 0], [1, 2, 1, 3, 4, 1]].joined()
        #expect(try samples(of: read(file).pixels) == colors(other))
    }

    @Test("Of a truncated file, all rows that it has are read if that is asked for")
    func truncated() throws {
        let rows = (0..<200).map { y in (0..<300).map { UInt8(truncatingIfNeeded: y * 3 + $0) } }
        var file = TestBMP(width: 100, height: 200, bits: 24, pixels: TestBMP.rows(rows.reversed()))
        let whole = try read(file).pixels
        file.pixels.removeLast(300 * 40 + 151)
        #expect(imageError { _ = try read(file) }?.kind == .unreadable)
        let cut = try read(file, .none).pixels
        // The rows at the top are the last ones of the file. Of row 40, the first 49 pixels are there.
        #expect(cut.bytes[..<(300 * 40)].allSatisfy { $0 == 128 })
        #expect(cut.bytes[(300 * 40)..<(300 * 40 + 147)] == whole.bytes[(300 * 40)..<(300 * 40 + 147)])
        #expect(cut.bytes[(300 * 40 + 147)..<(300 * 41)].allSatisfy { $0 == 128 })
        #expect(cut.bytes[(300 * 41)...] == whole.bytes[(300 * 41)...])
    }

    static let refused: [(String, TestBMP, String)] = [
        ("no rows", TestBMP(width: 1, height: 0, bits: 24, pixels: []), "invalid size 1x0"),
        ("bits", TestBMP(width: 1, height: 1, bits: 48, pixels: [0, 0, 0, 0]), "invalid number of bits 48"),
        (
            "masks", TestBMP(width: 1, height: 1, bits: 32, compression: 3, masks: [5, 8, 16], pixels: [0, 0, 0, 0]),
            "invalid masks 0x5, 0x8, 0x10"
        ),
        (
            "JPEG", TestBMP(width: 1, height: 1, bits: 0x18, compression: 4, pixels: [0, 0, 0, 0]),
            "unsupported BMP: it contains a JPEG"
        ),
        (
            "index", TestBMP(width: 1, height: 1, bits: 8, palette: palette, pixels: [5, 0, 0, 0]),
            "colour 5 is not in its palette of 5"
        ),
        (
            "run", TestBMP(width: 4, height: 1, bits: 8, compression: 1, palette: palette, pixels: [5, 0, 0, 1]),
            "a run ends outside of its row"
        ),
        (
            "end", TestBMP(width: 4, height: 2, bits: 8, compression: 1, palette: palette, pixels: [4, 0, 0, 0]),
            "the file ends early"
        ),
        (
            "short", TestBMP(width: 4, height: 2, bits: 24, pixels: [4, 0, 0, 0]),
            "the file is too short for 4x2 pixels"
        ),
    ]

    @Test("A faulty or unsupported file is refused with the reason", arguments: refused)
    func faults(_ name: String, _ file: TestBMP, _ reason: String) {
        let error = imageError { _ = try read(file) }
        #expect(error?.kind == .unreadable)
        #expect(error?.description.contains(reason) == true, "\(name): \(error?.description ?? "read")")
    }

    @Test("The profile that a file contains is kept, and one that it only names is left out")
    func profiles() throws {
        let profile = TestProfile.bytes()
        var file = TestBMP(
            width: 1, height: 1, bits: 24, header: 124, space: 0x4D42_4544, profile: profile, pixels: [1, 2, 3, 0])
        #expect(try read(file).metadata.iccProfile?.bytes == profile)
        file.space = 0x7352_4742
        #expect(try read(file).metadata.colorSpace == .sRGB)
        file.space = 0x4C49_4E4B
        let problems = ReadProblems()
        let image = try ImageReader(bytes: file.bytes, name: "x", problems: problems).readImage()
        #expect(image.metadata.iccProfile == nil)
        #expect(problems.leftOut == ["the name of a file with an ICC profile"])
    }

    @Test("Frost does not write BMP, and a result without a stated format becomes a PNG")
    func writing() throws {
        let image = DecodedImage(pixels: try TestImage.noise(5, 4, PixelFormat(.rgb)))
        #expect(imageError { _ = try ImageFile.encode(image, as: .bmp) }?.kind == .unwritable)
        #expect(ImageFormat(suffixOf: "a.bmp") == nil && ImageFormat(named: "bmp") == nil)
        #expect(ImageFormat.bmp.ofResult == .png && ImageFormat.jpeg.ofResult == .jpeg)
    }
}
