public import FrostCore

/// Reads a picture of any supported format row by row. The first bytes of the file determine the format.
///
/// The reader checks the size in the file's header, and the memory that decoding takes, against the limits before it
/// reads or allocates anything for the pixels.
///
/// Thread-safety: a reader may move between threads, but only one thread at a time may use it.
public struct ImageReader: ~Copyable, Sendable {
    /// The format of the file.
    public let format: ImageFormat
    /// The path of the file. For an input without a path, this is its name in error messages.
    public let name: String
    /// The layout of the pixels. The rows have no padding.
    public let layout: PixelLayout
    /// The metadata of the file.
    public let metadata: ImageMetadata
    /// The number of rows read so far.
    public private(set) var rowsRead = 0
    /// The memory, in bytes, that reading row by row takes, metadata included, without the caller's rows.
    public let rowMemory: Int
    /// The memory, in bytes, that ``readImage()`` takes, the image included.
    public let imageMemory: Int

    private let limits: ImageLimits
    private let time: TimeLimit
    private let problems: ReadProblems
    private var reader: any RowReader & ~Copyable
    private let failOn: FailOn
    /// The conversion to samples with more bits; nil if the pixels are returned as they are stored.
    private let widening: RowFit?
    /// Memory for a row as it is stored.
    private var scratch: [UInt8]
    /// The layout of the rows as they are stored.
    private let stored: PixelLayout
    /// How the pixels are resized; nil if they have the size of the file.
    package let resize: PictureResize?
    /// The type of the samples in the file.
    package let storedSample: SampleType
    /// Whether the pixels have more bits than the file; see ``ImageReadOptions/widening``.
    package let isWidened: Bool
    /// Whether reading a row has failed. All rows after it then count as missing.
    private var isBroken = false

    // The caller creates `problems`, and keeps a reference to it. The reader does not create it, because of a fault of
    // Swift 6.3: if an object is read from a noncopyable value, and is used after that value has been consumed, an
    // optimised build frees the object too early.

    /// Opens a file and reads up to the first pixel.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - options: how to read the file.
    ///   - problems: receives the faults of the file that are not serious enough for ``ImageReadOptions/failOn`` to
    ///     refuse the file.
    ///   - time: measures the time of the work on the picture, to compare it with ``ImageLimits/maximumTime``. By
    ///     default the time begins with this call.
    public init(
        path: FilePath, options: ImageReadOptions = ImageReadOptions(), problems: ReadProblems = ReadProblems(),
        time: TimeLimit? = nil
    ) throws(ImageError) {
        try self.init(source: ByteSource(path: path), options: options, problems: problems, time)
    }

    /// Opens a file whose bytes are in memory and reads up to the first pixel.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - name: the name of the input, for error messages.
    ///   - options: how to read the file.
    ///   - problems: receives the faults of the file that are not serious enough for ``ImageReadOptions/failOn`` to
    ///     refuse the file.
    ///   - time: measures the time of the work on the picture, to compare it with ``ImageLimits/maximumTime``. By
    ///     default the time begins with this call.
    public init(
        bytes: [UInt8], name: String, options: ImageReadOptions = ImageReadOptions(),
        problems: ReadProblems = ReadProblems(), time: TimeLimit? = nil
    ) throws(ImageError) {
        try self.init(source: ByteSource(bytes: bytes, name: name), options: options, problems: problems, time)
    }

    /// Reads from a descriptor, from its current position up to the first pixel. The caller owns the descriptor and
    /// must keep it open as long as the reader is in use. The reader may consume bytes after the end of the image.
    ///
    /// - Parameters:
    ///   - descriptor: an open file descriptor.
    ///   - name: the name of the input, for error messages.
    ///   - head: the first bytes of the file, if the caller has already read them from the descriptor.
    ///   - options: how to read the file.
    ///   - problems: receives the faults of the file that are not serious enough for ``ImageReadOptions/failOn`` to
    ///     refuse the file.
    ///   - time: measures the time of the work on the picture, to compare it with ``ImageLimits/maximumTime``. By
    ///     default the time begins with this call.
    public init(
        descriptor: Int32, name: String, head: [UInt8] = [], options: ImageReadOptions = ImageReadOptions(),
        problems: ReadProblems = ReadProblems(), time: TimeLimit? = nil
    ) throws(ImageError) {
        try self.init(
            source: ByteSource(descriptor: descriptor, name: name, head: head), options: options, problems: problems,
            time)
    }

