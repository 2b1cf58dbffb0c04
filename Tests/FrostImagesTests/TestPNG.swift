/// A small PNG encoder that shares no code with the library and uses neither libpng nor zlib. Its rows use PNG's five
/// filters in turn, and its data is stored in uncompressed deflate blocks.
struct TestPNG {
    var width: Int
    var height: Int
    /// The colour type of IHDR: 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGBA.
    var colorType: Int
    var bitDepth: Int
    var isInterlaced = false
    /// The samples, row by row and pixel by pixel. Each of them is below 2^bitDepth.
    var samples: [Int]
    /// The palette. Each entry is the red, green and blue of one index.
    var palette: [[UInt8]] = []
    /// The content of the tRNS chunk.
    var transparency: [UInt8]?
    /// Additional chunks between IHDR and PLTE.
    var extra: [(String, [UInt8])] = []

    static func channels(_ colorType: Int) -> Int { [1, 0, 3, 1, 2, 0, 4][colorType] }

    var channels: Int { Self.channels(colorType) }

    /// Returns the bytes of the whole file.
    func encoded() -> [UInt8] {
        var chunks: [(String, [UInt8])] = [("IHDR", header)]
        chunks += extra
        if !palette.isEmpty { chunks.append(("PLTE", palette.flatMap { $0 })) }
        if let transparency { chunks.append(("tRNS", transparency)) }
        // There are two IDAT chunks, because PNG allows the pixel data to be split anywhere.
        let data = zlibStored(filteredRows())
        chunks.append(("IDAT", Array(data[..<(data.count / 2)])))
        chunks.append(("IDAT", Array(data[(data.count / 2)...])))
        chunks.append(("IEND", []))
        return Self.signature + chunks.flatMap { Self.chunk($0.0, $0.1) }
    }

    var header: [UInt8] {
        bigEndian(width, 4) + bigEndian(height, 4)
            + [UInt8(bitDepth), UInt8(colorType), 0, 0, isInterlaced ? 1 : 0]
    }

    static let signature: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]

    static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return bigEndian(content.count, 4) + body + bigEndian(Int(crc32(body)), 4)
    }

    // MARK: Rows

    /// The Adam7 passes. Each entry gives the first x, the first y, the step in x and the step in y.
    private static let adam7 = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ]

    private func filteredRows() -> [UInt8] {
        let passes = isInterlaced ? Self.adam7 : [(0, 0, 1, 1)]
        return passes.flatMap { x0, y0, stepX, stepY -> [UInt8] in
            var out: [UInt8] = []
            var above: [UInt8] = []
            let columns = Array(stride(from: x0, to: width, by: stepX))
            if columns.isEmpty { return out }
            for (n, y) in stride(from: y0, to: height, by: stepY).enumerated() {
                let row = packed(columns.flatMap { samples[((y * width + $0) * channels)...].prefix(channels) })
                if above.isEmpty { above = [UInt8](repeating: 0, count: row.count) }
                out += filtered(row, above: above, filter: n % 5)
                above = row
            }
            return out
        }
    }

    private func packed(_ values: [Int]) -> [UInt8] {
        if bitDepth == 16 { return values.flatMap { bigEndian($0, 2) } }
        let perByte = 8 / bitDepth
        return stride(from: 0, to: values.count, by: perByte).map { start in
            var byte = 0
            for i in 0..<perByte {
                byte = byte << bitDepth | (start + i < values.count ? values[start + i] : 0)
            }
            return UInt8(byte)
        }
    }

    private func filtered(_ row: [UInt8], above: [UInt8], filter: Int) -> [UInt8] {
        let step = max(1, channels * bitDepth / 8)
        return [UInt8(filter)]
            + row.indices.map { i in
                let left = i >= step ? Int(row[i - step]) : 0
                let corner = i >= step ? Int(above[i - step]) : 0
                let up = Int(above[i])
                let paeth: Int = {
                    let p = left + up - corner
                    let (a, b, c) = (abs(p - left), abs(p - up), abs(p - corner))
                    return a <= b && a <= c ? left : b <= c ? up : corner
                }()
                return row[i] &- UInt8([0, left, up, (left + up) / 2, paeth][filter])
            }
    }
}

/// Returns the low `count` bytes of a value, highest byte first.
func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
}

/// Returns a zlib stream of uncompressed blocks.
func zlibStored(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
        let block = rest.prefix(65535)
        rest = rest.dropFirst(65535)
        let n = block.count
        out += [rest.isEmpty ? 1 : 0, UInt8(n & 255), UInt8(n >> 8), UInt8(~n & 255), UInt8(~n >> 8 & 255)] + block
    } while !rest.isEmpty
    var (a, b) = (1, 0)
    for byte in bytes {
        a = (a + Int(byte)) % 65521
        b = (b + a) % 65521
    }
    return out + bigEndian(b << 16 | a, 4)
}

/// Returns the names and contents of a PNG file's chunks, without any checks.
func chunks(of file: [UInt8]) -> [(name: String, content: [UInt8])] {
    var result: [(String, [UInt8])] = []
    var at = 8
    while at + 12 <= file.count {
        let size = file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
        let name = String(decoding: file[at + 4..<at + 8], as: UTF8.self)
        result.append((name, Array(file[at + 8..<at + 8 + size])))
        at += 12 + size
    }
    return result
}
