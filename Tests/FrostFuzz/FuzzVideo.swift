import FrostCore
@testable import FrostImages

enum FuzzVideo {
    private static let limits = ImageLimits(maximumSide: 512, maximumPixels: 1 << 14)
    /// The number of frames after which reading stops.
    private static let longest = 8

    static func runY4M(_ bytes: [UInt8]) { read(bytes, raw: nil) }

    /// The first three bytes choose the format and the size of the frames.
    static func runRaw(_ bytes: [UInt8]) {
        guard bytes.count >= 3 else { return }
        let format = VideoFormat.raw[Int(bytes[0]) % VideoFormat.raw.count].format
        guard let raw = try? VideoFormat(width: Int(bytes[1]), height: Int(bytes[2]), pixels: format) else { return }
        read(Array(bytes[3...]), raw: raw)
    }

    private static func read(_ bytes: [UInt8], raw: VideoFormat?) {
        do throws(ImageError) {
            let reader = try VideoReader(bytes: bytes, name: "fuzz", raw: raw, limits: limits)
            let format = reader.format
            while reader.framesRead < longest, let frame = try reader.next() {
                require(frame.planes.map(\.layout) == format.planes, "a frame has another format than its stream")
            }
        } catch { require(!"\(error)".isEmpty) }
    }
}
