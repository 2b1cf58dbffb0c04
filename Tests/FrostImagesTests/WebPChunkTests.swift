import FrostCore
import FrostTestSupport
import Testing

@testable import FrostImages

/// Tests how the chunks of WebP files are judged while they arrive.
@Suite struct WebPChunkTests {
    /// A file in the extended format: a lossless picture with further chunks.
    private struct File {
        let pixels: PixelBuffer
        private var chunks: [(name: String, content: [UInt8])]

        init() throws {
            pixels = try TestImage.noise(9, 7, PixelFormat(.rgb))
            let simple = try ImageFile.encode(
                DecodedImage(pixels: pixels), as: .webp,
                options: ImageWriteOptions(webp: WebPWriteOptions(isLossless: true)))
            let count = simple[16..<20].reversed().reduce(0) { $0 << 8 | Int($1) }
            // The flags announce XMP, and the sizes are stored minus 1.
            chunks = [("VP8X", [4, 0, 0, 0, 8, 0, 0, 6, 0, 0]), ("VP8L", Array(simple[20..<20 + count]))]
        }

        mutating func add(_ name: String, _ content: [UInt8]) { chunks.append((name, content)) }

        /// The bytes of the file.
        ///
        /// - Parameter announced: the sizes that the headers of chunks announce instead of their real sizes.
        func bytes(announced: [String: Int] = [:]) -> [UInt8] {
            var body = Array("WEBP".utf8)
            for (name, content) in chunks {
                body += Array(name.utf8) + word(announced[name] ?? content.count) + content
                if content.count % 2 == 1 { body.append(0) }
            }
            let more = announced.values.reduce(0, +)
            return Array("RIFF".utf8) + word(body.count + more) + body
        }

        private func word(_ value: Int) -> [UInt8] { bigEndian(value, 4).reversed() }
    }

    private func read(_ bytes: [UInt8]) throws -> DecodedImage {
        var pipe = Pipe()
        pipe.feed(bytes)
        defer { pipe.finish() }
        let piped = try ImageReader(descriptor: pipe.reading, name: "x").readImage()
        #expect(try ImageFile.read(bytes: bytes, name: "x") == piped)
        return piped
    }

    @Test("Metadata up to 16 MiB are read, and an XMP packet up to 1 MiB is kept")
    func metadata() throws {
        var file = try File()
        file.add("XMP ", TestMetadata.xmp + [UInt8](repeating: 0x20, count: 1 << 20 - TestMetadata.xmp.count))
        let image = try read(file.bytes())
        #expect(image.pixels.bytes == file.pixels.bytes)
        #expect(image.metadata.xmp == TestMetadata.xmp)
        file = try File()
        file.add("XMP ", TestMetadata.xmp + [UInt8](repeating: 0x20, count: 15 << 20))
        #expect(try read(file.bytes()).metadata.xmp == nil)
    }

    /// The file ends right after the header of the chunk. So the refusal shows that the header alone is judged.
    @Test("Metadata of more than 16 MiB are refused by the header of their chunk", arguments: ["XMP ", "EXIF", "ICCP"])
    func tooMuchMetadata(_ name: String) throws {
        var file = try File()
        file.add(name, [])
        for size in [16 << 20 + 1, 300 << 20, 3 << 30] {
            let bytes = file.bytes(announced: [name: size])
            let error = imageError { _ = try ImageFile.read(bytes: bytes, name: "x") }
            #expect(error == .tooComplex(path: "x", reason: "its metadata exceed 16777216 bytes"))
            #expect(error?.kind == .overLimit)
        }
    }

    @Test("Unknown chunks are not kept in memory")
    func unknown() throws {
        var file = try File()
        file.add("JUNK", [UInt8](repeating: 1, count: 5 << 20 + 1))
        file.add("XMP ", TestMetadata.xmp)
        let bytes = file.bytes()
        var chunks = WebPChunks(
            ByteSource(bytes: bytes, name: "x"), pixels: 63, decodingBytes: 0, ImageLimits())
        let kept = try chunks.readAll()
        #expect(chunks.isComplete && chunks.bytesRead == bytes.count)
        #expect(kept.count < 1000)
        let image = try read(bytes)
        #expect(image.pixels.bytes == file.pixels.bytes)
        #expect(image.metadata.xmp == TestMetadata.xmp)
    }

    @Test("Far more data than the pixels need, and thousands of chunks, are refused")
    func hostile() throws {
        var file = try File()
        file.add("ALPH", [])
        let large = file.bytes(announced: ["ALPH": 1 << 30])
        #expect(
            imageError { _ = try ImageFile.read(bytes: large, name: "x") }
                == .tooComplex(path: "x", reason: "it has far more data than its pixels need"))
        file = try File()
        for _ in 0..<2000 { file.add("JUNK", []) }
        #expect(
            imageError { _ = try ImageFile.read(bytes: file.bytes(), name: "x") }
                == .tooComplex(path: "x", reason: "it has over 1024 chunks"))
    }

    @Test("The encoded picture counts as memory")
    func pictureMemory() throws {
        let file = try File()
        var chunks = WebPChunks(
            ByteSource(bytes: file.bytes(), name: "x"), pixels: 63, decodingBytes: 2 << 20,
            ImageLimits(maximumMemory: 2 << 20))
        #expect(throws: ImageError.self) { try chunks.readAll() }
    }
}
