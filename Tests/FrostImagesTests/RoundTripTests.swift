import FrostCore
import FrostImages
import FrostTestSupport
import Testing

/// Tests that reading a written picture gives the same picture if the format can hold it. Otherwise the picture must be
/// refused.
@Suite struct RoundTripTests {
    static let exactFormats: [ImageFormat] =
        [.png, .webp, .qoi, .ppm, .pgm, .pnm, .pam] + [.tiff, .avif, .jxl].filter(\.isBuilt)
    static let exactly = ImageWriteOptions(
        webp: WebPWriteOptions(isLossless: true), avif: LossyWriteOptions(quality: 0, isLossless: true),
        jxl: LossyWriteOptions(quality: 0, isLossless: true))

    @Test("Lossless formats keep every sample of the pixels they hold", arguments: exactFormats)
    func lossless(_ format: ImageFormat) throws {
        for channels in format.traits.channels where channels != .bgra {
            // AVIF holds at most 12 bits per sample; OptionalFormatTests tests that.
            for sample in format.traits.samples where format != .avif || sample == .u8 {
                for (width, height) in [(1, 1), (61, 5), (3, 70)] {
                    let pixels = try TestImage.noise(width, height, PixelFormat(channels, sample))
                    let file = try ImageFile.encode(DecodedImage(pixels: pixels), as: format, options: Self.exactly)
                    let found = try ImageFile.read(bytes: file, name: "x").pixels
                    #expect(found.format.channels == channels && found.format.sample == sample)
                    #expect(found.bytes == pixels.bytes, "\(format) \(pixels.format)")
                }
            }
        }
    }

    @Test("Grey becomes colour in a format without grey, and BGRA becomes RGBA, without loss")
    func widened() throws {
        for format in [ImageFormat.ppm, .qoi, .webp] {
            let grey = try TestImage.noise(13, 4, PixelFormat(.grey))
            let file = try ImageFile.encode(DecodedImage(pixels: grey), as: format, options: Self.exactly)
            let found = try samples(of: ImageFile.read(bytes: file, name: "x").pixels)
            let expected: [Int] = samples(of: grey).flatMap { [Int](repeating: $0, count: 3) }
            #expect(found == expected)
        }
        let blue = try TestImage.noise(5, 4, PixelFormat(.bgra))
        let file = try ImageFile.encode(DecodedImage(pixels: blue), as: .qoi)
        var expected = blue.bytes
        for i in stride(from: 0, to: expected.count, by: 4) { expected.swapAt(i, i + 2) }
        #expect(try ImageFile.read(bytes: file, name: "x").pixels.bytes == expected)
    }

