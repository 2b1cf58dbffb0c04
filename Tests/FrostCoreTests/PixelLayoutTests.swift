import FrostCore
import FrostTestSupport
import Testing

struct PixelLayoutTests {
    @Test(
        "a layout without pixels is refused with its size", arguments: [(0, 1), (1, 0), (-1, 5), (5, Int.min), (0, 0)])
    func empty(_ width: Int, _ height: Int) {
        #expect(throws: PixelError.emptyImage(width: width, height: height)) {
            try PixelLayout(width: width, height: height, format: PixelFormat(.rgba))
        }
    }

    /// The least number of pixels of 8 bytes each whose bytes cannot be counted.
    private static let tooMany = Int.max / 8 + 1

    @Test(
        "a size whose byte count overflows is refused and does not trap",
        arguments: [
            (Int.max, 1), (1, Int.max), (Int.max, Int.max), (tooMany, 1), (1 << 40, 1 << 40), (1, tooMany),
        ] as [(Int, Int)])
    func overflow(_ width: Int, _ height: Int) {
        #expect(throws: PixelError.tooLarge(width: width, height: height)) {
            try PixelLayout(width: width, height: height, format: PixelFormat(.rgba, .u16))
        }
    }

    @Test("a stride that overflows with the height is refused")
    func strideOverflow() {
        #expect(throws: PixelError.tooLarge(width: 1, height: 3)) {
            try PixelLayout(width: 1, height: 3, format: PixelFormat(.grey), bytesPerRow: Int.max / 2)
        }
    }

    @Test("rows that overlap, run backwards or break the alignment of samples are refused with the numbers")
    func strides() {
        for stride in [-40, 0, 39, 41, 43] {
            #expect(throws: PixelError.badRowStride(bytesPerRow: stride, minimum: 40, alignment: 2)) {
                try PixelLayout(width: 5, height: 2, format: PixelFormat(.rgba, .u16), bytesPerRow: stride)
            }
        }
    }

    @Test("a layout counts the bytes from the first pixel to the end of the last")
    func byteCount() throws {
        let layout = try PixelLayout(width: 5, height: 3, format: PixelFormat(.rgb, .u16), bytesPerRow: 64)
        #expect(layout.rowByteCount == 30)
        #expect(layout.byteCount == 2 * 64 + 30)
        #expect(layout.extent == Rect(x: 0, y: 0, width: 5, height: 3))
        #expect(try PixelLayout(width: 5, height: 3, format: PixelFormat(.rgb)).bytesPerRow == 15)
    }

    @Test("a buffer needs the layout's bytes, keeps more, and starts as zeros")
    func buffers() throws {
        let layout = try PixelLayout(width: 3, height: 2, format: PixelFormat(.grey), bytesPerRow: 8)
        #expect(throws: PixelError.tooFewBytes(have: 10, need: 11)) {
            try PixelBuffer(layout: layout, bytes: [UInt8](repeating: 0, count: 10))
        }
        #expect(try PixelBuffer(layout: layout, bytes: [UInt8](repeating: 7, count: 16)).bytes.count == 16)
        #expect(PixelBuffer(layout: layout).bytes == [UInt8](repeating: 0, count: 11))
    }

    @Test("a buffer filled in place holds what was written, and rethrows the closure's error")
    func filling() throws {
        struct Refused: Error {}
        let layout = try PixelLayout(width: 3, height: 1, format: PixelFormat(.grey))
        let filled = unsafe PixelBuffer(layout: layout) { bytes in
            for i in bytes.indices { unsafe bytes[i] = UInt8(i + 1) }
        }
        #expect(filled.bytes == [1, 2, 3])
        var isRefused = false
        do throws(Refused) {
            _ = try unsafe PixelBuffer(layout: layout) { (_) throws(Refused) in throw Refused() }
        } catch {
            isRefused = true
        }
        #expect(isRefused)
    }

    @Test("a copy of a buffer does not see later writes")
    func copiesKeepTheirPixels() throws {
        let original = try TestImage.make(.gradient, 4, 4, PixelFormat(.rgba))
        var copy = original
        copy[1, 1, 2] = 3
        #expect(copy[1, 1, 2] == 3)
        #expect(original != copy)
        #expect(try original == TestImage.make(.gradient, 4, 4, PixelFormat(.rgba)))
    }

    @Test("every error prints its numbers in one line")
    func errorText() {
        let errors: [(PixelError, [String])] = [
            (.emptyImage(width: 0, height: 7), ["0x7"]), (.tooLarge(width: 123, height: 456), ["123x456"]),
            (.badRowStride(bytesPerRow: 39, minimum: 40, alignment: 2), ["39", "40", "2"]),
            (.tooFewBytes(have: 10, need: 11), ["10", "11"]),
            (.mismatch(property: "size", first: "1x2", second: "3x4"), ["size", "1x2", "3x4"]),
        ]
        for (error, words) in errors {
            let text = "\(error)"
            #expect(!text.contains("\n"))
            for word in words { #expect(text.contains(word), "\(text)") }
        }
    }
}
