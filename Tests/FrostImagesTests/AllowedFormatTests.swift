import FrostCore
import FrostTestSupport
import Testing

@testable import FrostImages

/// Tests that no decoder sees a file of a format that is not allowed.
@Suite struct AllowedFormatTests {
    private func error(_ file: [UInt8], _ allowed: AllowedFormats, sandbox: DecoderSandbox? = nil) -> ImageError? {
        let options = ImageReadOptions(limits: ImageLimits(sandbox: sandbox, allowed: allowed))
        return imageError { _ = try ImageFile.read(bytes: file, name: "x", options: options) }
    }

    private func isRefused(_ error: ImageError?) -> Bool {
        if case .notAllowed? = error { true } else { false }
    }

    /// Bytes that have the format, and that its decoder refuses.
    private static let starts: [ImageFormat: [UInt8]] = [
        .png: FileSignature.png, .jpeg: [0xFF, 0xD8, 0xFF, 0xD9], .webp: Array("RIFF\0\0\0\0WEBP".utf8),
        .qoi: Array("qoif".utf8), .ppm: Array("P6 x".utf8), .pgm: Array("P5 x".utf8), .pam: Array("P7\nx".utf8),
        .pfm: Array("PF x".utf8), .tiff: [0x49, 0x49, 42, 0], .avif: [0, 0, 0, 32] + Array("ftypavif".utf8),
        .jxl: [0xFF, 0x0A, 1, 2], .bmp: Array("BM".utf8), .gif: Array("GIF89a".utf8),
        .heic: [0, 0, 0, 32] + Array("ftypheic".utf8),
    ]
    // No file begins as a PNM that is not one of the others.
    private static let formats = ImageFormat.readable.filter { $0 != .pnm }

    @Test("A file is refused by its first bytes, unless its format is allowed", arguments: formats)
    func firstBytes(_ format: ImageFormat) throws {
        let start = try #require(Self.starts[format])
        let others = AllowedFormats(Set(ImageFormat.readable).subtracting([format]), y4m: true, video: true)
        #expect(error(start, others) == .notAllowed(path: "x", what: format.traits.anyOfIt))
        #expect(error(start, others)?.kind == .unreadable)
        // The decoder finds the faults of a file that it may see.
        let own = error(start, AllowedFormats([format]))
        #expect(own != nil && !isRefused(own))
    }

    @Test("A file of a format that is not allowed starts no process of a sandbox", arguments: formats)
    func sandboxes(_ format: ImageFormat) throws {
        let start = try #require(Self.starts[format])
        let sandbox = DecoderSandbox(program: "/nowhere/frost")
        #expect(isRefused(error(start, AllowedFormats([]), sandbox: sandbox)))
        guard case .cannotIsolate? = error(start, AllowedFormats([format]), sandbox: sandbox) else {
            Issue.record("the process was not needed")
            return
        }
    }

