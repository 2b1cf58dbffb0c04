import CPNG
import FrostCore
import Glibc

/// Reads a PNG file row by row. For every colour type and bit depth of the file, the pixels are grey or RGB, with 8 or
/// 16 bits per sample. They have alpha if the file has alpha or a tRNS chunk. Palette indices become the colours of the
/// palette. Grey of less than 8 bits is scaled to 8 bits. 16-bit samples have the byte order of the machine. The reader
/// rotates the pixels upright, as the orientation in EXIF states.
///
/// The reader checks the size in the file's header, and the memory that decoding takes, against the limits before it
/// reads or allocates anything for the pixels.
///
/// Thread-safety: a reader may move between threads, but only one thread at a time may use it.
struct PNGReader: FormatReader, ~Copyable, Sendable {
    /// The path of the file. For an input without a path, this is its name in error messages.
    let name: String
    /// The header of the file. Its size is that of the stored picture, before rotation.
    let header: PNGHeader
    /// The layout of the upright pixels. The rows have no padding.
    let layout: PixelLayout
    /// The metadata of the file.
    let metadata: ImageMetadata
    /// The number of rows read so far.
    private(set) var rowsRead = 0

    let memory: DecodingMemory
    private let limits: ImageLimits
    private let handle: PNGReadHandle
    private let failOn: FailOn
    private let problems: ReadProblems
    /// How the stored picture is turned to be upright.
    let orientation: Orientation
    /// The layout of the pixels in the file, before rotation.
    private let stored: PixelLayout
    /// The upright pixels of an interlaced or rotated image, which is read as a whole before the first row is returned.
    private var whole: PixelBuffer?

    init(source: ByteSource, _ options: ImageReadOptions, problems: ReadProblems) throws(ImageError) {
        // All fields of a noncopyable value must be set together, so nothing may throw between the assignments.
        let header = try PNGHeader(parsing: source.peek(PNGHeader.byteCount), limits: options.limits, name: source.name)
        if let size = source.size, options.failOn.refuses(.truncation) {
            try header.checkPlausible(fileSize: size, name: source.name)
        }
        try options.limits.check(width: header.width, height: header.height, of: source)
        let handle = try PNGReadHandle(source: source, header: header)
        let found = try handle.start(problems)
        if found.isAnimated, !options.firstFrame { throw .animated(path: source.name, format: .png) }
        let memory =
            header.isInterlaced || found.orientation != .upright
            ? DecodingMemory.whole(decoder: 0, found.stored, found.orientation) : DecodingMemory()
        try options.limits.check(memory: memory.byRows, name: source.name)
        layout = try found.orientation.turned(found.stored, name: source.name)
        (stored, metadata, orientation) = (found.stored, found.metadata, found.orientation)
        self.memory = memory
        limits = options.limits
        name = source.name
        self.header = header
        self.handle = handle
        failOn = options.failOn
        self.problems = problems
    }

    /// Reads the part of the file that follows the pixels, and records libpng's warning if there is one.
    private borrowing func end() throws(ImageError) {
        try handle.end(problems)
        guard let warning = handle.warning else { return }
        if failOn.refuses(.warning) { throw .corrupt(path: name, format: .png, reason: warning, offset: nil) }
        problems.add("libpng warns: \(warning)")
    }

    /// Reads the next row into the first `layout.rowByteCount` bytes of `row`. Before the last row is returned, the
    /// reader also reads and checks the rest of the file. A truncated file therefore never yields all of its rows.
    ///
    /// Do not use the reader again after an error.
    ///
    /// - Precondition: fewer than `layout.height` rows have been read, and `row` is long enough.
    mutating func readRow(into row: inout MutableRawSpan) throws(ImageError) {
        precondition(rowsRead < layout.height, "all rows have been read")
        precondition(row.byteCount >= layout.rowByteCount, "the row is too short")
        if header.isInterlaced || orientation != .upright {
            let pixels: PixelBuffer
            if let whole { pixels = whole } else { pixels = try readPixels() }
            whole = pixels
            pixels.copyRow(rowsRead, into: &row)
            rowsRead += 1
            if rowsRead == layout.height { whole = nil }
        } else {
            // SAFETY: the row has room for the bytes that libpng writes.
            try unsafe row.withUnsafeMutableBytes { out throws(ImageError) in try unsafe handle.readRow(into: out) }
            rowsRead += 1
            if rowsRead == layout.height { try end() }
        }
    }

    /// Reads the whole image, to the end of the file.
    ///
    /// - Precondition: no row has been read yet.
    consuming func readImage() throws(ImageError) -> DecodedImage {
        precondition(rowsRead == 0, "rows have been read already")
        try limits.check(memory: memory.whole(layout), name: name)
        return DecodedImage(pixels: try readPixels(), metadata: metadata)
    }

    borrowing func readPixels() throws(ImageError) -> PixelBuffer {
        try Memory.check(stored.byteCount * (orientation == .upright ? 1 : 2), for: name)
        let (stride, format) = (stored.bytesPerRow, stored.format)
        var isWhole = true
        // SAFETY: the memory has `stored.byteCount` bytes. All of them are filled, or the closure throws.
        let pixels = try unsafe PixelBuffer(layout: stored) { bytes throws(ImageError) in
            if failOn.toleratesMissingPixels { unsafe MissingPixels.fill(bytes, format) }
            do throws(ImageError) { try unsafe handle.readImage(into: bytes, stride: stride) } catch {
                try problems.accept(error, failOn)
                isWhole = false
            }
        }
        if isWhole { try end() }
        return orientation.upright(pixels, layout)
    }
}
