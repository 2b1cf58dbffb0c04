/// Small ICC profiles for tests: valid profiles, and profiles with a single fault.
public enum TestProfile {
    /// Returns the ICC profile of a display with sRGB's primaries and a gamma of 2.2.
    ///
    /// - Parameters:
    ///   - isGrey: true for a grey profile, false for an RGB profile.
    ///   - size: the size of the profile in bytes. Incompressible text pads the profile to this size.
    public static func bytes(isGrey: Bool = false, size: Int = 512) -> [UInt8] {
        func xyz(_ values: Double...) -> [UInt8] { Array("XYZ \0\0\0\0".utf8) + values.flatMap { word($0 * 65536) } }
        let curve = Array("curv\0\0\0\0".utf8) + word(1) + [2, 51, 0, 0]
        let white = ("wtpt", xyz(0.9642, 1, 0.8249))
        let colors =
            isGrey
            ? [("kTRC", curve)]
            : [
                ("rXYZ", xyz(0.4361, 0.2225, 0.0139)), ("gXYZ", xyz(0.3851, 0.7169, 0.0971)),
                ("bXYZ", xyz(0.1431, 0.0606, 0.7141)), ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
            ]
        var tags = [white] + colors
        let start = 132 + 12 * (tags.count + 1)
        let rest = size - tags.reduce(start) { $0 + $1.1.count }
        precondition(rest > 12 && size % 4 == 0, "no room for the tags")
        var noise = SeededGenerator(seed: 5)
        // Texts without spaces would count as encoded pictures.
        let text = (9..<rest).map { $0 % 9 == 0 ? 32 : UInt8.random(in: 33...126, using: &noise) }
        tags.append(("cprt", Array("text\0\0\0\0".utf8) + text + [0]))

        var header = [UInt8](repeating: 0, count: 128)
        func put(_ part: [UInt8], at index: Int) { header.replaceSubrange(index..<index + part.count, with: part) }
        put(word(Double(size)), at: 0)
        put([2, 0x40, 0, 0] + Array("mntr\(isGrey ? "GRAY" : "RGB ")XYZ ".utf8), at: 8)
        put(Array("acsp".utf8), at: 36)
        put(word(0.9642 * 65536) + word(65536) + word(0.8249 * 65536), at: 68)
        var table = word(Double(tags.count))
        var next = start
        for (name, content) in tags {
            table += Array(name.utf8) + word(Double(next)) + word(Double(content.count))
            next += content.count
        }
        return header + table + tags.flatMap(\.1)
    }

    /// Changes to an RGB profile. Each change replaces the bytes at the offset `at` by `bytes`, which makes the profile
    /// unusable.
    public static let faults: [(name: String, at: Int, bytes: [UInt8])] = [
        ("longer than it is", 2, [3]), ("version 9", 8, [9]), ("from device to device", 12, Array("link".utf8)),
        ("by no space of colours", 20, Array("RGB ".utf8)), ("no signature", 36, [0]), ("no such intent", 64, [1]),
        ("a million tags", 129, [16]), ("a tag behind the end", 137, [1]), ("no red", 144, Array("none".utf8)),
        ("a curve that is a text", 308, Array("text".utf8)),
    ]

    /// Returns an RGB profile with one fault.
    public static func bytes(with fault: (name: String, at: Int, bytes: [UInt8])) -> [UInt8] {
        var bytes = bytes()
        bytes.replaceSubrange(fault.at..<fault.at + fault.bytes.count, with: fault.bytes)
        return bytes
    }

    private static func word(_ value: Double) -> [UInt8] {
        let bits = UInt32(value.rounded())
        return (0..<4).map { UInt8(truncatingIfNeeded: bits >> (24 - 8 * $0)) }
    }
}
