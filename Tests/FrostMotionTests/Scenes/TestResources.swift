import FrostCore
import FrostMotion

/// Pictures and videos made of formulas, under any name. A name that begins with "missing" is refused.
struct TestResources: SceneResources {
    func picture(named name: String) throws(SceneResourceError) -> PixelBuffer {
        guard !name.hasPrefix("missing") else { throw SceneResourceError("no such file") }
        return Self.picture(seed: name.utf8.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xFFFF }, width: 123, height: 77)
    }

    func video(named name: String) throws(SceneResourceError) -> any SceneVideo {
        guard !name.hasPrefix("missing") else { throw SceneResourceError("no such file") }
        return TestVideo()
    }

    /// Returns a picture of smooth and sharp parts.
    static func picture(seed: Int, width: Int, height: Int, alpha: Bool = true) -> PixelBuffer {
        let format = PixelFormat(alpha ? .rgba : .rgb)
        guard let layout = try? PixelLayout(width: width, height: height, format: format) else {
            preconditionFailure("a valid layout")
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(layout.byteCount)
        for y in 0..<height {
            for x in 0..<width {
                let square = ((x + seed) / 16 + y / 16) % 2 == 0
                bytes.append(UInt8((x * 5 + seed) & 255))
                bytes.append(square ? 230 : 20)
                bytes.append(UInt8((y * 3 + seed * 7) & 255))
                if alpha { bytes.append(x < width / 8 ? UInt8(x & 127) : 255) }
            }
        }
        guard let picture = try? PixelBuffer(layout: layout, bytes: bytes) else {
            preconditionFailure("enough bytes")
        }
        return picture
    }
}

final class TestVideo: SceneVideo {
    let frameCount = 20
    let framesPerSecond = 10.0

    func frame(_ index: Int) throws(SceneResourceError) -> PixelBuffer {
        guard (0..<frameCount).contains(index) else { throw SceneResourceError("no frame \(index)") }
        return TestResources.picture(seed: index * 3, width: 320, height: 200, alpha: false)
    }
}
