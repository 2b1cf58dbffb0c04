#if HEIC
    import FrostCore
    import FrostTestSupport
    import Testing

    @testable import FrostImages

    /// Tests the reader of HEIC with files that heif-enc and libheif wrote. Their pixels are ramps: red rises by 10 along x,
    /// green by 15 along y, blue is 128, and alpha rises by 11 along x.
    @Suite(.enabled(if: (try? HEICLibrary.functions.get()) != nil, "libheif is not installed"))
    struct HEICTests {
        private static let (width, height) = (24, 16)

        private func file(_ name: String) -> [UInt8] {
            let parts = #filePath.split(separator: "/").dropLast(2)
            let path = "/" + parts.joined(separator: "/") + "/fuzz/heic/\(name)"
            return (try? ByteSource(path: FilePath(path)).readAll(atMost: 1 << 20)) ?? []
        }

        private func read(_ name: String, _ options: ImageReadOptions = ImageReadOptions()) throws -> DecodedImage {
            try ImageFile.read(bytes: file(name), name: name, options: options)
        }

        /// The largest difference between the samples of a picture and the numbers that a function gives.
        private func difference(_ pixels: PixelBuffer, _ expected: (_ x: Int, _ y: Int, _ c: Int) -> Int) -> Int {
            let count = pixels.format.channels.count
            return samples(of: pixels).enumerated().map { index, value in
                let (x, y) = (index / count % pixels.width, index / count / pixels.width)
                return abs(value - expected(x, y, index % count))
            }.max() ?? Int.max
        }

        private static func ramp(_ x: Int, _ y: Int, _ c: Int) -> Int { [10 * x, 15 * y, 128, 11 * x][c] }

        /// The encoder stores Y'CbCr, which is within a step of the colours.
        @Test("Colours and alpha have the file's values", arguments: [("exact", 3, 1), ("rgba", 4, 1), ("420", 3, 24)])
        func colors(_ name: String, _ channels: Int, _ tolerance: Int) throws {
            let image = try read(name)
            #expect(image.pixels.format.channels.count == channels && image.pixels.format.sample == .u8)
            #expect((image.pixels.width, image.pixels.height) == (Self.width, Self.height))
            #expect(difference(image.pixels, Self.ramp) <= tolerance)
        }

        @Test("Ten bits become 16, and are stated")
        func tenBits() throws {
            let image = try read("ten")
            #expect(image.pixels.format.sample == .u16 && image.metadata.significantBits == 10)
            // A step of ten bits is 64 of 16 bits.
            let error = difference(image.pixels) { x, y, c in
                ([44 * x, 68 * y, 512][c] * 65535 + 511) / 1023
            }
            #expect(error <= 65)
        }

        @Test("Premultiplied colours are divided by alpha")
        func premultiplied() throws {
            let image = try read("premultiplied")
            let stored = try read("rgba").pixels
            let (width, expected) = (stored.width, samples(of: stored))
            #expect(image.pixels.format.alpha == .straight)
            let found = samples(of: image.pixels)
            for i in 0..<width * stored.height {
                let alpha = expected[4 * i + 3]
                for c in 0..<3 {
                    let straight = alpha == 0 ? 0 : min(255, (expected[4 * i + c] * 255 + alpha / 2) / alpha)
                    #expect(found[4 * i + c] == straight)
                }
                #expect(found[4 * i + 3] == alpha)
            }
        }

        /// The file is 64 x 48, with green that rises by 5, and turned by 90 degrees clockwise. Its EXIF states the same turn.
        @Test("A picture is turned once")
        func turned() throws {
            let image = try read("turned")
            #expect((image.pixels.width, image.pixels.height) == (48, 64))
            #expect(difference(image.pixels) { x, y, c in [3 * y, 5 * (47 - x), 128][c] } <= 1)
            #expect(image.metadata.exif != nil && EXIF(image.metadata.exif ?? [])?.orientation == .upright)
        }

        @Test("Profiles and code points are kept")
        func color() throws {
            #expect(try read("icc").metadata.iccProfile != nil)
            #expect(try read("pq").metadata.codePoints == CodePoints(primaries: 9, transfer: 16))
        }

        @Test("Depth is 0 at the nearest point, and 1 at the farthest")
        func depth() throws {
            var options = ImageReadOptions()
            options.part = .depth
            let depth = try read("depth", options).pixels
            // The file does not tell what its numbers are, so they are disparities.
            #expect(depth.format.channels == .grey)
            #expect(difference(depth) { x, _, _ in 255 - 11 * x } <= 1)
            #expect(try read("depth").pixels == read("exact").pixels)
            for (name, bytes) in [("exact", file("exact")), ("png", try Sample.files(.png)[0])] {
                let error = imageError { _ = try ImageFile.read(bytes: bytes, name: name, options: options) }
                #expect(error?.description == "\(name): it has no depth picture, which --mask depth takes")
            }
        }

        @Test("What is not used is named")
        func leftOut() throws {
            let problems = ReadProblems()
            _ = try ImageReader(bytes: file("thumbnail"), name: "x", problems: problems).readImage()
            #expect(problems.leftOut.contains { $0.hasSuffix("(thumbnail)") })
        }

        @Test("A file cut anywhere is an error that names it")
        func truncated() throws {
            let whole = file("420")
            for count in whole.indices {
                let error = imageError { _ = try ImageFile.read(bytes: Array(whole[..<count]), name: "cut") }
                #expect(error?.kind == .unreadable && error?.description.hasPrefix("cut: ") == true, "\(count)")
            }
        }
    }
#endif
