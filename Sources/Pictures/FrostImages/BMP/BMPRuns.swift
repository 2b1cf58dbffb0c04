/// The indices of a BMP whose pixels are runs of equal numbers: RLE8, and RLE4 with two numbers by turns.
struct BMPRuns {
    private let header: BMPHeader
    private var indices: [UInt8]
    /// The number of indices that are known, in the order of the file. The rest of a truncated or damaged file is unknown.
    private var known: Int

    /// Decodes the runs. Pixels that they leave out have the index 0.
    init(
        _ header: BMPHeader, _ file: WholeFile, _ source: ByteSource, _ failOn: FailOn, _ problems: ReadProblems
    ) throws(ImageError) {
        self.header = header
        known = header.width * header.height
        indices = [UInt8](repeating: 0, count: known)
        var (bytes, place) = (FileBytes(file: file, source: source, offset: header.pixels), Place())
        do throws(ImageError) {
            while try step(&bytes, &place) {}
        } catch {
            try problems.accept(error, failOn)
            known = place.y * header.width + min(place.x, header.width)
        }
    }

    /// Returns the indices of a row, counted from the top. They are fewer if the rest is unknown.
    func row(_ y: Int) -> some Sequence<Int> {
        let line = header.isTopDown ? y : header.height - 1 - y
        let start = line * header.width
        return indices[start..<max(start, min(start + header.width, known))].lazy.map { Int($0) }
    }

    /// The next pixel, in the order of the file.
    private struct Place { var (x, y) = (0, 0) }

    /// Decodes one code. Returns false at the end of the pixels.
    private mutating func step(_ bytes: inout FileBytes, _ place: inout Place) throws(ImageError) -> Bool {
        // A file need not state its end if all rows are complete.
        if place.y >= header.height || place.y == header.height - 1 && place.x == header.width {
            return false
        }
        let (count, value) = (Int(try bytes.next()), try bytes.next())
        if count > 0 {
            for i in 0..<count {
                try store(header.bits == 8 ? value : i % 2 == 0 ? value >> 4 : value & 15, bytes, &place)
            }
            return true
        }
        switch value {
        case 0: place = Place(x: 0, y: place.y + 1)
        case 1: return false
        case 2:
            place.x += Int(try bytes.next())
            place.y += Int(try bytes.next())
            guard place.x <= header.width, place.y < header.height else {
                throw bytes.corrupt("a pixel is outside of the picture")
            }
        default:
            // Numbers that are not repeated. They end at an even byte.
            let size = header.bits == 8 ? Int(value) : (Int(value) + 1) / 2
            for i in 0..<size {
                let byte = try bytes.next()
                if header.bits == 8 {
                    try store(byte, bytes, &place)
                } else {
                    try store(byte >> 4, bytes, &place)
                    if 2 * i + 1 < value { try store(byte & 15, bytes, &place) }
                }
            }
            if size % 2 == 1 { _ = try bytes.next() }
        }
        return true
    }

    private mutating func store(_ index: UInt8, _ bytes: FileBytes, _ place: inout Place) throws(ImageError) {
        guard place.x < header.width, place.y < header.height else {
            throw bytes.corrupt("a run ends outside of its row")
        }
        indices[place.y * header.width + place.x] = index
        place.x += 1
    }
}

/// The bytes of a file from an offset, one by one.
private struct FileBytes {
    let file: WholeFile
    let source: ByteSource
    /// The number of the byte at which the next block begins.
    var offset: Int
    private var block: [UInt8] = []
    private var at = 0

    init(file: WholeFile, source: ByteSource, offset: Int) {
        (self.file, self.source, self.offset) = (file, source, offset)
    }

    mutating func next() throws(ImageError) -> UInt8 {
        if at == block.count {
            block = try file.bytes(at: offset, 1 << 16, of: source)
            (offset, at) = (offset + block.count, 0)
            guard !block.isEmpty else {
                throw .truncated(
                    path: source.name, format: .bmp, reason: "the file ends early", offset: UInt64(file.size))
            }
        }
        at += 1
        return block[at - 1]
    }

    func corrupt(_ reason: String) -> ImageError {
        .corrupt(path: source.name, format: .bmp, reason: reason, offset: UInt64(offset - block.count + at))
    }
}
