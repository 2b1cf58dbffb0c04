import FrostCore

/// Reads PBM, PGM, PPM, PAM and PFM files row by row. PFM stores the bottom row first, so a PFM file is read completely
/// before the first row is returned. Integer samples are scaled to the full range of 8 or 16 bits. Float samples are
/// unchanged.
struct NetpbmReader: FormatReader, ~Copyable, @unchecked Sendable {
    // The reader is Sendable because nothing else uses its source.
    let name: String
    /// The format of the file. A PBM file has the format PGM here.
    let format: ImageFormat
    let layout: PixelLayout
    let metadata = ImageMetadata()
    let memory: DecodingMemory
    private(set) var rowsRead = 0

    private let header: NetpbmHeader
    private var cursor: SourceCursor
    /// One row of the file, in the encoding of the file.
    private var line: [UInt8]
    /// The whole picture, if the file is a PFM; nil before the first row and after the last row.
    private var whole: PixelBuffer?

    private let failOn: FailOn
    private let problems: ReadProblems

    init(source: ByteSource, _ options: ImageReadOptions, problems: ReadProblems) throws(ImageError) {
        let name = source.name
        var cursor = SourceCursor(source)
        let header = try NetpbmHeader(&cursor, limits: options.limits)
        if let size = source.size, size - cursor.offset < header.rowByteCount * header.height,
            options.failOn.refuses(.truncation)
        {
            throw .truncated(
                path: name, format: header.format,
                reason: "the file is too short for \(header.width)x\(header.height) pixels", offset: UInt64(size))
        }
        try options.limits.check(width: header.width, height: header.height, of: source)
        if !header.isText {
            problems.leaveOut(after: UInt64(cursor.offset + header.rowByteCount * header.height), of: source)
        }
        let layout = try PixelLayout(
            reading: header.width, header.height, PixelFormat(header.channels, header.sample), name: name)
        let memory: DecodingMemory =
            switch header.coding {
            case .text, .digits, .bits, .bytes: DecodingMemory()
            case .floats: .whole(decoder: 0, layout)
            }
        try options.limits.check(memory: memory.byRows, name: name)
        self.layout = layout
        self.memory = memory
        line = [UInt8](repeating: 0, count: header.isText ? 0 : header.rowByteCount)
        self.name = name
        format = header.format
        self.header = header
        self.cursor = cursor
        failOn = options.failOn
        self.problems = problems
    }

    mutating func readRow(into row: inout MutableRawSpan) throws(ImageError) {
        if case .floats = header.coding {
            let pixels: PixelBuffer
            if let whole { pixels = whole } else { pixels = try readPixels() }
            whole = rowsRead + 1 == layout.height ? nil : pixels
            pixels.copyRow(rowsRead, into: &row)
        } else {
            try readNext(into: &row)
        }
        rowsRead += 1
    }

    mutating func readPixels() throws(ImageError) -> PixelBuffer {
        try Memory.check(layout.byteCount, for: name)
        let layout = layout
        var isUpsideDown = false
        if case .floats = header.coding { isUpsideDown = true }
        // SAFETY: the loop fills every row, or the closure throws.
        return try unsafe PixelBuffer(layout: layout) { bytes throws(ImageError) in
            if failOn.toleratesMissingPixels { unsafe MissingPixels.fill(bytes, layout.format) }
            do throws(ImageError) {
                for i in 0..<layout.height {
                    let y = isUpsideDown ? layout.height - 1 - i : i
                    let start = y * layout.rowByteCount
                    let part = unsafe UnsafeMutableRawBufferPointer(
                        rebasing: bytes[start..<start + layout.rowByteCount])
                    var row = unsafe part.mutableBytes
                    try readNext(into: &row)
                }
            } catch {
                try problems.accept(error, failOn)
            }
        }
    }

