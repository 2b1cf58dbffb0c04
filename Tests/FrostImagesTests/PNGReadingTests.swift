import FrostCore
import FrostImages
import FrostTestSupport
import Testing

/// Reads every kind of PNG and compares the pixels with expected values that were computed without libpng.
@Suite struct PNGReadingTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        var colorType: Int
        var bitDepth: Int
        var isInterlaced: Bool
        var hasTransparency: Bool

        var testDescription: String {
            "type \(colorType), \(bitDepth) bits\(isInterlaced ? ", interlaced" : "")\(hasTransparency ? ", tRNS" : "")"
        }

        /// All combinations of colour type and bit depth that PNG allows, with and without tRNS. tRNS occurs only in colour
        /// types without an alpha channel.
        static let all: [Kind] = {
            let depths = [0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]]
            var kinds: [Kind] = []
            for (type, depths) in depths.sorted(by: { $0.key < $1.key }) {
                for depth in depths {
                    for isInterlaced in [false, true] {
                        for hasTransparency in type < 4 ? [false, true] : [false] {
                            kinds.append(
                                Kind(
                                    colorType: type, bitDepth: depth, isInterlaced: isInterlaced,
                                    hasTransparency: hasTransparency))
                        }
                    }
                }
            }
            return kinds
        }()
    }

    /// Returns a PNG file of noise, and the samples that a reader must return for this file.
    static func example(_ kind: Kind, width: Int, height: Int) -> (file: TestPNG, expected: [Int], ChannelLayout) {
        var random = SeededGenerator(seed: UInt64(kind.colorType * 100 + kind.bitDepth + width))
        let channels = TestPNG.channels(kind.colorType)
        let maximum = 1 << kind.bitDepth
        var file = TestPNG(
            width: width, height: height, colorType: kind.colorType, bitDepth: kind.bitDepth,
            isInterlaced: kind.isInterlaced,
            samples: (0..<width * height * channels).map { _ in Int.random(in: 0..<maximum, using: &random) })
        let pixels = stride(from: 0, to: file.samples.count, by: channels).map {
            Array(file.samples[$0..<$0 + channels])
        }
        if kind.colorType == 3 {
            file.palette = (0..<maximum).map { _ in (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) } }
            // tRNS has fewer entries than the palette, so the other colours of the palette are opaque.
            let alphas = (0..<(maximum + 1) / 2).map { _ in UInt8.random(in: 0...255, using: &random) }
            if kind.hasTransparency { file.transparency = alphas }
            let expected = pixels.flatMap { pixel -> [Int] in
                let color = file.palette[pixel[0]].map { Int($0) }
                if !kind.hasTransparency { return color }
                return color + [pixel[0] < alphas.count ? Int(alphas[pixel[0]]) : 255]
            }
            return (file, expected, kind.hasTransparency ? .rgba : .rgb)
        }
        let full = kind.bitDepth == 16 ? 65535 : 255
        // tRNS declares the first pixel's colour to be transparent.
        let clear = pixels[0]
        if kind.hasTransparency { file.transparency = clear.flatMap { bigEndian($0, 2) } }
        let expected = pixels.flatMap { pixel -> [Int] in
            let color = pixel.map { $0 * full / (maximum - 1) }
            return kind.hasTransparency ? color + [pixel == clear ? 0 : full] : color
        }
        let layout: [ChannelLayout] =
            kind.hasTransparency
            ? [.greyAlpha, .grey, .rgba, .rgb, .greyAlpha, .grey, .rgba]
            : [.grey, .grey, .rgb, .rgb, .greyAlpha, .grey, .rgba]
        return (file, expected, layout[kind.colorType])
    }

    @Test("The alpha of a palette counts, even if it precedes the palette")
    func earlyAlpha() throws {
        var (file, expected, _) = Self.example(
            Kind(colorType: 3, bitDepth: 8, isInterlaced: false, hasTransparency: true), width: 9, height: 7)
        file.extra = [("tRNS", file.transparency ?? [])]
        file.transparency = nil
        let pixels = try ImageFile.read(bytes: file.encoded(), name: "x").pixels
        #expect(pixels.format.channels == .rgba && samples(of: pixels) == expected)
        // More entries than the palette has are a fault of the chunk, which is then ignored.
        file.extra = [("tRNS", [UInt8](repeating: 0, count: 300))]
        #expect(try ImageFile.read(bytes: file.encoded(), name: "x").pixels.format.channels == .rgb)
    }

    @Test("Every colour type and depth reads as the pixels it was made of", arguments: Kind.all)
    func everyKind(_ kind: Kind) throws {
        for (width, height) in [(1, 1), (3, 2), (13, 11), (33, 9)] {
            let (file, expected, channels) = Self.example(kind, width: width, height: height)
            let image = try PNG.read(bytes: file.encoded(), name: "test")
            #expect(image.pixels.format == PixelFormat(channels, kind.bitDepth == 16 ? .u16 : .u8))
            #expect(image.pixels.width == width && image.pixels.height == height)
            #expect(samples(of: image.pixels) == expected)
            #expect(image.metadata == ImageMetadata())
        }
    }

    @Test("Row by row reads the same as at once, interlaced or not", arguments: Kind.all)
    func rowByRowEqualsAtOnce(_ kind: Kind) throws {
        let bytes = Self.example(kind, width: 13, height: 11).file.encoded()
        let whole = try PNG.read(bytes: bytes, name: "test").pixels
        var reader = try ImageReader(bytes: bytes, name: "test")
        #expect(reader.layout == whole.layout)
        #expect((bytes[28] == 1) == kind.isInterlaced)
        var row = [UInt8](repeating: 0, count: reader.layout.rowByteCount)
        var all: [UInt8] = []
        while reader.rowsRead < reader.layout.height {
            var bytes = row.mutableSpan
            var span = unsafe bytes.mutableBytes
            try reader.readRow(into: &span)
            all += row
        }
        #expect(all == whole.bytes)
    }

    @Test("Code points count before all other descriptions of the colours, unless they leave the colours unspecified")
    func codePoints() throws {
        let kind = Kind(colorType: 2, bitDepth: 8, isInterlaced: false, hasTransparency: false)
        func read(_ chunks: [(String, [UInt8])]) throws -> ImageMetadata {
            var (file, _, _) = Self.example(kind, width: 3, height: 2)
            file.extra = chunks
            return try PNG.read(bytes: file.encoded(), name: "x").metadata
        }
        let corners = [31270, 32900, 70800, 29200, 17000, 79700, 13100, 4600].flatMap { bigEndian($0, 4) }
        let profile = Array("Test\0\0".utf8) + zlibStored(TestProfile.bytes())
        let others: [[(String, [UInt8])]] = [
            [("sRGB", [1])], [("gAMA", bigEndian(100_000, 4)), ("cHRM", corners)], [("iCCP", profile)],
        ]
        var (pq, linear, sRGB) = (ImageMetadata(), ImageMetadata(), ImageMetadata())
        pq.codePoints = CodePoints(primaries: 9, transfer: 16)
        linear.codePoints = CodePoints(primaries: 1, transfer: 8)
        sRGB.renderingIntent = .perceptual
        #expect(linear.colorSpace == .linear)
        for other in others {
            let alone = try read(other)
            #expect(alone != ImageMetadata())
            #expect(try read([("cICP", [9, 16, 0, 1])] + other) == pq)
            #expect(try read([("cICP", [1, 8, 0, 1])] + other) == linear)
            #expect(try read(other + [("cICP", [1, 13, 0, 1])]) == sRGB)
            #expect(try read(other + [("cICP", [2, 2, 0, 1])]) == alone)
            // Other formats can hold the profile, but not the code points.
            let displayP3 = try read(other + [("cICP", [12, 13, 0, 1])])
            #expect(displayP3.codePoints == CodePoints(primaries: 12, transfer: 13))
            #expect(displayP3.iccProfile == alone.iccProfile && displayP3.gamma == nil)
            #expect(try read(other + [("cICP", [9, 16, 1, 1])]) == alone)
        }
    }

    @Test("A file and a descriptor read as the same bytes in memory do; what follows IEND does not matter")
    func sources() throws {
        let scratch = try Scratch()
        let (file, expected, _) = Self.example(Kind.all[20], width: 300, height: 200)
        let path = scratch.write(file.encoded() + [1, 2, 3], to: "a.png")
        #expect(try samples(of: PNG.read(path: path).pixels) == expected)
        var pipe = Pipe()
        pipe.feed(file.encoded())
        #expect(try samples(of: PNG.read(descriptor: pipe.reading, name: "standard input").pixels) == expected)
        pipe.finish()
    }

    @Test("Chunks that are not kept are skipped, however odd they are")
    func otherChunks() throws {
        var (file, expected, _) = Self.example(Kind.all[0], width: 5, height: 5)
        let text = Array("Comment\0".utf8) + [UInt8](repeating: 65, count: 100_000)
        file.extra = [
            ("tEXt", text), ("zTXt", Array("a\0\0".utf8) + [1, 2, 3]), ("acTL", bigEndian(1, 4) + bigEndian(0, 4)),
            ("eXIf", [9]), ("prVt", text), ("tIME", [0]), ("sPLT", [1]),
        ]
        #expect(try samples(of: PNG.read(bytes: file.encoded(), name: "test").pixels) == expected)
    }
}
