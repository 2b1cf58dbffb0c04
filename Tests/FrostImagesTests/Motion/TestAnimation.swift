import FrostCore
import Testing

@testable import FrostImages

/// An animated file that was taken apart by its specification. The frames are decoded as still pictures by Frost's own
/// readers, and then composed.
struct TestAnimation {
    /// A frame as the file stores it.
    struct Frame {
        var rect = Rect(x: 0, y: 0, width: 1, height: 1)
        /// The duration in seconds, as a fraction.
        var duration: (Int, Int) = (0, 1)
        /// Whether the frame is drawn over the earlier frames. Otherwise it replaces their pixels.
        var isBlended = false
        /// Whether the frame becomes transparent before the next frame is drawn.
        var isDisposed = false
        var pixels: PixelBuffer?
    }

    var width = 0
    var height = 0
    var plays = 0
    /// The number of frames that the header of an animated PNG states.
    var statedFrames = 0
    var frames: [Frame] = []

    /// Returns all frames as the player shows them: 8-bit RGBA, or the format of the file if frames replace each other.
    func composed() throws -> [PixelBuffer] {
        guard let first = frames.first?.pixels else { return [] }
        var canvas = PixelBuffer(layout: try PixelLayout(width: width, height: height, format: first.format))
        return try frames.map { frame in
            let pixels = try #require(frame.pixels)
            try #require(pixels.format == canvas.format)
            try canvas.paste(frame.isBlended ? blend(pixels, over: canvas, at: frame.rect) : pixels, at: frame.rect)
            let shown = canvas
            if frame.isDisposed { try canvas.paste(PixelBuffer(layout: pixels.layout), at: frame.rect) }
            return shown
        }
    }

    /// Draws RGBA pixels over others. libwebp's frames that are blended have only pixels of alpha 0 and 255.
    private func blend(_ pixels: PixelBuffer, over canvas: PixelBuffer, at rect: Rect) throws -> PixelBuffer {
        var bytes = pixels.bytes
        for y in 0..<rect.height {
            for x in 0..<rect.width {
                let at = (y * rect.width + x) * 4
                if bytes[at + 3] == 255 { continue }
                try #require(bytes[at + 3] == 0, "alpha \(bytes[at + 3])")
                let below = ((rect.y + y) * canvas.width + rect.x + x) * 4
                bytes.replaceSubrange(at..<at + 4, with: canvas.bytes[below..<below + 4])
            }
        }
        return try PixelBuffer(layout: pixels.layout, bytes: bytes)
    }
}

// MARK: - Animated PNG

extension TestAnimation {
    /// Takes an animated PNG apart, and checks the order and the numbers of its chunks.
    init(png file: [UInt8]) throws {
        try #require(file.starts(with: TestPNG.signature))
        var at = 8
        var (header, before, data): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
        var next = 0
        var names: [String] = []
        func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
        func decode() throws {
            guard var frame = frames.popLast() else { return }
            let size = bigEndian(frame.rect.width, 4) + bigEndian(frame.rect.height, 4)
            let still =
                TestPNG.signature + TestPNG.chunk("IHDR", size + header[8...]) + before + TestPNG.chunk("IDAT", data)
                + TestPNG.chunk("IEND", [])
            frame.pixels = try PNG.read(bytes: still, name: "frame").pixels
            frames.append(frame)
            data = []
        }
        while at < file.count {
            let count = number(file[at..<at + 4])
            let name = String(decoding: file[at + 4..<at + 8], as: UTF8.self)
            let bytes = Array(file[at + 8..<at + 8 + count])
            try #require(Array(file[at..<at + 12 + count]) == TestPNG.chunk(name, bytes), "the checksum of \(name)")
            at += 12 + count
            names.append(name)
            switch name {
            case "IHDR": (header, width, height) = (bytes, number(bytes[0..<4]), number(bytes[4..<8]))
            case "acTL": (statedFrames, plays) = (number(bytes[0..<4]), number(bytes[4..<8]))
            case "fcTL":
                try decode()
                try #require(number(bytes[0..<4]) == next)
                next += 1
                let parts = [4, 8, 12, 16].map { number(bytes[$0..<$0 + 4]) }
                frames.append(
                    Frame(
                        rect: Rect(x: parts[2], y: parts[3], width: parts[0], height: parts[1]),
                        duration: (number(bytes[20..<22]), number(bytes[22..<24])), isBlended: bytes[25] != 0,
                        isDisposed: bytes[24] != 0))
            case "IDAT":
                try #require(frames.count == 1)
                data += bytes
            case "fdAT":
                try #require(frames.count > 1 && number(bytes[0..<4]) == next)
                next += 1
                data += bytes[4...]
            case "IEND": try decode()
            default: before += TestPNG.chunk(name, bytes)
            }
        }
        try #require(names.first == "IHDR" && names.last == "IEND" && names.filter { $0 == "acTL" }.count == 1)
    }
}

// MARK: - Animated WebP

extension TestAnimation {
    /// Takes an animated WebP file apart.
    init(webp file: [UInt8]) throws {
        try #require(Self.chunks(file[12...]).first?.name == "VP8X", "the file is a still picture")
        for (name, bytes) in Self.chunks(file[12...]) {
            func number(_ range: Range<Int>) -> Int { bytes[range].reversed().reduce(0) { $0 << 8 | Int($1) } }
            switch name {
            case "VP8X": (width, height) = (number(4..<7) + 1, number(7..<10) + 1)
            case "ANIM": plays = number(4..<6)
            case "ANMF":
                var frame = Frame(
                    rect: Rect(
                        x: 2 * number(0..<3), y: 2 * number(3..<6), width: number(6..<9) + 1,
                        height: number(9..<12) + 1),
                    duration: (number(12..<15), 1000), isBlended: bytes[15] & 2 == 0, isDisposed: bytes[15] & 1 != 0)
                frame.pixels = try Self.still(Array(bytes[16...]), frame.rect)
                frames.append(frame)
            default: break
            }
        }
    }

    /// Returns the profile of a WebP file; nil if there is none.
    static func profile(webp file: [UInt8]) -> [UInt8]? { chunks(file[12...]).first { $0.name == "ICCP" }?.bytes }

    /// Decodes the chunks of a frame as a still picture, and adds alpha if it has none.
    private static func still(_ chunks: [UInt8], _ rect: Rect) throws -> PixelBuffer {
        func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
        let size = number(rect.width - 1, 3) + number(rect.height - 1, 3)
        // The bit 16 of the flags announces alpha.
        let head: [UInt8] = Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 16, 0, 0, 0]
        let body: [UInt8] = head + size + chunks
        let file: [UInt8] = Array("RIFF".utf8) + number(body.count, 4) + body
        let image = try ImageFile.read(bytes: file, name: "frame").pixels
        guard image.format.channels == .rgb else { return image }
        let pixels = stride(from: 0, to: image.bytes.count, by: 3).flatMap { image.bytes[$0..<$0 + 3] + [255] }
        return try PixelBuffer(
            layout: PixelLayout(width: image.width, height: image.height, format: PixelFormat(.rgba)), bytes: pixels)
    }

    private static func chunks(_ bytes: ArraySlice<UInt8>) -> [(name: String, bytes: [UInt8])] {
        var (rest, result) = (bytes, [(String, [UInt8])]())
        while rest.count >= 8 {
            let name = String(decoding: rest.prefix(4), as: UTF8.self)
            let count = rest.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            result.append((name, Array(rest.dropFirst(8).prefix(count))))
            rest = rest.dropFirst(8 + count + count % 2)
        }
        return result
    }
}
