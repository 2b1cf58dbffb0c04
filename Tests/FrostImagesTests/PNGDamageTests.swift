import FrostCore
import FrostImages
import FrostTestSupport
import Testing

/// Tests files that are damaged, truncated, forged or not PNG. Reading such a file must give an error with a reason, and
/// must never crash.
@Suite struct PNGDamageTests {
    static let kinds = [
        PNGReadingTests.Kind(colorType: 3, bitDepth: 2, isInterlaced: false, hasTransparency: true),
        PNGReadingTests.Kind(colorType: 6, bitDepth: 16, isInterlaced: true, hasTransparency: false),
    ]

    static func file(_ kind: PNGReadingTests.Kind) -> [UInt8] {
        var file = PNGReadingTests.example(kind, width: 7, height: 6).file
        file.extra = [
            ("gAMA", bigEndian(45455, 4)), ("pHYs", bigEndian(2835, 4) + bigEndian(2835, 4) + [1]), ("sRGB", [0]),
            ("iCCP", Array("p\0\0".utf8) + zlibStored(TestProfile.bytes())),
        ]
        return file.encoded()
    }

    @Test("A file cut anywhere is an error", arguments: kinds)
    func truncated(_ kind: PNGReadingTests.Kind) {
        let whole = Self.file(kind)
        #expect(imageError { _ = try PNG.read(bytes: whole, name: "whole") } == nil)
        for count in whole.indices {
            let error = imageError { _ = try PNG.read(bytes: Array(whole[..<count]), name: "cut.png") }
            switch error {
            case .unrecognised: #expect(count == 0)
            case .corrupt(let path, .png, _, let offset), .truncated(let path, .png, _, let offset):
                #expect(path == "cut.png" && offset == UInt64(count))
            default: Issue.record("cut to \(count) bytes: \(String(describing: error))")
            }
        }
    }

    @Test("The last row of a cut file is an error when read row by row, too", arguments: kinds)
    func truncatedRows(_ kind: PNGReadingTests.Kind) {
        let whole = Self.file(kind)
        for count in [whole.count - 1, whole.count - 8, whole.count - 12] {
            let error = imageError {
                var reader = try ImageReader(bytes: Array(whole[..<count]), name: "cut.png")
                var row = [UInt8](repeating: 0, count: reader.layout.rowByteCount)
                for _ in 0..<reader.layout.height {
                    var bytes = row.mutableSpan
                    var span = unsafe bytes.mutableBytes
                    try reader.readRow(into: &span)
                }
            }
            #expect(error?.kind == .unreadable)
        }
    }

    @Test("With any byte changed, a file is an error or has the announced size", arguments: kinds)
    func flipped(_ kind: PNGReadingTests.Kind) {
        let whole = Self.file(kind)
        for index in whole.indices {
            for mask: UInt8 in [0x01, 0x20, 0x80, 0xFF] {
                var bytes = whole
                bytes[index] ^= mask
                let error = imageError {
                    let pixels = try PNG.read(bytes: bytes, name: "flipped").pixels
                    #expect(pixels.width == 7 && pixels.height == 6)
                }
                if let error { #expect(error.kind != .unwritable) }
            }
        }
    }

    @Test("Any change within IHDR, PLTE, IDAT or IEND is an error", arguments: kinds)
    func criticalChunks(_ kind: PNGReadingTests.Kind) {
        let whole = Self.file(kind)
        var at = 8
        for (name, content) in chunks(of: whole) {
            let end = at + 12 + content.count
            if name.first?.isUppercase == true {
                for index in at..<end {
                    var bytes = whole
                    bytes[index] ^= 0x10
                    #expect(
                        imageError { _ = try PNG.read(bytes: bytes, name: "x") }?.kind == .unreadable,
                        "byte \(index) of \(name)")
                }
            }
            at = end
        }
    }

