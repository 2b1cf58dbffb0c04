import FrostCore

// The functions below take a path as a string. They equal the functions of the same names that take a ``FilePath``, whose
// documentation names their parameters and errors. A ``FilePath`` can also name files whose names are not valid UTF-8.

extension PNG {
    /// Reads a PNG file from a path.
    public static func read(path: String, limits: ImageLimits = ImageLimits()) throws(ImageError) -> DecodedImage {
        try read(path: FilePath(path), limits: limits)
    }

    /// Writes a PNG file to a path through an ``AtomicFile``. If an error occurs, a file that already exists at this
    /// path is unchanged, except as ``AtomicFile/commit()`` states.
    public static func write(
        _ image: DecodedImage, path: String, options: PNGWriteOptions = PNGWriteOptions()
    ) throws(ImageError) {
        try write(image, path: FilePath(path), options: options)
    }
}

extension ImageReader {
    /// Opens a file and reads up to the first pixel.
    public init(
        path: String, options: ImageReadOptions = ImageReadOptions(), problems: ReadProblems = ReadProblems()
    ) throws(ImageError) {
        try self.init(path: FilePath(path), options: options, problems: problems)
    }
}

extension ImageFile {
    /// Reads a file from a path.
    public static func read(
        path: String, options: ImageReadOptions = ImageReadOptions()
    ) throws(ImageError) -> DecodedImage {
        try read(path: FilePath(path), options: options)
    }

    /// Writes a picture to a path through an ``AtomicFile``. If an error occurs, a file that already exists at this
    /// path is unchanged, except as ``AtomicFile/commit()`` states.
    public static func write(
        _ image: DecodedImage, path: String, as format: ImageFormat? = nil,
        options: ImageWriteOptions = ImageWriteOptions()
    ) throws(ImageError) {
        try write(image, path: FilePath(path), as: format, options: options)
    }
}

extension ImageFormat {
    /// Finds a format by the suffix of a file name. Returns nil if the suffix is unknown.
    public init?(suffixOf path: String) { self.init(suffixOf: FilePath(path)) }
}

extension VideoReader {
    /// Opens a stream in a file and reads its header.
    public convenience init(path: String, raw: VideoFormat? = nil, limits: ImageLimits) throws(ImageError) {
        try self.init(path: FilePath(path), raw: raw, limits: limits)
    }
}

extension AtomicFile {
    /// Creates the temporary file, or opens a target that is not a regular file.
    public init(path: String, options: AtomicFile.Options = AtomicFile.Options()) throws(ImageError) {
        try self.init(path: FilePath(path), options: options)
    }
}

extension StreamSink {
    /// Creates an output file.
    public init(path: String, options: AtomicFile.Options = AtomicFile.Options()) throws(ImageError) {
        try self.init(path: FilePath(path), options: options)
    }
}
