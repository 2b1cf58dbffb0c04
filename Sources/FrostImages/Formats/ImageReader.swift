public import FrostCore

/// Reads a picture of any format row by row. The file's first bytes determine the format.
///
/// Nothing beyond the header is read or allocated before the size is checked against the limits.
///
/// Thread-safety: may move between threads; one thread may use it at a time.
public struct ImageReader: ~Copyable, Sendable {
    /// The file's format.
    public let format: ImageFormat
    /// The path, or the input's name in errors.
    public let name: String
    /// The layout of the pixels: rows without padding.
    public let layout: PixelLayout
    /// The file's metadata.
    public let metadata: ImageMetadata
    /// How many rows have been read.
    public private(set) var rowsRead = 0

    private let problems: ReadProblems
    private var reader: any RowReader & ~Copyable
    private let failOn: FailOn
    /// Whether the rows from here on are missing.
    private var isBroken = false

    // `problems` belongs to the caller: an optimised build of Swift 6.3 frees an object that is read from a noncopyable value
    // and used after that value is consumed.

    /// Opens a file and reads up to the first pixel.
    ///
    /// - Parameter problems: gets what was wrong with the file, but not serious enough for ``ImageReadOptions/failOn``.
    public init(
        path: String, options: ImageReadOptions = ImageReadOptions(), problems: ReadProblems = ReadProblems()
    ) throws(ImageError) {
        try self.init(source: ByteSource(path: path), options: options, problems: problems)
    }

    /// Reads up to the first pixel of a file in memory.
    ///
    /// - Parameters:
    ///   - name: the input's name in errors.
    ///   - problems: gets what was wrong with the file, but not serious enough for ``ImageReadOptions/failOn``.
    public init(
        bytes: [UInt8], name: String, options: ImageReadOptions = ImageReadOptions(),
        problems: ReadProblems = ReadProblems()
    ) throws(ImageError) {
        try self.init(source: ByteSource(bytes: bytes, name: name), options: options, problems: problems)
    }

    /// Reads from a descriptor, from its current position up to the first pixel. The caller owns the descriptor and
    /// must keep it open. Reading may go past the end of the image.
    ///
    /// - Parameters:
    ///   - name: the input's name in errors.
    ///   - head: the file's first bytes, if they have been read from the descriptor already.
    ///   - problems: gets what was wrong with the file, but not serious enough for ``ImageReadOptions/failOn``.
    public init(
        descriptor: Int32, name: String, head: [UInt8] = [], options: ImageReadOptions = ImageReadOptions(),
        problems: ReadProblems = ReadProblems()
    ) throws(ImageError) {
        try self.init(
            source: ByteSource(descriptor: descriptor, name: name, head: head), options: options, problems: problems)
    }

    private init(source: ByteSource, options: ImageReadOptions, problems: ReadProblems) throws(ImageError) {
        let format = try FileSignature.format(of: source)
        let reader = try format.reader(source, options, problems)
        self.format = format
        name = source.name
        layout = reader.layout
        metadata = reader.metadata
        self.reader = reader
        self.problems = problems
        failOn = options.failOn
    }

    /// Reads the next row into the first `layout.rowByteCount` bytes of `row`. Before the last row is returned, the
    /// rest of the file is read and checked, so a truncated file never yields all of its rows.
    ///
    /// After an error the reader must not be used again.
    ///
    /// - Precondition: there is a next row, and room for it.
    public mutating func readRow(into row: inout MutableRawSpan) throws(ImageError) {
        precondition(rowsRead < layout.height, "all rows have been read")
        precondition(row.byteCount >= layout.rowByteCount, "the row is too short")
        try readOrFill(&row)
        rowsRead += 1
    }

    /// Reads a row, or makes it grey if it is missing and ``failOn`` allows that.
    private mutating func readOrFill(_ row: inout MutableRawSpan) throws(ImageError) {
        guard failOn.toleratesMissingPixels else { return try reader.readRow(into: &row) }
        // What a reader has written of the row before it fails stays.
        MissingPixels.fill(&row, layout)
        guard !isBroken else { return }
        do throws(ImageError) { try reader.readRow(into: &row) } catch {
            guard let fault = error.fault, !failOn.refuses(fault) else { throw error }
            problems.add("\(error.reason ?? "damaged"); missing pixels are grey")
            isBroken = true
        }
    }

    /// Reads all of the image, to the end of the file.
    ///
    /// - Precondition: no row has been read yet.
    public consuming func readImage() throws(ImageError) -> DecodedImage {
        precondition(rowsRead == 0, "rows have been read already")
        let metadata = metadata
        guard failOn.toleratesMissingPixels else {
            return DecodedImage(pixels: try reader.readPixels(), metadata: metadata)
        }
        let layout = layout
        try Memory.check(layout.byteCount, for: name)
        // SAFETY: every row is filled, or this throws.
        let pixels = try unsafe PixelBuffer(layout: layout) { bytes throws(ImageError) in
            for y in 0..<layout.height {
                let start = y * layout.rowByteCount
                let part = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + layout.rowByteCount])
                var row = unsafe part.mutableBytes
                try readRow(into: &row)
            }
        }
        return DecodedImage(pixels: pixels, metadata: metadata)
    }
}

/// Options for reading a file.
public struct ImageReadOptions: Sendable, Hashable {
    /// Limits on the picture's size.
    public var limits: ImageLimits
    /// Whether to read the first frame of an animated picture. Otherwise animated pictures are refused.
    public var firstFrame: Bool
    /// Which faults of a file are errors. AVIFs and JPEG XLs with missing or damaged pixels are always errors, since their
    /// libraries decode a picture as a whole.
    public var failOn: FailOn

    /// - Parameter limits: those of ``ImageLimits/init(maximumSide:maximumPixels:)`` by default.
    public init(limits: ImageLimits = ImageLimits(), firstFrame: Bool = false, failOn: FailOn = .error) {
        self.limits = limits
        self.firstFrame = firstFrame
        self.failOn = failOn
    }
}

extension ImageFormat {
    /// The only place that knows which code reads a format.
    fileprivate func reader(
        _ source: ByteSource, _ options: ImageReadOptions, _ problems: ReadProblems
    ) throws(ImageError) -> any RowReader & ~Copyable {
        switch self {
        case .png: try PNGReader(source: source, options, problems: problems)
        case .jpeg: try JPEGReader(source: source, options, problems: problems)
        case .webp: try WebPReader(source: source, options, problems: problems)
        case .qoi: try QOIReader(source: source, options)
        case .ppm, .pgm, .pnm, .pam, .pfm: try NetpbmReader(source: source, options)
        #if TIFF
            case .tiff: try TIFFReader(source: source, options)
        #endif
        #if AVIF
            case .avif: try AVIFReader(source: source, options)
        #endif
        #if JPEGXL
            case .jxl: try JXLReader(source: source, options)
        #endif
        }
    }
}