    /// Reads the next row in the order of the file. PFM files store the bottom row first.
    private mutating func readNext(into row: inout MutableRawSpan) throws(ImageError) {
        let count = layout.width * layout.format.channels.count
        if !header.isText {
            guard try cursor.fill(&line) else { throw corrupt("the file ends early", isTruncated: true) }
        }
        switch header.coding {
        case .text: for i in 0..<count { try store(number(), i, &row) }
        case .digits: for i in 0..<count { try store(1 - digit(), i, &row) }
        case .bits: storeBits(count, &row)
        case .bytes where header.maximum == 255: storeBytes(count, &row)
        case .bytes where header.maximum > 255:
            for i in 0..<count { try store(Int(line[2 * i]) << 8 | Int(line[2 * i + 1]), i, &row) }
        case .bytes: for i in 0..<count { try store(Int(line[i]), i, &row) }
        case .floats(let isLittle):
            // SAFETY: here and below, every bit pattern is a valid number, and the span checks its bounds.
            for i in 0..<count {
                let digits = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(line[4 * i + (isLittle ? 3 - $1 : $1)]) }
                row.storeBytes(of: digits, toByteOffset: 4 * i, as: UInt32.self)
            }
        }
    }

    /// Converts the current line of a bitmap, in which 1 is black. Eight pixels are stored together.
    private func storeBits(_ count: Int, _ row: inout MutableRawSpan) {
        // SAFETY: the line has a bit for each of the `count` pixels, and the row has a byte for each.
        unsafe line.withUnsafeBufferPointer { line in
            unsafe row.withUnsafeMutableBytes { out in
                for i in 0..<count / 8 {
                    unsafe out.storeBytes(of: Self.pixels(line[i]), toByteOffset: 8 * i, as: UInt64.self)
                }
                for i in count / 8 * 8..<count {
                    unsafe out[i] = line[i / 8] >> (7 - i % 8) & 1 == 1 ? 0 : 255
                }
            }
        }
    }

    /// Returns the eight pixels that a byte of a bitmap holds. The first pixel is the highest bit, and becomes the
    /// first byte in memory.
    @inline(__always)
    private static func pixels(_ byte: UInt8) -> UInt64 {
        // Each byte of the product has one of the bits in its highest bit; the first pixel's is in the lowest byte. The
        // bit then fills its byte.
        let bits = UInt64(~byte) &* 0x8040_2010_0804_0201 & 0x8080_8080_8080_8080
        return ((bits >> 7) &* 255).littleEndian
    }

    /// Copies the current line, whose values need no scaling.
    private func storeBytes(_ count: Int, _ row: inout MutableRawSpan) {
        // SAFETY: the line and the row have `count` bytes.
        unsafe line.withUnsafeBytes { line in
            unsafe row.withUnsafeMutableBytes { out in
                unsafe out.copyMemory(from: UnsafeRawBufferPointer(rebasing: line[..<count]))
            }
        }
    }

    /// Scales a value from 0...`maximum` to the full range of 8 or 16 bits, and stores it.
    @inline(__always)
    private func store(_ value: Int, _ i: Int, _ row: inout MutableRawSpan) throws(ImageError) {
        let maximum = header.maximum
        guard value <= maximum else { throw corrupt("the value \(value) exceeds the maximum of \(maximum)") }
        if maximum > 255 {
            let scaled = maximum == 65535 ? value : (value * 65535 + maximum / 2) / maximum
            row.storeBytes(of: UInt16(scaled), toByteOffset: 2 * i, as: UInt16.self)
        } else {
            let scaled = maximum == 255 ? value : (value * 255 + maximum / 2) / maximum
            row.storeBytes(of: UInt8(scaled), toByteOffset: i, as: UInt8.self)
        }
    }

    /// Reads the next digit of a plain PBM file. Digits need no space between them.
    private mutating func digit() throws(ImageError) -> Int {
        while true {
            switch try cursor.byte() {
            case .some(UInt8(ascii: "0")): return 0
            case .some(UInt8(ascii: "1")): return 1
            case .some(UInt8(ascii: "#")): while let next = try cursor.byte(), next != 10, next != 13 {}
            case .some(32), .some(9...13): continue
            case nil: throw corrupt("the file ends early", isTruncated: true)
            case .some(let byte) where (UInt8(ascii: "2")...UInt8(ascii: "9")).contains(byte):
                throw corrupt("invalid digit \(byte - 48) (a bitmap has only 0 and 1)")
            case .some: throw corrupt("a value is not a number")
            }
        }
    }

    /// Reads the next number of a plain (text) file.
    private mutating func number() throws(ImageError) -> Int {
        var value: Int?
        while true {
            let byte = try cursor.byte()
            switch byte {
            case .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
                value = (value ?? 0) * 10 + Int(byte ?? 0) - 48
                guard value ?? 0 <= 65535 else { throw corrupt("a value has too many digits") }
            case .some(UInt8(ascii: "#")) where value == nil:
                while let next = try cursor.byte(), next != 10, next != 13 {}
            case .some(32), .some(9...13), nil:
                if let value { return value }
                if byte == nil { throw corrupt("the file ends early", isTruncated: true) }
            default: throw corrupt("a value is not a number")
            }
        }
    }

    private func corrupt(_ reason: String, isTruncated: Bool = false) -> ImageError {
        let offset = UInt64(cursor.offset)
        return isTruncated
            ? .truncated(path: name, format: header.format, reason: reason, offset: offset)
            : .corrupt(path: name, format: header.format, reason: reason, offset: offset)
    }
}