    /// Reads a file that the caller has opened, from its start.
    ///
    /// - Parameters:
    ///   - file: the descriptor. The reader closes it, also if it throws.
    ///   - name: the name of the file, for error messages.
    package init(
        file: Int32, name: String, options: ImageReadOptions, problems: ReadProblems, time: TimeLimit
    ) throws(ImageError) {
        try self.init(source: ByteSource(file: file, name: name), options: options, problems: problems, time)
    }

    init(
        source: ByteSource, options: ImageReadOptions, problems: ReadProblems, _ time: TimeLimit?
    ) throws(ImageError) {
        let time = time ?? TimeLimit(options.limits.maximumTime)
        source.time = time
        let format = try FileSignature.format(of: source)
        try options.limits.check(format, name: source.name)
        guard options.part != .depth || format == .heic else {
            throw .unsupported(path: source.name, format: format, reason: ImageReadOptions.Part.noDepth)
        }
        let reader =
            if let sandbox = options.limits.sandbox {
                try SandboxedReader(source, format, options, problems, time, in: sandbox) as any RowReader & ~Copyable
            } else {
                if options.part == .frames {
                    try format.framesReader(source, options, problems)
                } else {
                    try format.codec(for: source.name).reader(source, options, problems)
                }
            }
        self.format = format
        name = source.name
        let stored = reader.layout
        let widening =
            reader.metadata.colorModel == .light ? RowFit(stored, widening: options.widening) : nil
        layout = widening?.output ?? stored
        self.stored = stored
        resize = nil
        storedSample = stored.format.sample
        isWidened = widening != nil
        self.widening = widening
        scratch = [UInt8](repeating: 0, count: widening == nil ? 0 : stored.rowByteCount)
        metadata = reader.metadata
        // The decoder and the reader each have a copy of the metadata.
        let metadataMemory = 2 * reader.metadata.byteCount
        rowMemory = reader.memory.byRows + metadataMemory
        imageMemory = reader.memory.whole(stored) + metadataMemory + (widening?.output.byteCount ?? 0)
        self.reader = reader
        self.problems = problems
        // The process of a sandbox fills missing pixels itself.
        failOn = options.limits.sandbox == nil ? options.failOn : .error
        limits = options.limits
        self.time = time
    }

    /// Creates a reader of a resized picture.
    private init(_ inner: consuming ImageReader, _ resize: PictureResize, _ facts: Facts) {
        (format, name, metadata, limits) = (facts.format, facts.name, facts.metadata, facts.limits)
        (time, problems, failOn) = (facts.time, facts.problems, .error)
        (layout, stored, widening, scratch) = (resize.output, resize.output, nil, [])
        self.resize = resize
        (storedSample, isWidened) = (facts.storedSample, facts.isWidened)
        rowMemory = facts.rowMemory + resize.memory
        imageMemory = rowMemory + resize.output.byteCount
        reader = ResizedRows(inner, resize, facts.name, facts.metadata, memory: facts.rowMemory)
    }

    /// What a reader knows of its picture before it reads pixels.
    private struct Facts {
        let format: ImageFormat
        let name: String
        let metadata: ImageMetadata
        let limits: ImageLimits
        let time: TimeLimit
        let problems: ReadProblems
        let storedSample: SampleType
        let isWidened: Bool
        let rowMemory: Int
    }

    /// Copies of values that are used after the reader has been consumed: see "A fault of the optimiser" in
    /// docs/internals/Reliability.md.
    @inline(never) private borrowing func facts() -> Facts {
        Facts(
            format: format, name: name, metadata: metadata, limits: limits, time: time, problems: problems,
            storedSample: storedSample, isWidened: isWidened, rowMemory: rowMemory)
    }

