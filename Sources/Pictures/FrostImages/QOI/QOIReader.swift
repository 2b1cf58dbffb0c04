import FrostCore

/// Reads a QOI file (qoiformat.org), version 1.0, row by row. Frost implements the format itself, because the
/// specification of QOI is only one page long. The only library for QOI needs the whole file in memory, and invents the
/// missing pixels of a truncated file.
struct QOIReader: FormatReader, ~Copyable, @unchecked Sendable {
    // The reader is Sendable because nothing else uses its source.
    let name: String
    let layout: PixelLayout
    let metadata: ImageMetadata
    let memory = DecodingMemory()
    private(set) var rowsRead = 0

    private var cursor: SourceCursor
    private let problems: ReadProblems
    private var state = QOI.DecoderState()
    /// The number of pixels that have not been decoded yet, without those of the current run.
    private var pixelsLeft: Int

    init(source: ByteSource, _ options: ImageReadOptions, problems: ReadProblems) throws(ImageError) {
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
        try options.limits.check(width: width, height: height, of: source)
        let metadata = ImageMetadata(colorSpace: header[13] == 1 ? .linear : .sRGB)
        let format = PixelFormat(header[12] == 3 ? .rgb : .rgba, colorSpace: metadata.colorSpace)
        layout = try PixelLayout(reading: width, height, format, name: name)
        self.metadata = metadata
        self.name = name
        self.cursor = cursor
        self.problems = problems
        pixelsLeft = width * height
    }

