import FrostCore
import FrostTestSupport
import Testing

@testable import FrostImages

/// Tests the decoders that Frost implements itself, QOI and bitmaps, at the borders of their fast paths.
@Suite struct RowDecodingTests {
    private func qoi(_ width: Int, _ height: Int, _ channels: Int, _ operations: [UInt8]) -> [UInt8] {
        Array("qoif".utf8) + bigEndian(width, 4) + bigEndian(height, 4) + [UInt8(channels), 0] + operations
    }

    @Test("A QOI run behind the last pixel is refused in the row in which the run begins")
    func runPastEnd() throws {
        // 100 pixels: a pixel, a run of 62, and a second run of 62, which begins in row 6 of 10.
        let file = qoi(10, 10, 3, [0xFE, 1, 2, 3, 0xFD, 0xFD]) + QOI.end
        var reader = try QOIReader(
            source: ByteSource(bytes: file, name: "x"), ImageReadOptions(), problems: ReadProblems())
        let error = imageError { _ = try reader.readPixels() }
        #expect(reader.rowsRead == 6)
        #expect(error?.description.contains("a run extends past the last pixel") == true)
    }

    @Test("A QOI run that ends with the last pixel is read")
    func runToEnd() throws {
        for channels in [3, 4] {
            let file = qoi(9, 7, channels, [0xFE, 1, 2, 3, 0xFD]) + QOI.end
            let pixels = try ImageFile.read(bytes: file, name: "x").pixels
            let pixel: [UInt8] = channels == 3 ? [1, 2, 3] : [1, 2, 3, 255]
            #expect(pixels.bytes == Array(repeatElement(pixel, count: 63).joined()))
        }
    }

    /// The file is larger than the reader's buffer, so operations of every length extend over the border of two
    /// buffers.
    @Test("QOI operations at the border of two buffers", arguments: [ChannelLayout.rgb, .rgba])
    func borders(_ channels: ChannelLayout) throws {
        let noise = try TestImage.noise(301, 400, PixelFormat(channels))
        // Runs and small differences between the pixels of noise give all kinds of operations.
        var bytes = noise.bytes
        for start in stride(from: 0, to: bytes.count - 64, by: 97) {
            for i in start + channels.count..<start + 40 {
                bytes[i] = bytes[i - channels.count] &+ UInt8(start % 3)
            }
        }
        let pixels = try PixelBuffer(layout: noise.layout, bytes: bytes)
        let file = try ImageFile.encode(DecodedImage(pixels: pixels), as: .qoi)
        #expect(file.count > 3 << 16)
        #expect(try ImageFile.read(bytes: file, name: "x").pixels.bytes == pixels.bytes)
        for cut in [file.count - 1, file.count / 2, file.count / 3] {
            #expect(imageError { _ = try ImageFile.read(bytes: Array(file[..<cut]), name: "x") }?.kind == .unreadable)
        }
    }

    @Test("Every bit of a bitmap becomes a pixel", arguments: 1...33)
    func bitmap(_ width: Int) throws {
        let stride = (width + 7) / 8
        let lines = (0..<5 * stride).map { UInt8(truncatingIfNeeded: $0 * 73 + 29) }
        let file = Array("P4 \(width) 5\n".utf8) + lines
        let pixels = try ImageFile.read(bytes: file, name: "x").pixels
        for y in 0..<5 {
            for x in 0..<width {
                let isBlack = lines[y * stride + x / 8] >> (7 - x % 8) & 1 == 1
                #expect(pixels.bytes[y * pixels.layout.bytesPerRow + x] == (isBlack ? 0 : 255))
            }
        }
    }
}