    @Test("Each format that Frost writes can be read if it alone is allowed")
    func alone() throws {
        for format in ImageFormat.allCases {
            for file in try Sample.files(format) {
                let found = try #require(
                    ImageFormat(firstBytes: Array(file.prefix(ImageFormat.signatureByteCount))))
                #expect(error(file, AllowedFormats([found])) == nil, "\(format)")
            }
        }
        let png = try Sample.files(.png)[0]
        let none = ImageLimits(allowed: AllowedFormats([]))
        #expect(isRefused(imageError { _ = try PNG.read(bytes: png, name: "x", limits: none) }))
        #expect(throws: Never.self) {
            try PNG.read(bytes: png, name: "x", limits: ImageLimits(allowed: AllowedFormats([.png])))
        }
    }

    #if TIFF
        @Test(
            "A picture inside a TIFF needs its own format, too",
            arguments: [(6, ImageFormat.jpeg), (7, .jpeg), (50001, .webp), (50002, .jxl)])
        func insideTIFF(_ compression: Int, _ inner: ImageFormat) {
            let page = TestTIFF(
                width: 1, height: 1, pieces: [[0]], more: [(TestTIFF.compression, 3, [compression])])
            let file = TestTIFF.file([page])
            let refusal = error(file, AllowedFormats([.tiff]))
            #expect(
                refusal == .notAllowed(path: "x", what: "a TIFF with \(inner.traits.title) pictures inside"))
            #expect(!isRefused(error(file, AllowedFormats([.tiff, inner]))))
        }
    #endif

    #if HEIC
        /// The entry of an item in the second version of its box, and in the third.
        @Test("A picture inside a HEIC needs its own format, too", arguments: [false, true])
        func insideHEIC(_ isLong: Bool) {
            func file(_ type: String) -> [UInt8] {
                let number: [UInt8] = isLong ? [0, 0, 0, 1] : [0, 1]
                return (Self.starts[.heic] ?? []) + [0, 0, 0, 21] + Array("infe".utf8) + [isLong ? 3 : 2, 0, 0, 0]
                    + number + [0, 0] + Array(type.utf8)
            }
            for (type, inner, title) in [("av01", ImageFormat.avif, "AV1"), ("jpeg", .jpeg, "JPEG")] {
                #expect(
                    error(file(type), AllowedFormats([.heic]))
                        == .notAllowed(path: "x", what: "an HEIC with \(title) pictures inside"))
                #expect(!isRefused(error(file(type), AllowedFormats([.heic, inner]))))
            }
            #expect(isRefused(error(file("j2k1"), AllowedFormats(Set(ImageFormat.readable)))))
            #expect(!isRefused(error(file("hvc1"), AllowedFormats([.heic]))))
            #expect(!isRefused(error(Array(file("av01").dropLast()), AllowedFormats([.heic]))))
        }
    #endif

    @Test("A Y4M stream is read if it is allowed, and raw frames always")
    func videos() throws {
        let stream = Array("YUV4MPEG2 W2 H2 F25:1 Cmono\nFRAME\n".utf8) + [1, 2, 3, 4]
        let pictures = Set(ImageFormat.readable)
        #expect(
            imageError {
                _ = try VideoReader(
                    bytes: stream, name: "x", limits: ImageLimits(allowed: AllowedFormats(pictures, video: true)))
            } == .notAllowed(path: "x", what: "a Y4M stream"))
        #expect(throws: Never.self) {
            try VideoReader(bytes: stream, name: "x", limits: ImageLimits(allowed: AllowedFormats([], y4m: true)))
        }
        let raw = try #require(VideoFormat.raw.first { $0.name == "rgba" })
        let frames = try VideoFormat(width: 1, height: 1, pixels: raw.format)
        #expect(throws: Never.self) {
            try VideoReader(
                bytes: [1, 2, 3, 4], name: "x", raw: frames, limits: ImageLimits(allowed: AllowedFormats([])))
        }
        let limits = ImageLimits(allowed: AllowedFormats(pictures, y4m: true))
        #expect(imageError { try limits.checkVideo(name: "x") } == .notAllowed(path: "x", what: "a video file"))
        #expect(throws: Never.self) { try ImageLimits().checkVideo(name: "x") }
    }

    @Test("A list has names and suffixes, and an unknown word is an error")
    func lists() throws {
        for name in AllowedFormats.names { #expect(throws: Never.self) { try AllowedFormats(parsing: name) } }
        #expect(try AllowedFormats(parsing: "jpg, TIFF,y4m") == AllowedFormats([.jpeg, .tiff], y4m: true))
        #expect(try AllowedFormats(parsing: "video") == AllowedFormats([], video: true))
        // Frost reads a PNM as one of the two.
        #expect(try AllowedFormats(parsing: "pnm").pictures.isSuperset(of: [.ppm, .pgm]))
        for word in ["mng", "", "png,", "rgba"] {
            #expect(throws: AllowedFormats.UnknownName.self) { try AllowedFormats(parsing: word) }
        }
    }
}