    mutating func readRow(into row: inout MutableRawSpan) throws(ImageError) {
        let (width, channels) = (layout.width, layout.format.channels.count)
        precondition(row.byteCount >= layout.rowByteCount, "the row is too short")
        // SAFETY: the row has room for `width` pixels, and `decode` writes at most the given number of pixels.
        try unsafe row.withUnsafeMutableBytes { out throws(ImageError) in
            guard let base = out.baseAddress else { return }
            var x = 0
            while x < width {
                let pixels = unsafe base + x * channels
                let before = state.run
                var done = 0
                unsafe cursor.consume { bytes in
                    unsafe state.decode(bytes, into: pixels, width - x, channels, &done)
                }
                if done == 0 {
                    // The buffer may end within an operation, so its bytes are taken one by one.
                    var operation = [try byte()]
                    while operation.count < QOI.length(operation[0]) { operation.append(try byte()) }
                    unsafe operation.withUnsafeBufferPointer { bytes in
                        _ = unsafe state.decode(bytes, into: pixels, width - x, channels, &done)
                    }
                }
                x += done
                pixelsLeft -= done + state.run - before
                guard pixelsLeft >= 0 else { throw corrupt("a run extends past the last pixel") }
            }
        }
        rowsRead += 1
        guard rowsRead == layout.height else { return }
        for expected in QOI.end where try byte() != expected { throw corrupt("its end marker is not valid") }
        problems.leaveOut(after: UInt64(cursor.offset), of: cursor.source)
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

extension QOI {
    /// The state of a decoder: what the operations of the file refer to.
    struct DecoderState {
        private var pixel = Packed(start)
        private var seen = [Packed](repeating: Packed(.zero), count: 64)
        /// The number of pixels that still repeat the last one.
        private(set) var run = 0

        /// A pixel whose red is in the lowest byte.
        private struct Packed {
            var bits: UInt32

            init(_ pixel: Pixel) {
                bits = (0..<4).reduce(0) { $0 | UInt32(pixel[$1]) << UInt32(8 * $1) }
            }

            @inline(__always) var slot: Int {
                let (red, green) = (bits & 255, bits >> 8 & 255)
                let (blue, alpha) = (bits >> 16 & 255, bits >> 24)
                return Int((red &* 3 &+ green &* 5 &+ blue &* 7 &+ alpha &* 11) & 63)
            }

            /// Adds differences to red, green and blue. Each wraps around.
            @inline(__always) mutating func add(_ red: UInt32, _ green: UInt32, _ blue: UInt32) {
                bits =
                    (bits &+ red) & 0xFF | (bits &+ green << 8) & 0xFF00 | (bits &+ blue << 16) & 0xFF_0000
                    | bits & 0xFF00_0000
            }
        }

        /// Decodes operations until `count` pixels are complete, or until the bytes might not hold another operation.
        ///
        /// - Parameters:
        ///   - bytes: the next bytes of the file.
        ///   - out: memory for `count` pixels.
        ///   - channels: 3 or 4, the number of bytes per pixel in `out`.
        ///   - done: becomes the number of pixels that were written.
        /// - Returns: the number of bytes that were consumed.
        @unsafe mutating func decode(
            _ bytes: UnsafeBufferPointer<UInt8>, into out: UnsafeMutableRawPointer, _ count: Int, _ channels: Int,
            _ done: inout Int
        ) -> Int {
            // The compiler specialises the loop for each number of channels.
            channels == 4
                ? unsafe decode(bytes, into: out, count, channels: 4, &done)
                : unsafe decode(bytes, into: out, count, channels: 3, &done)
        }

        @inline(__always)
        @unsafe private mutating func decode(
            _ bytes: UnsafeBufferPointer<UInt8>, into out: UnsafeMutableRawPointer, _ count: Int, channels: Int,
            _ done: inout Int
        ) -> Int {
            guard let start = bytes.baseAddress else {
                done = 0
                return 0
            }
            var (pixel, run) = (pixel, run)
            // SAFETY: an operation is read only if all of its bytes are before `end`.
            var next = unsafe start
            let end = unsafe start + bytes.count
            let safe = unsafe bytes.count >= longestOperation ? end - longestOperation : start - 1
            var x = 0
            unsafe seen.withUnsafeMutableBufferPointer { seen in
                while x < count {
                    if run > 0 {
                        let repeated = min(run, count - x)
                        for i in x..<x + repeated { unsafe Self.store(pixel, out, i, count, channels) }
                        x += repeated
                        run -= repeated
                        continue
                    }
                    if unsafe next > safe {
                        guard unsafe next < end, unsafe next + length(next[0]) <= end else { break }
                    }
                    let first = unsafe UInt32(next[0])
                    switch first >> 6 {
                    case 0:
                        pixel = unsafe seen[Int(first)]
                        unsafe next += 1
                    case 1:
                        pixel.add((first >> 4 & 3) &- 2, (first >> 2 & 3) &- 2, (first & 3) &- 2)
                        unsafe next += 1
                    case 2:
                        let green = (first & 63) &- 32
                        let second = unsafe UInt32(next[1])
                        pixel.add(green &+ (second >> 4) &- 8, green, green &+ (second & 15) &- 8)
                        unsafe next += 2
                    default:
                        guard first >= 0xFE else {
                            run = Int(first & 63)
                            unsafe next += 1
                            break
                        }
                        let color = unsafe UInt32(next[1]) | UInt32(next[2]) << 8 | UInt32(next[3]) << 16
                        let hasAlpha = first == 0xFF
                        pixel.bits = unsafe color | (hasAlpha ? UInt32(next[4]) << 24 : pixel.bits & 0xFF00_0000)
                        unsafe next += hasAlpha ? 5 : 4
                    }
                    unsafe seen[pixel.slot] = pixel
                    unsafe Self.store(pixel, out, x, count, channels)
                    x += 1
                }
            }
            (self.pixel, self.run, done) = (pixel, run, x)
            return unsafe next - start
        }

        /// Stores a pixel. Three bytes are stored as four if another pixel follows, which overwrites the fourth.
        @inline(__always)
        @unsafe private static func store(
            _ pixel: Packed, _ out: UnsafeMutableRawPointer, _ i: Int, _ count: Int, _ channels: Int
        ) {
            if channels == 4 || i + 1 < count {
                unsafe out.storeBytes(of: pixel.bits.littleEndian, toByteOffset: i * channels, as: UInt32.self)
            } else {
                for k in 0..<3 {
                    unsafe out.storeBytes(
                        of: UInt8(truncatingIfNeeded: pixel.bits >> UInt32(8 * k)), toByteOffset: i * 3 + k,
                        as: UInt8.self)
                }
            }
        }
    }

    /// The maximum number of bytes of an operation.
    private static let longestOperation = 5

    /// Returns the number of bytes of the operation that begins with a byte.
    @inline(__always) static func length(_ first: UInt8) -> Int {
        switch first {
        case 0x80..<0xC0: 2
        case 0xFE: 4
        case 0xFF: 5
        default: 1
        }
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
