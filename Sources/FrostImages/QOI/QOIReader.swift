import FrostCore

/// Reads a QOI file (qoiformat.org), version 1.0, row by row. Frost implements the format itself because its
/// specification is one page long. Its only library needs the whole file in memory and invents the missing pixels of a
/// truncated file.
struct QOIReader: RowReader, ~Copyable, @unchecked Sendable {
    // The reader is Sendable because nothing else uses its source.
    let name: String
    let layout: PixelLayout
    let metadata: ImageMetadata
    private(set) var rowsRead = 0

    private var cursor: SourceCursor
    private var pixel = QOI.start
    private var seen = [QOI.Pixel](repeating: .zero, count: 64)
    private var run = 0

    init(source: ByteSource, _ options: ImageReadOptions) throws(ImageError) {
        let name = source.name
        func corrupt(_ reason: String, _ offset: Int) -> ImageError {
            .corrupt(path: name, format: .qoi, reason: reason, offset: UInt64(offset))
        }
        var cursor = SourceCursor(source)
        var header = [UInt8](repeating: 0, count: QOI.headerSize)
        guard try cursor.fill(&header) else {
            throw corrupt("the file ends before the end of its header", cursor.offset)
        }
        let width = header[4..<8].reduce(0) { $0 << 8 | Int($1) }
        let height = header[8..<12].reduce(0) { $0 << 8 | Int($1) }
        guard width > 0, height > 0 else { throw corrupt("invalid size \(width)x\(height)", 12) }
        try options.limits.check(width: width, height: height, name: name)
        guard header[12] == 3 || header[12] == 4, header[13] <= 1 else {
            throw corrupt("invalid channels \(header[12]) or colour space \(header[13])", 14)
        }
        // The longest run in a QOI file encodes 62 pixels in one byte.
        if let size = source.size, width * height / 62 > size, options.failOn.refuses(.truncation) {
            throw .truncated(
                path: name, format: .qoi, reason: "the file is too short for \(width)x\(height) pixels",
                offset: UInt64(size))
        }
        let metadata = ImageMetadata(colorSpace: header[13] == 1 ? .linear : .sRGB)
        let format = PixelFormat(header[12] == 3 ? .rgb : .rgba, colorSpace: metadata.colorSpace)
        layout = try PixelLayout(reading: width, height, format, name: name)
        self.metadata = metadata
        self.name = name
        self.cursor = cursor
    }

    mutating func readRow(into row: inout MutableRawSpan) throws(ImageError) {
        let channels = layout.format.channels.count
        for x in 0..<layout.width {
            if run > 0 { run -= 1 } else { try decode() }
            // SAFETY: every byte is a valid value, and the span checks its bounds.
            for i in 0..<channels {
                row.storeBytes(of: pixel[i], toByteOffset: x * channels + i, as: UInt8.self)
            }
        }
        rowsRead += 1
        guard rowsRead == layout.height else { return }
        guard run == 0 else { throw corrupt("a run extends past the last pixel") }
        for expected in QOI.end where try byte() != expected { throw corrupt("its end marker is not valid") }
    }

    private mutating func decode() throws(ImageError) {
        let first = try byte()
        switch first {
        case 0xFE, 0xFF:
            for i in 0..<(first == 0xFF ? 4 : 3) { pixel[i] = try byte() }
        case 0..<0x40: pixel = seen[Int(first)]
        case 0x40..<0x80:
            pixel[0] &+= (first >> 4 & 3) &- 2
            pixel[1] &+= (first >> 2 & 3) &- 2
            pixel[2] &+= (first & 3) &- 2
        case 0x80..<0xC0:
            let green = (first & 63) &- 32
            let second = try byte()
            pixel[0] &+= green &+ (second >> 4) &- 8
            pixel[1] &+= green
            pixel[2] &+= green &+ (second & 15) &- 8
        default: run = Int(first & 63)
        }
        seen[QOI.slot(pixel)] = pixel
    }

    private mutating func byte() throws(ImageError) -> UInt8 {
        guard let byte = try cursor.byte() else {
            throw .truncated(path: name, format: .qoi, reason: "the file ends early", offset: UInt64(cursor.offset))
        }
        return byte
    }

    private func corrupt(_ reason: String) -> ImageError {
        .corrupt(path: name, format: .qoi, reason: reason, offset: UInt64(cursor.offset))
    }
}

/// The constants and the hash function that the QOI reader and encoder share.
enum QOI {
    typealias Pixel = SIMD4<UInt8>
    static let headerSize = 14
    static let magic = Array("qoif".utf8)
    static let end: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
    /// The initial value of the previous pixel, as QOI defines it: opaque black.
    static let start = Pixel(0, 0, 0, 255)

    /// Returns the index of a pixel in QOI's table of recent pixels.
    @inline(__always)
    static func slot(_ pixel: Pixel) -> Int {
        (Int(pixel[0]) * 3 + Int(pixel[1]) * 5 + Int(pixel[2]) * 7 + Int(pixel[3]) * 11) & 63
    }
}