    /// Returns a reader of the resized picture. It reads the whole input when its first row is read.
    ///
    /// - Parameter resize: a change of the size of ``layout``.
    /// - Precondition: no row has been read yet.
    /// - Throws: ``ImageError`` if the resized picture exceeds a limit.
    package consuming func resized(by resize: PictureResize) throws(ImageError) -> ImageReader {
        precondition(rowsRead == 0 && resize.input == layout)
        let facts = facts()
        try facts.limits.check(width: resize.output.width, height: resize.output.height, name: facts.name)
        return ImageReader(self, resize, facts)
    }

    /// Reads the next row into the first `layout.rowByteCount` bytes of `row`. Before the last row is returned, the
    /// reader also reads and checks the rest of the file. A truncated file therefore never yields all of its rows,
    /// unless ``ImageReadOptions/failOn`` tolerates truncation.
    ///
    /// Do not use the reader again after an error.
    ///
    /// - Precondition: fewer than `layout.height` rows have been read, and `row` is long enough.
    public mutating func readRow(into row: inout MutableRawSpan) throws(ImageError) {
        precondition(rowsRead < layout.height, "all rows have been read")
        precondition(row.byteCount >= layout.rowByteCount, "the row is too short")
        try time.check(name: name)
        if let widening {
            try readWidened(widening, into: &row)
        } else {
            try readOrFill(&row)
        }
        rowsRead += 1
    }

    private mutating func readWidened(_ widening: RowFit, into row: inout MutableRawSpan) throws(ImageError) {
        var bytes: [UInt8] = []
        swap(&bytes, &scratch)
        var span = bytes.mutableSpan
        // SAFETY: every byte is a valid value.
        var place = unsafe span.mutableBytes
        try readOrFill(&place)
        var wide = [UInt8](repeating: 0, count: widening.output.rowByteCount)
        unsafe widening.convert(bytes.span.bytes, into: &wide, y: rowsRead)
        swap(&bytes, &scratch)
        // SAFETY: the caller's row has room for a row of the layout.
        unsafe row.withUnsafeMutableBytes { row in unsafe wide.withUnsafeBytes { unsafe row.copyMemory(from: $0) } }
    }

    /// Reads the next `count` rows, one after the other without padding; see ``readRow(into:)``.
    ///
    /// - Precondition: as many rows have not been read yet.
    mutating func readRows(_ count: Int) throws(ImageError) -> [UInt8] {
        let size = layout.rowByteCount
        var failure: ImageError?
        // SAFETY: each row stays within the memory, and `done` includes only rows that were written completely.
        let rows = unsafe [UInt8](unsafeUninitializedCapacity: count * size) { memory, done in
            do throws(ImageError) {
                while done < count * size {
                    let place = UnsafeMutableRawBufferPointer(memory.extracting(done..<done + size))
                    var row = unsafe place.mutableBytes
                    try readRow(into: &row)
                    done += size
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return rows
    }

    /// Reads a row. If the row is missing from the file and ``failOn`` tolerates missing pixels, fills the row with
    /// grey instead.
    private mutating func readOrFill(_ row: inout MutableRawSpan) throws(ImageError) {
        guard failOn.toleratesMissingPixels else { return try reader.readRow(into: &row) }
        // The row is filled with grey first. The pixels that a reader decodes before it fails then overwrite the grey.
        MissingPixels.fill(&row, stored)
        guard !isBroken else { return }
        do throws(ImageError) { try reader.readRow(into: &row) } catch {
            try problems.accept(error, failOn)
            isBroken = true
        }
    }

    /// Reads the whole image, to the end of the file.
    ///
    /// - Precondition: no row has been read yet.
    public consuming func readImage() throws(ImageError) -> DecodedImage {
        precondition(rowsRead == 0, "rows have been read already")
        try limits.check(memory: imageMemory, name: name)
        let metadata = metadata
        guard failOn.toleratesMissingPixels else {
            let pixels = try reader.readPixels()
            return DecodedImage(pixels: widening?.convert(pixels) ?? pixels, metadata: metadata)
        }
        try Memory.check(layout.byteCount, for: name)
        let pixels = try PixelBuffer(rows: layout) { (row) throws(ImageError) in try readRow(into: &row) }
        return DecodedImage(pixels: pixels, metadata: metadata)
    }
}
