/// A GIF file. The encoder shares no code with the library. Its codes have nine bits, because it begins anew before they grow.
struct TestGIF {
    struct Frame {
        var x = 0, y = 0
        var width: Int, height: Int
        var indices: [UInt8]
        /// In hundredths of a second.
        var delay = 0
        var disposal = 0
        var transparent: UInt8?
        var isInterlaced = false
    }
    var width: Int
    var height: Int
    var frames: [Frame]
    /// How often the frames are repeated; nil if the file does not state it.
    var repeats: Int?

    /// Red, green and blue of an index: index, 255 - index, 128.
    static func color(_ index: UInt8) -> [Int] { [Int(index), 255 - Int(index), 128, 255] }

    var bytes: [UInt8] {
        func number(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
        var file: [UInt8] = Array("GIF89a".utf8)
        file += number(width)
        file += number(height)
        file += [0xF7, 0, 0]
        for i in 0..<256 { file += [UInt8(i), UInt8(255 - i), 128] }
        if let repeats {
            file += [0x21, 0xFF, 11]
            file += Array("NETSCAPE2.0".utf8)
            file += [3, 1]
            file += number(repeats)
            file.append(0)
        }
        for frame in frames {
            file += [0x21, 0xF9, 4, UInt8(frame.disposal << 2) | (frame.transparent == nil ? 0 : 1)]
            file += number(frame.delay)
            file += [frame.transparent ?? 0, 0, 0x2C]
            for value in [frame.x, frame.y, frame.width, frame.height] { file += number(value) }
            file += [frame.isInterlaced ? 0x40 : 0, 8]
            var rest = Self.compressed(frame.indices)[...]
            while !rest.isEmpty {
                let part = rest.prefix(255)
                file.append(UInt8(part.count))
                file += part
                rest = rest.dropFirst(255)
            }
            file.append(0)
        }
        return file + [0x3B]
    }

    private static func compressed(_ indices: [UInt8]) -> [UInt8] {
        var (bytes, bits, count): ([UInt8], Int, Int) = ([], 0, 0)
        func put(_ code: Int) {
            bits |= code << count
            count += 9
            while count >= 8 {
                bytes.append(UInt8(bits & 255))
                (bits, count) = (bits >> 8, count - 8)
            }
        }
        for (i, index) in indices.enumerated() {
            if i % 200 == 0 { put(256) }
            put(Int(index))
        }
        put(257)
        return count > 0 ? bytes + [UInt8(bits)] : bytes
    }
}
