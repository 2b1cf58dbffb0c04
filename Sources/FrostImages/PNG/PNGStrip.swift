import CPNGShim
import FrostCore

/// Rows of a PNG that are filtered and compressed independently, so that several threads can share the work. Deflate's
/// matches do not cross strips, which costs less than a thousandth of the file.
///
/// The best compression depends on the content: a blurred photograph has no repetitions worth a search, text has little
/// else. So every way is tried on a sample of the strip. The result depends neither on other strips nor on the number
/// of threads.
struct PNGStrip: Sendable {
    /// What the rows have in common.
    struct Shape: Sendable {
        let rowBytes: Int
        let pixelBytes: Int
        let bits: UInt32
        let isBGRA: Bool
        /// Rows per strip: enough to outweigh the cost of synchronising threads, few enough to hold several strips in
        /// memory.
        let rows: Int
        /// The ways to try, the fastest first.
        let ways: [Way]

        init(_ layout: PixelLayout, ways: [Way]) {
            let format = layout.format
            rowBytes = layout.rowByteCount
            pixelBytes = format.bytesPerPixel
            bits = UInt32(format.sample.size * 8)
            isBGRA = format.channels == .bgra
            rows = min(layout.height, max(1, (1 << 20) / (rowBytes + 1)))
            self.ways = ways
        }

        /// Rows in a sample: 32 KiB, deflate's window.
        var sampleRows: Int { max(1, (1 << 15) / (rowBytes + 1)) }
    }

    /// A filter and a way to compress what it outputs.
    struct Way: Sendable, Hashable {
        let filter: frost_png_filter
        let method: Deflate.Method
    }

    /// A strip's compressed bytes, in the file's byte order.
    struct Compressed: Sendable {
        var bytes: [UInt8]
        /// The checksum of the filtered rows.
        let checksum: Adler32
        let count: Int
    }

    private let shape: Shape
    /// The row above the strip, then its rows, in the machine's byte order.
    private var pixels: [UInt8]
    private(set) var rows = 0

    /// - Parameter above: the previous strip; nil for the first.
    init(_ shape: Shape, below above: PNGStrip? = nil) {
        self.shape = shape
        pixels = above.map { Array($0.pixels.suffix(shape.rowBytes)) } ?? [UInt8](repeating: 0, count: shape.rowBytes)
        pixels.reserveCapacity(shape.rowBytes * (shape.rows + 1))
    }

    var isFull: Bool { rows == shape.rows }

    /// Appends a row: the first `rowBytes` bytes of `row`.
    mutating func append(_ row: RawSpan) {
        // SAFETY: bytes are trivial, and copied within the call.
        unsafe row.withUnsafeBytes { row in unsafe pixels.append(contentsOf: row.prefix(shape.rowBytes)) }
        rows += 1
    }

    /// Filters and compresses the rows. Returns nil if memory is short.
    ///
    /// - Parameters: whether the strip is the image's first and its last.
    consuming func compressed(isFirst: Bool, isLast: Bool) -> Compressed? {
        guard let deflate = Deflate() else { return nil }
        let shape = shape
        // SAFETY: the shim stays within the bytes.
        unsafe pixels.withUnsafeMutableBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            unsafe frost_png_order(base, pixels.count, shape.bits, shape.isBGRA)
        }
        let way = best(deflate)
        let filtered = filter(0..<rows, by: way.filter)
        let bytes = deflate.compress(filtered[...], by: way.method, isLast: isLast)
        return Compressed(
            bytes: isFirst ? Deflate.header + bytes : bytes, checksum: Adler32(filtered), count: filtered.count)
    }

    /// The way that compresses some rows from the middle of the strip to the smallest size. Of sizes within a sixteenth
    /// of each other it takes the first, which is the fastest.
    private func best(_ deflate: Deflate) -> Way {
        guard shape.ways.count > 1 else { return shape.ways[0] }
        let count = min(rows, shape.sampleRows)
        let sample = (rows - count) / 2..<(rows + count) / 2
        // The sample sees the rows before it, as it will in the strip.
        let history = max(0, sample.lowerBound - shape.sampleRows)..<sample.lowerBound
        var best = shape.ways[0]
        var minimum = Int.max
        for way in shape.ways {
            let bytes = filter(history.lowerBound..<sample.upperBound, by: way.filter)
            let start = history.count * (shape.rowBytes + 1)
            let size = deflate.compress(bytes[start...], after: bytes[..<start], by: way.method, isLast: true).count
            if size < minimum - minimum / 16 { (best, minimum) = (way, size) }
        }
        return best
    }

    private func filter(_ rows: Range<Int>, by filter: frost_png_filter) -> [UInt8] {
        let shape = shape
        let count = rows.count * (shape.rowBytes + 1)
        // SAFETY: `pixels` has one row more than the strip, and each filtered row is written whole.
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { out, initialized in
            unsafe pixels.withUnsafeBufferPointer { pixels in
                guard var out = out.baseAddress, var above = pixels.baseAddress else { return }
                unsafe above += rows.lowerBound * shape.rowBytes
                for _ in rows {
                    unsafe frost_png_filter_row(
                        out, above + shape.rowBytes, above, shape.rowBytes, shape.pixelBytes, filter)
                    unsafe out += shape.rowBytes + 1
                    unsafe above += shape.rowBytes
                }
            }
            initialized = count
        }
    }
}

extension PNGStrip.Way {
    /// The ways to try, the fastest first.
    static func candidates(_ options: PNGWriteOptions) -> [Self] {
        let matches = Deflate.Method.matches(level: options.level)
        let filter = options.filter.number
        guard options.level > 0 else { return [Self(filter: filter ?? FROST_PNG_FILTER_NONE, method: matches)] }
        if let filter { return [.huffman, .runs, matches].map { Self(filter: filter, method: $0) } }
        // Runs and plain bytes suit photographs, sharp or blurred, which Paeth predicts best. Matches suit drawings, in
        // which a filter may hide repetitions.
        return [
            Self(filter: FROST_PNG_FILTER_PAETH, method: .huffman),
            Self(filter: FROST_PNG_FILTER_PAETH, method: .runs),
            Self(filter: FROST_PNG_FILTER_SUB, method: matches),
            Self(filter: FROST_PNG_FILTER_NONE, method: matches),
        ]
    }
}

extension PNGWriteOptions.Filter {
    /// nil for the adaptive filter.
    fileprivate var number: frost_png_filter? {
        switch self {
        case .none: FROST_PNG_FILTER_NONE
        case .sub: FROST_PNG_FILTER_SUB
        case .up: FROST_PNG_FILTER_UP
        case .average: FROST_PNG_FILTER_AVERAGE
        case .paeth: FROST_PNG_FILTER_PAETH
        case .adaptive: nil
        }
    }
}