    @Test("Noise behind a valid header is an error")
    func noise() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let header = TestPNG.signature + TestPNG.chunk("IHDR", bigEndian(9, 4) + bigEndian(9, 4) + [8, 6, 0, 0, 1])
            let content = (0..<60).map { _ in UInt8.random(in: 0...255, using: &random) }
            let bytes = header + TestPNG.chunk("IDAT", [0x78, 0x01] + content) + TestPNG.chunk("IEND", [])
            #expect(imageError { _ = try PNG.read(bytes: bytes, name: "x") }?.kind == .unreadable)
        }
    }

    @Test("The error says what is wrong and where")
    func messages() {
        let whole = Self.file(Self.kinds[0])
        func message(_ change: (inout [UInt8]) -> Void) -> String? {
            var bytes = whole
            change(&bytes)
            return imageError { _ = try PNG.read(bytes: bytes, name: "c.png") }?.description
        }
        #expect(message { $0[20] ^= 1 } == "c.png: damaged PNG: CRC mismatch in IHDR at byte 33")
        var firstIDAT = 8
        for (name, content) in chunks(of: whole) {
            if name == "IDAT" { break }
            firstIDAT += 12 + content.count
        }
        let crc = firstIDAT + 8 + chunks(of: whole).first { $0.name == "IDAT" }!.content.count
        #expect(message { $0[crc] ^= 1 } == "c.png: damaged PNG: CRC mismatch in IDAT at byte \(crc + 4)")
        #expect(
            message { $0.removeLast(12) }
                == "c.png: damaged PNG: the file ends where a chunk should begin at byte \(whole.count - 12)")
        #expect(message { $0.removeLast(20) }?.contains("the file ends in chunk IDAT at byte") == true)
        #expect(message { $0 = [] } == "c.png: not a PNG: the file is empty")
        let text = Array("hello, world".utf8)
        #expect(message { $0 = text } == "c.png: not a PNG: it does not begin with PNG's signature")
        #expect(message { $0 = [0xFF, 0xD8, 0xFF, 0xE0, 0] } == "c.png: not a PNG: it is a JPEG")
    }

    @Test("A wrong checksum of the pixels is an error even where the CRC is right")
    func checksum() {
        let data = zlibStored([0, 1, 2, 3])
        for index in data.count - 4..<data.count {
            var wrong = data
            wrong[index] ^= 1
            let header = TestPNG.signature + TestPNG.chunk("IHDR", bigEndian(3, 4) + bigEndian(1, 4) + [8, 0, 0, 0, 0])
            // The checksum is either in the same chunk as the last pixel or in a chunk of its own.
            for cut in [0, data.count - 4] {
                let bytes =
                    header + TestPNG.chunk("IDAT", Array(wrong[..<cut])) + TestPNG.chunk("IDAT", Array(wrong[cut...]))
                    + TestPNG.chunk("IEND", [])
                let error = imageError { _ = try PNG.read(bytes: bytes, name: "x") }
                #expect(error?.description.contains("checksum mismatch in IDAT") == true)
            }
        }
    }

    // MARK: Limits

    /// Returns a PNG header without further data, so that only the header can cause an error.
    static func header(_ width: Int, _ height: Int) -> [UInt8] {
        TestPNG.signature + TestPNG.chunk("IHDR", bigEndian(width, 4) + bigEndian(height, 4) + [16, 6, 0, 0, 0])
    }

    @Test("A size over the limits is refused by the header alone")
    func sizesOverALimitAreRefused() {
        func error(_ width: Int, _ height: Int, _ limits: ImageLimits = ImageLimits()) -> ImageError? {
            imageError { _ = try PNG.read(bytes: Self.header(width, height), name: "x", limits: limits) }
        }
        #expect(error(32769, 1) == .overLimit(path: "x", what: "width", value: 32769, limit: 32768))
        #expect(error(1, 0x7FFF_FFFF) == .overLimit(path: "x", what: "height", value: 0x7FFF_FFFF, limit: 32768))
        #expect(
            error(1 << 30, 1 << 30, ImageLimits(maximumSide: .max))
                == .overLimit(path: "x", what: "number of pixels", value: 1 << 60, limit: 1 << 30))
        #expect(
            error(0xFFFF_FFFF, 0xFFFF_FFFF, ImageLimits(maximumSide: .max))
                == .overLimit(path: "x", what: "width", value: 0xFFFF_FFFF, limit: 1 << 30))
        #expect(
            error(100, 100, ImageLimits(maximumPixels: 9999))
                == .overLimit(path: "x", what: "number of pixels", value: 10000, limit: 9999))
        #expect(error(100, 100, ImageLimits(maximumSide: 100, maximumPixels: 10000))?.kind == .unreadable)
    }

    @Test("A file too short for the size it announces is refused before memory is taken for it")
    func implausible() {
        let error = imageError { _ = try PNG.read(bytes: Self.header(32768, 32768), name: "x") }
        #expect(error?.description == "x: damaged PNG: too short for 32768x32768 pixels, truncated at byte 33")
    }

    static let badHeaders: [[UInt8]] = [
        [0, 0, 0, 0, 0, 0, 0, 1, 8, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 0, 0, 0],
        [0, 0, 0, 1, 0, 0, 0, 1, 4, 2, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0, 1, 8, 1, 0, 0, 0],
        [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 1, 0, 0], [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 2],
    ]

    @Test("Headers that PNG does not allow are errors", arguments: badHeaders)
    func badHeader(_ content: [UInt8]) {
        let bytes = TestPNG.signature + TestPNG.chunk("IHDR", content)
        #expect(imageError { _ = try PNG.read(bytes: bytes, name: "x") }?.kind == .unreadable)
    }

    @Test("A file that cannot be opened is an error with its reason")
    func unopenable() {
        #expect(
            imageError { _ = try PNG.read(path: "/nowhere/a.png") }?.description
                == "/nowhere/a.png: cannot be read: No such file or directory")
        #expect(imageError { _ = try PNG.read(path: "/tmp") } == .isDirectory(path: "/tmp"))
        #expect(imageError { _ = try PNG.read(descriptor: -1, name: "-") }?.kind == .unreadable)
        #expect(imageError { _ = try PNG.read(path: "/dev/null") }?.kind == .unreadable)
    }
}