    @Test("Floats come back to the bit, in both byte orders and in PFM's order of rows", arguments: [true, false])
    func floats(isGrey: Bool) throws {
        let format = PixelFormat(isGrey ? .grey : .rgb, .f32)
        let layout = try PixelLayout(width: 3, height: 5, format: format)
        let values = (0..<15 * format.channels.count).map { Float($0) * 1.25e-3 - 0.01 }
        let bytes: [UInt8] = values.flatMap { value in
            (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) }
        }
        let pixels = try PixelBuffer(layout: layout, bytes: bytes)
        let file = try ImageFile.encode(DecodedImage(pixels: pixels), as: .pfm)
        #expect(try ImageFile.read(bytes: file, name: "x").pixels == pixels)
        let rowSize = layout.rowByteCount
        #expect(Array(file.suffix(rowSize)) == Array(bytes.prefix(rowSize)))
        let header = Array("\(isGrey ? "Pf" : "PF")\n3 5\n1.0\n".utf8)
        let rows = file.dropFirst(header.count + 1)
        var big: [UInt8] = []
        for i in stride(from: rows.startIndex, to: rows.endIndex, by: 4) { big += rows[i..<i + 4].reversed() }
        #expect(try ImageFile.read(bytes: header + big, name: "x").pixels == pixels)
    }

    @Test("8 and 16 bits become floats of the same value")
    func widenedToFloats() throws {
        let pixels = try TestImage.noise(17, 3, PixelFormat(.rgb, .u16))
        let file = try ImageFile.encode(DecodedImage(pixels: pixels), as: .pfm)
        let back = try ImageFile.read(bytes: file, name: "x")
        let again = try ImageFile.encode(back, as: .png, options: ImageWriteOptions(depth: 16))
        #expect(try ImageFile.read(bytes: again, name: "x").pixels.bytes == pixels.bytes)
    }

    static let alphaless: [ImageFormat] = [.jpeg, .ppm, .pnm, .pfm]

    @Test("Transparency is refused by formats without it, unless a background is given", arguments: alphaless)
    func transparency(_ format: ImageFormat) throws {
        let image = DecodedImage(pixels: try TestImage.noise(4, 3, PixelFormat(.rgba)))
        let error = imageError { _ = try ImageFile.encode(image, as: format) }
        guard case .cannotHold(_, format, "transparency", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let white = ImageWriteOptions(background: try Color(red: 1, green: 1, blue: 1))
        _ = try ImageFile.encode(image, as: format, options: white)
    }

    @Test("Over a background each channel is mixed by alpha")
    func flattened() throws {
        let pixels = try TestImage.noise(31, 9, PixelFormat(.rgba))
        let color = try Color(red: 0.2, green: 0.4, blue: 1)
        let file = try ImageFile.encode(
            DecodedImage(pixels: pixels), as: .ppm, options: ImageWriteOptions(background: color))
        let found = try samples(of: ImageFile.read(bytes: file, name: "x").pixels)
        let behind = [0.2, 0.4, 1.0]
        for (i, value) in found.enumerated() {
            let alpha = Double(pixels.bytes[i / 3 * 4 + 3]) / 255
            let exact = Double(pixels.bytes[i / 3 * 4 + i % 3]) * alpha + 255 * behind[i % 3] * (1 - alpha)
            #expect(abs(Double(value) - exact) <= 0.5001)
        }
    }

    @Test("Formats of 8 bits refuse 16 bits and floats, and grey formats refuse colour")
    func refused() throws {
        let wide = DecodedImage(pixels: try TestImage.noise(4, 3, PixelFormat(.rgb, .u16)))
        for format in [ImageFormat.jpeg, .webp, .qoi] {
            #expect(
                imageError { _ = try ImageFile.encode(wide, as: format) }
                    == .cannotHold(
                        path: "image", format: format, what: "16 bits per sample", remedy: "--depth 8 reduces them"))
            _ = try ImageFile.encode(wide, as: format, options: ImageWriteOptions(depth: 8))
        }
        #expect(imageError { _ = try ImageFile.encode(wide, as: .pgm) }?.kind == .unwritable)
        let long = try PixelLayout(width: 16384, height: 1, format: PixelFormat(.rgb))
        #expect(
            imageError { _ = try ImageFile.encode(DecodedImage(pixels: PixelBuffer(layout: long)), as: .webp) }?.kind
                == .unwritable)
    }

    @Test("Plain and raw Netpbm files of any largest value are scaled to the full range")
    func netpbm() throws {
        func read(_ text: String, _ raster: [UInt8] = []) throws -> PixelBuffer {
            try ImageFile.read(bytes: Array(text.utf8) + raster, name: "x").pixels
        }
        #expect(try read("P1\n# a comment\n3 2\n1 0 1\n011").bytes == [0, 255, 0, 255, 0, 0])
        // In a PGM whose maximum is 1, 1 is white, and values are numbers.
        #expect(try read("P2 4 1 1\n0 1 1 0").bytes == [0, 255, 255, 0])
        #expect(throws: ImageError.self) { try read("P2 3 1 1\n0 10 1") }
        #expect(throws: ImageError.self) { try read("P1 2 1\n0 2") }
        #expect(try read("P4 3 2\n", [0b1010_0000, 0b0110_0000]).bytes == [0, 255, 0, 255, 0, 0])
        #expect(try read("P2 2 1 4 0 3").bytes == [0, 191])
        #expect(try read("P3\n1 1\n255\n1 2 3\n").bytes == [1, 2, 3])
        #expect(try samples(of: read("P5 2 1 1023\n", [3, 255, 0, 1])) == [65535, 64])
        #expect(
            try read("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n", [7, 9]).bytes
                == [7, 9])
        for text in [
            "P2 2 1 4 0 5", "P1 1 1 2", "P5 0 1 255\n", "P5 1 1 0\n", "P5 1 1 65536\n", "P2 1 1 9 x", "P7\nENDHDR\n",
            "P5 1 1 255", "PF 1 1 0\n", "P3 1 1 255 1 2", "P5 -1 1 255\n", "P54 1 255\n0000",
        ] {
            #expect(imageError { _ = try read(text) }?.kind == .unreadable, "\(text)")
        }
    }

    @Test("A header may have lines of Windows, and otherwise one byte ends it")
    func linesOfWindows() throws {
        func read(_ text: String, _ raster: [UInt8]) throws -> [UInt8] {
            try ImageFile.read(bytes: Array(text.utf8) + raster, name: "x").pixels.bytes
        }
        #expect(try read("P5\r\n2 1\r\n255\r\n", [10, 7]) == [10, 7])
        #expect(try read("P5\r\n2 1\r\n255\r", [7, 10]) == [7, 10])
        #expect(try read("P5\n2 1\n255\r", [10, 7]) == [10, 7])
        #expect(try read("P5 2 1 255\n", [10, 7]) == [10, 7])
        let numbers: [UInt8] = [0, 0, 0x80, 0x3F, 10, 0, 0, 0x40]
        #expect(try read("Pf\r\n2 1\r\n-1.0\r\n", numbers) == read("Pf\n2 1\n-1.0\n", numbers))
    }

    @Test("Bytes after the end are named", arguments: [ImageFormat.ppm, .pgm, .pam, .pfm, .qoi, .png, .jpeg, .webp])
    func bytesAfterTheEnd(_ format: ImageFormat) throws {
        let pixels = try TestImage.noise(5, 4, PixelFormat(format == .pgm ? .grey : .rgb))
        let file = try ImageFile.encode(DecodedImage(pixels: pixels), as: format)
        for (junk, count) in [([], 0), ([1, 2, 3], 1)] as [([UInt8], Int)] {
            let problems = ReadProblems()
            let found = try ImageReader(bytes: file + junk, name: "x", problems: problems).readImage()
            #expect(found.pixels.width == 5)
            #expect(problems.leftOut.filter { $0.contains("after the end") }.count == count, "\(problems.leftOut)")
        }
    }
}
