import CPNG
import FrostCore

/// A strip of PNG rows that is filtered and compressed independently of other strips, so that several threads can share
/// the work. Repetitions that cross the border of a strip are not found. This enlarges the file by less than a
/// thousandth.
///
/// The best compression depends on the content: a blurred photograph has hardly any repetitions, and text consists
/// mostly of repetitions. So the encoder tries every candidate method on a sample of the strip. The choice of the
/// method depends neither on other strips nor on the number of threads.
struct PNGStrip: Sendable {
    /// The properties that all strips of a picture share.
    struct Settings: Sendable {
        let rowBytes: Int
        let pixelBytes: Int
        let bits: UInt32
        let isBGRA: Bool
        /// The number of rows per strip: enough to outweigh the cost of synchronising threads, and few enough to hold
        /// several strips in memory.
        let rows: Int
        /// The compression methods to try, the fastest first.
        let combinations: [Combination]

        init(_ layout: PixelLayout, combinations: [Combination]) {
            let format = layout.format
            rowBytes = layout.rowByteCount
            pixelBytes = format.bytesPerPixel
            bits = UInt32(format.sample.size * 8)
            isBGRA = format.channels == .bgra
            rows = min(layout.height, max(1, (1 << 20) / (rowBytes + 1)))
            self.combinations = combinations
        }

        /// The number of rows in a sample. A sample has about 32 KiB, the size of deflate's window.
        var sampleRows: Int { max(1, (1 << 15) / (rowBytes + 1)) }
    }

    /// A combination of a PNG filter and a method to compress the filtered bytes.
    struct Combination: Sendable, Hashable {
        let filter: frost_png_filter
        let method: Deflate.Method
    }

    /// The result of compressing a strip. The bytes appear in the file in this order.
    struct Compressed: Sendable {
        var bytes: [UInt8]
        /// The checksum of the strip's filtered rows.
        let checksum: Adler32
        let count: Int
    }

    private let settings: Settings
    /// The row above the strip, followed by the rows of the strip, in the byte order of the machine.
    private var pixels: [UInt8]
    private(set) var rows = 0

    /// Creates an empty strip.
    ///
    /// - Parameter above: the previous strip of the picture; nil for the first strip.
    init(_ settings: Settings, below above: PNGStrip? = nil) {
        self.settings = settings
        pixels =
            above.map { Array($0.pixels.suffix(settings.rowBytes)) } ?? [UInt8](repeating: 0, count: settings.rowBytes)
        pixels.reserveCapacity(settings.rowBytes * (settings.rows + 1))
    }

    var isFull: Bool { rows == settings.rows }

    /// Appends a row: the first `rowBytes` bytes of `row`.
    mutating func append(_ row: RawSpan) {
        // SAFETY: bytes are trivial values, and the call copies them.
        unsafe row.withUnsafeBytes { row in unsafe pixels.append(contentsOf: row.prefix(settings.rowBytes)) }
        rows += 1
    }

    /// Filters and compresses the rows. Returns nil if memory runs out.
    ///
    /// - Parameters:
    ///   - isFirst: whether this is the first strip of the image.
    ///   - isLast: whether this is the last strip of the image.
    consuming func compressed(isFirst: Bool, isLast: Bool) -> Compressed? {
        guard let deflate = Deflate() else { return nil }
        let settings = settings
        // SAFETY: the shim accesses only the given bytes.
        unsafe pixels.withUnsafeMutableBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            unsafe frost_png_order(base, pixels.count, settings.bits, settings.isBGRA)
        }
        let combination = best(deflate)
        let filtered = filter(0..<rows, by: combination.filter)
        let bytes = deflate.compress(filtered[...], by: combination.method, isLast: isLast)
        return Compressed(
            bytes: isFirst ? Deflate.header + bytes : bytes, checksum: Adler32(filtered), count: filtered.count)
    }

    /// Returns the combination of filter and method that compresses rows from the middle of the strip to the smallest
    /// size. If a slower method saves less than a sixteenth, the faster method is preferred.
    private func best(_ deflate: Deflate) -> Combination {
        guard settings.combinations.count > 1 else { return settings.combinations[0] }
        let count = min(rows, settings.sampleRows)
        let sample = (rows - count) / 2..<(rows + count) / 2
        // When the whole strip is compressed, matches may refer to earlier rows. The sample is therefore compressed with
        // the rows before it as its history.
        let history = max(0, sample.lowerBound - settings.sampleRows)..<sample.lowerBound
        var best = settings.combinations[0]
        var minimum = Int.max
        for combination in settings.combinations {
            let bytes = filter(history.lowerBound..<sample.upperBound, by: combination.filter)
            let start = history.count * (settings.rowBytes + 1)
            let size = deflate.compress(bytes[start...], after: bytes[..<start], by: combination.method, isLast: true)
                .count
            if size < minimum - minimum / 16 { (best, minimum) = (combination, size) }
        }
        return best
    }

    private func filter(_ rows: Range<Int>, by filter: frost_png_filter) -> [UInt8] {
        let settings = settings
        let count = rows.count * (settings.rowBytes + 1)
        // SAFETY: `pixels` has one row more than the strip, and the loop writes each filtered row completely.
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { out, initialized in
            unsafe pixels.withUnsafeBufferPointer { pixels in
                guard var out = out.baseAddress, var above = pixels.baseAddress else { return }
                unsafe above += rows.lowerBound * settings.rowBytes
                for _ in rows {
                    unsafe frost_png_filter_row(
                        out, above + settings.rowBytes, above, settings.rowBytes, settings.pixelBytes, filter)
                    unsafe out += settings.rowBytes + 1
                    unsafe above += settings.rowBytes
                }
            }
            initialized = count
        }
    }
}

extension PNGStrip.Combination {
    /// Returns the compression methods to try, the fastest first.
    static func candidates(_ options: PNGWriteOptions) -> [Self] {
        let matches = Deflate.Method.matches(level: options.level)
        let filter = options.filter.number
        guard options.level > 0 else { return [Self(filter: filter ?? FROST_PNG_FILTER_NONE, method: matches)] }
        if let filter { return [.huffman, .runs, matches].map { Self(filter: filter, method: $0) } }
        // Photographs, sharp or blurred, are predicted best by the Paeth filter. For them it is best to search only for
        // runs, or for no matches at all. For drawings it is best to search for all matches. A filter may hide the
        // repetitions of a drawing, so the last candidate uses no filter.
        return [
            Self(filter: FROST_PNG_FILTER_PAETH, method: .huffman),
            Self(filter: FROST_PNG_FILTER_PAETH, method: .runs),
            Self(filter: FROST_PNG_FILTER_SUB, method: matches),
            Self(filter: FROST_PNG_FILTER_NONE, method: matches),
        ]
    }
}

extension PNGWriteOptions.Filter {
    /// The number of the filter in CPNG; nil for the adaptive choice.
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
