import CJPEG
import FrostCore

/// Reads a JPEG row by row, as 8-bit grey, RGB or CMYK. CMYK pixels have four channels, and 255 means no ink; see
/// ``ImageMetadata/colorModel``. The reader rotates the pixels upright, as the orientation in EXIF states. libjpeg
/// fills the missing parts of a truncated or damaged file with invented pixels. This reader throws an error for such a
/// file, unless ``ImageReadOptions/failOn`` tolerates the fault.
///
/// A picture that must be rotated, or that is progressive (has several scans), is read completely before the first row
/// is returned.
///
/// Thread-safety: a reader may move between threads, but only one thread at a time may use it.
struct JPEGReader: FormatReader, ~Copyable, Sendable {
    /// The path of the file. For an input without a path, this is its name in error messages.
    let name: String
    /// The layout of the upright pixels. The rows have no padding.
    let layout: PixelLayout
    /// The metadata of the file.
    let metadata: ImageMetadata
    /// The number of rows read so far.
    private(set) var rowsRead = 0

    let memory: DecodingMemory
    private let handle: JPEGReadHandle
    private let problems: ReadProblems
    private let orientation: Orientation
    /// The layout of the pixels in the file, before rotation.
    private let stored: PixelLayout
    /// The upright picture, if the file had to be read as a whole; otherwise nil.
    private var whole: PixelBuffer?

    init(source: ByteSource, _ options: ImageReadOptions, problems: ReadProblems) throws(ImageError) {
        // All fields of a noncopyable value must be set together, so nothing may throw between the assignments.
        let handle = try JPEGReadHandle(source: source, failOn: options.failOn)
        let found = try handle.open()
        let (width, height) = (Int(found.width), Int(found.height))
        try options.limits.check(width: width, height: height, name: source.name)
        if let size = source.size, found.minimum_bytes > size, options.failOn.refuses(.truncation) {
            throw .truncated(
                path: source.name, format: .jpeg, reason: "the file is too short for \(width)x\(height) pixels",
                offset: UInt64(size))
        }
        try options.limits.check(width: width, height: height, of: source)
        let (metadata, orientation) = ImageMetadata.reading(found, handle.segments, problems)
        let format =
            switch found.channels {
            case 1: PixelFormat(.grey, colorSpace: metadata.colorSpace)
            case 3: PixelFormat(.rgb, colorSpace: metadata.colorSpace)
            // CMYK pixels are marked as premultiplied. Otherwise a filter could take the fourth channel for alpha, and
            // multiply the other channels by it.
            default: PixelFormat(.rgba, alpha: .premultiplied, colorSpace: metadata.colorSpace)
            }
        let stored = try PixelLayout(reading: width, height, format, name: source.name)
        // If the file has several scans, libjpeg keeps all coefficients in memory.
        let coefficients = found.has_several_scans ? Int(clamping: found.coefficient_bytes) : 0
        let memory =
            orientation == .upright
            ? DecodingMemory(decoder: coefficients) : .whole(decoder: coefficients, stored, orientation)
        try options.limits.check(memory: memory.byRows, name: source.name)
        try Memory.check(coefficients, for: source.name)
        layout = try orientation.turned(stored, name: source.name)
        self.stored = stored
        self.memory = memory
        precondition(stored.rowByteCount == found.row_bytes, "libjpeg and Frost disagree about the rows' size")
        name = source.name
        self.metadata = metadata
        self.orientation = orientation
        self.handle = handle
        self.problems = problems
    }

    /// Reads the part of the file that follows the pixels, and records libjpeg's warning if there is one.
    private borrowing func end() throws(ImageError) {
        try handle.end()
        if let warning = handle.warning { problems.add("libjpeg warns: \(warning)") }
        handle.leaveOutRest(problems)
    }

    /// Reads the next row into the first `layout.rowByteCount` bytes of `row`. Before the last row is returned, the
    /// reader also reads and checks the rest of the file.
    ///
    /// Do not use the reader again after an error.
    ///
    /// - Precondition: fewer than `layout.height` rows have been read, and `row` is long enough.
    mutating func readRow(into row: inout MutableRawSpan) throws(ImageError) {
        precondition(rowsRead < layout.height, "all rows have been read")
        precondition(row.byteCount >= layout.rowByteCount, "the row is too short")
        if orientation == .upright {
            if rowsRead == 0 { try handle.start() }
            try readStoredRow(into: &row)
            if rowsRead + 1 == layout.height { try end() }
        } else {
            let pixels: PixelBuffer
            if let whole { pixels = whole } else { pixels = try readPixels() }
            whole = pixels
            pixels.copyRow(rowsRead, into: &row)
        }
        rowsRead += 1
        if rowsRead == layout.height { whole = nil }
    }

    /// Reads the whole image, to the end of the file.
    ///
    /// - Precondition: no row has been read yet.
    mutating func readPixels() throws(ImageError) -> PixelBuffer {
        try Memory.check(stored.byteCount * (orientation == .upright ? 1 : 2), for: name)
        try handle.start()
        let pixels = try PixelBuffer(rows: stored) { (row) throws(ImageError) in try readStoredRow(into: &row) }
        try end()
        return orientation.upright(pixels, layout)
    }

    private borrowing func readStoredRow(into row: inout MutableRawSpan) throws(ImageError) {
        // SAFETY: the row has room for the bytes of a stored row.
        try unsafe row.withUnsafeMutableBytes { out throws(ImageError) in try unsafe handle.readRow(into: out) }
    }
}
