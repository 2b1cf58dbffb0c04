import CPNGShim
import FrostCore

/// Rows of a PNG that are filtered and compressed on their own, so that several threads can each do some: deflate's
/// matches do not cross strips, which costs less than a thousandth of the file.
///
/// How a strip is best compressed depends on what is in it: a blurred photograph has no repetitions that are worth
/// looking for, text has little else. So each way is tried on a sample of the strip. Nothing depends on other strips or on
/// the number of threads.
struct PNGStrip: Sendable {
    /// What the rows have in common.
    struct Shape: Sendable {
        let rowBytes: Int
        let pixelBytes: Int
        let bits: UInt32
        let isBGRA: Bool
        /// In a strip: enough for the threads' work to outweigh their meeting, little enough for a few to be kept.
        let rows: Int
        /// What may be made of a strip, the quicker first.
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

        /// In a sample: as far back as deflate can look.
        var sampleRows: Int { max(1, (1 << 15) / (rowBytes + 1)) }
    }

    /// A filter and what is made of its result.
    struct Way: Sendable, Hashable {
        let filter: frost_png_filter
        let method: Deflate.Method
    }

    /// Of a strip, in the file's order.
    struct Compressed: Sendable {
        var bytes: [UInt8]
        /// Of the filtered rows.
        let checksum: Adler32
        let count: Int
    }

    private let shape: Shape
    /// The row above the strip, and its rows, in the caller's order.
    private var pixels: [UInt8]
    private(set) var rows = 0

    /// - Parameter above: the strip before; nil for the first.
    init(_ shape: Shape, below above: PNGStrip? = nil) {
        self.shape = shape
        pixels = above.map { Array($0.pixels.suffix(shape.rowBytes)) } ?? [UInt8](repeating: 0, count: shape.rowBytes)
        pixels.reserveCapacity(shape.rowBytes * (shape.rows + 1))
    }

    var isFull: Bool { rows == shape.rows }

    /// Appends a row: the first bytes of `row`, which has enough of them.
    mutating func append(_ row: RawSpan) {
        // SAFETY: bytes are trivial, and copied within the call.
        unsafe row.withUnsafeBytes { row in unsafe pixels.append(contentsOf: row.prefix(shape.rowBytes)) }
        rows += 1
    }

    /// Filters and compresses the rows. Nil when out of memory.
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

    /// The way that makes least of some rows in the strip's middle. Of those that come within a sixteenth of each other
    /// the one named first, which is the quicker.
    private func best(_ deflate: Deflate) -> Way {
        guard shape.ways.count > 1 else { return shape.ways[0] }
        let count = min(rows, shape.sampleRows)
        let sample = (rows - count) / 2..<(rows + count) / 2
        // What goes before it is known, as it will be then.
        let history = max(0, sample.lowerBound - shape.sampleRows)..<sample.lowerBound
        var best = shape.ways[0]
        var least = Int.max
        for way in shape.ways {
            let bytes = filter(history.lowerBound..<sample.upperBound, by: way.filter)
            let start = history.count * (shape.rowBytes + 1)
            let size = deflate.compress(bytes[start...], after: bytes[..<start], by: way.method, isLast: true).count
            if size < least - least / 16 { (best, least) = (way, size) }
        }
        return best
    }

    private func filter(_ rows: Range<Int>, by filter: frost_png_filter) -> [UInt8] {
        let shape = shape
        let count = rows.count * (shape.rowBytes + 1)
        // SAFETY: `pixels` has a row more than there are in the strip; each filtered row is written whole.
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
    /// What is tried, the quicker first.
    static func candidates(_ options: PNGWriteOptions) -> [Self] {
        let matches = Deflate.Method.matches(level: options.level)
        let filter = options.filter.number
        guard options.level > 0 else { return [Self(filter: filter ?? FROST_PNG_FILTER_NONE, method: matches)] }
        if let filter { return [.huffman, .runs, matches].map { Self(filter: filter, method: $0) } }
        // Runs and bytes alone are for photographs, blurred or not, which Paeth predicts best; matches are for drawings,
        // where a filter may hide more than it finds.
        return [
            Self(filter: FROST_PNG_FILTER_PAETH, method: .huffman),
            Self(filter: FROST_PNG_FILTER_PAETH, method: .runs),
            Self(filter: FROST_PNG_FILTER_SUB, method: matches),
            Self(filter: FROST_PNG_FILTER_NONE, method: matches),
        ]
    }
}

extension PNGWriteOptions.Filter {
    /// Nil for the adaptive one.
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
