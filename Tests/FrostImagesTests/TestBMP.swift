/// A BMP file. The encoder shares no code with the library.
struct TestBMP {
    var width: Int
    var height: Int
    var bits: Int
    /// The number of bytes of the header: 12 for that of OS/2, 40 for that of Windows 3, 124 for the longest one.
    var header = 40
    /// 0 for none, 1 and 2 for runs, 3 and 6 for masks.
    var compression = 0
    var isTopDown = false
    /// The colours of the palette: blue, green, red.
    var palette: [[UInt8]] = []
    var masks: [Int] = []
    /// The name of the colour space, of headers of at least 108 bytes.
    var space = 0
    var profile: [UInt8] = []
    /// The pixels, in the order of the file.
    var pixels: [UInt8]

    /// Returns the bytes of rows, each padded to a multiple of four.
    static func rows(_ rows: [[UInt8]]) -> [UInt8] {
        rows.flatMap { (row: [UInt8]) -> [UInt8] in
            row + [UInt8](repeating: 0, count: (row.count + 3) / 4 * 4 - row.count)
        }
    }

    var bytes: [UInt8] {
        func number(_ value: Int, _ size: Int) -> [UInt8] { (0..<size).map { UInt8(value >> (8 * $0) & 255) } }
        let rows = isTopDown ? -height : height
        var info: [UInt8]
        if header == 12 {
            info = number(12, 4)
            for value in [width, height, 1, bits] { info += number(value, 2) }
        } else {
            info = number(header, 4)
            for value in [width, rows] { info += number(value, 4) }
            for value in [1, bits] { info += number(value, 2) }
            for value in [compression, pixels.count, 2835, 2835, palette.count, 0] { info += number(value, 4) }
            info += masks.flatMap { number($0, 4) }
            if header > 40 { info += [UInt8](repeating: 0, count: max(0, header - info.count)) }
            if header >= 108 { info.replaceSubrange(56..<60, with: number(space, 4)) }
        }
        let colors: [UInt8] = header == 12 ? palette.flatMap { $0 } : palette.flatMap { $0 + [0] }
        let start = 14 + info.count + colors.count
        if header == 124 {
            info.replaceSubrange(112..<116, with: number(start - 14 + pixels.count, 4))
            info.replaceSubrange(116..<120, with: number(profile.count, 4))
        }
        let end = start + pixels.count + profile.count
        var file: [UInt8] = Array("BM".utf8)
        for value in [end, 0, start] { file += number(value, 4) }
        for part in [info, colors, pixels, profile] { file += part }
        return file
    }
}
