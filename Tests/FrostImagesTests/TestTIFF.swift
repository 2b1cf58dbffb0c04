/// A page of an uncompressed TIFF file. The encoder shares no code with the library.
struct TestTIFF {
    var width: Int
    var height: Int
    var bits = 8
    var samples = 1
    /// TIFF's photometric interpretation: 0 white is zero, 1 black is zero, 2 RGB, 3 palette, 5 CMYK.
    var photometric = 1
    /// The data of the strips or tiles, in the file's byte order.
    var pieces: [[UInt8]]
    /// The number of rows per strip; nil puts all rows into one strip.
    var rowsPerStrip: Int?
    /// The width and height of a tile; nil if the page consists of strips.
    var tile: (Int, Int)?
    /// Additional tags, of type 3 (16 bits) or 4 (32 bits).
    var more: [(tag: Int, type: Int, values: [Int])] = []

    static let (subfileType, compression, orientation, planar, extraSamples, sampleFormat, colorMap) =
        (254, 259, 274, 284, 338, 339, 320)

    /// Returns the bytes of a file with these pages.
    static func file(_ pages: [TestTIFF], isLittle: Bool = true) -> [UInt8] {
        func number(_ value: Int, _ size: Int) -> [UInt8] {
            let bytes = bigEndian(value, size)
            return isLittle ? bytes.reversed() : bytes
        }
        var file: [UInt8] = (isLittle ? [0x49, 0x49] : [0x4D, 0x4D]) + number(42, 2) + number(0, 4)
        var link = 4
        for page in pages {
            var offsets: [Int] = []
            for piece in page.pieces {
                offsets.append(file.count)
                file += piece
            }
            if file.count % 2 == 1 { file.append(0) }
            var entries = page.entries(offsets)
            entries.sort { $0.tag < $1.tag }
            // Values that do not fit into a directory entry are stored before the directory.
            let fields: [[UInt8]] = entries.map { entry in
                let size = entry.type == 3 ? 2 : 4
                let bytes = entry.values.flatMap { number($0, size) }
                let head = number(entry.tag, 2) + number(entry.type, 2) + number(entry.values.count, 4)
                guard bytes.count > 4 else { return head + bytes + [UInt8](repeating: 0, count: 4 - bytes.count) }
                let place = file.count
                file += bytes
                return head + number(place, 4)
            }
            file.replaceSubrange(link..<link + 4, with: number(file.count, 4))
            file += number(fields.count, 2) + fields.joined()
            link = file.count
            file += number(0, 4)
        }
        return file
    }

    private func entries(_ offsets: [Int]) -> [(tag: Int, type: Int, values: [Int])] {
        let counts = pieces.map(\.count)
        var all: [(tag: Int, type: Int, values: [Int])] = [
            (256, 4, [width]), (257, 4, [height]), (258, 3, [Int](repeating: bits, count: samples)),
            (262, 3, [photometric]), (277, 3, [samples]),
        ]
        if let tile {
            all += [(322, 4, [tile.0]), (323, 4, [tile.1]), (324, 4, offsets), (325, 4, counts)]
        } else {
            all += [(273, 4, offsets), (278, 4, [rowsPerStrip ?? height]), (279, 4, counts)]
        }
        if !more.contains(where: { $0.tag == Self.compression }) { all.append((Self.compression, 3, [1])) }
        return all + more
    }
}
