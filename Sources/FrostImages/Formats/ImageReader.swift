public import FrostCore

/// Reads a picture of any format row by row; the format is found by the file's first bytes.
///
/// Nothing is read or allocated beyond the header until its size has been held against the limits.
///
/// Thread-safety: may be handed from thread to thread, used by one at a time.
public struct ImageReader: ~Copyable, Sendable {
    /// What the file is.
    public let format: ImageFormat
    /// The path, or what the input is called instead.
    public let name: String
    /// The pixels that come out, in rows without padding.
    public let layout: PixelLayout
    /// What the file says besides.
    public let metadata: ImageMetadata
    /// How many rows have been read.
    public private(set) var rowsRead = 0

    private var reader: any RowReader & ~Copyable

    /// Opens a file and reads up to the first pixel.
    public init(path: String, options: ImageReadOptions = ImageReadOptions()) throws(ImageError) {
        try self.init(source: ByteSource(path: path), options: options)
    }

    /// Reads up to the first pixel of a file in memory.
    ///
    /// - Parameter name: what errors call the input.
    public init(bytes: [UInt8], name: String, options: ImageReadOptions = ImageReadOptions()) throws(ImageError) {
        try self.init(source: ByteSource(bytes: bytes, name: name), options: options)
    }

    /// Reads from a descriptor, from where it stands up to the first pixel. The descriptor stays the caller's and has
    /// to stay open; more may be read from it than belongs to the image.
    ///
    /// - Parameter name: what errors call the input.
    public init(
        descriptor: Int32, name: String, options: ImageReadOptions = ImageReadOptions()
    ) throws(ImageError) {
        try self.init(source: ByteSource(descriptor: descriptor, name: name), options: options)
    }

    private init(source: ByteSource, options: ImageReadOptions) throws(ImageError) {
        let format = try FileSignature.format(of: source)
        let reader = try format.reader(source, options)
        self.format = format
        name = source.name
        layout = reader.layout
        metadata = reader.metadata
        self.reader = reader
    }

    /// Reads the next row into the first `layout.rowByteCount` bytes of `row`. With the last row the rest of the file is
    /// read and checked too, so that a row that was handed out last is never from a truncated file.
    ///
    /// After an error the reader is of no more use.
    ///
    /// - Precondition: there is a next row, and room for it.
    public mutating func readRow(into row: inout MutableRawSpan) throws(ImageError) {
        precondition(rowsRead < layout.height, "all rows have been read")
        precondition(row.byteCount >= layout.rowByteCount, "the row is too short")
        try reader.readRow(into: &row)
        rowsRead += 1
    }

    /// Reads all of the image, to the end of the file.
    ///
    /// - Precondition: no row has been read yet.
    public consuming func readImage() throws(ImageError) -> DecodedImage {
        precondition(rowsRead == 0, "rows have been read already")
        return DecodedImage(pixels: try reader.readPixels(), metadata: metadata)
    }
}

/// What is to be taken from a file.
public struct ImageReadOptions: Sendable, Hashable {
    /// How large the picture may be.
    public var limits: ImageLimits
    /// Whether animated pictures are read as their first frame. Else they are refused.
    public var firstFrame: Bool

    /// - Parameter limits: those of ``ImageLimits/init(maximumSide:maximumPixels:)`` by default.
    public init(limits: ImageLimits = ImageLimits(), firstFrame: Bool = false) {
        self.limits = limits
        self.firstFrame = firstFrame
    }
}

extension ImageFormat {
    /// The one place that knows which code reads a format.
    fileprivate func reader(
        _ source: ByteSource, _ options: ImageReadOptions
    ) throws(ImageError) -> any RowReader & ~Copyable {
        switch self {
        case .png: try PNGReader(source: source, options)
        case .jpeg: try JPEGReader(source: source, limits: options.limits)
        case .webp: try WebPReader(source: source, options)
        case .qoi: try QOIReader(source: source, limits: options.limits)
        case .ppm, .pgm, .pnm, .pam, .pfm: try NetpbmReader(source: source, limits: options.limits)
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
