import FrostCore

// The functions below take a path as a string. They equal the functions that take a ``FilePath``, which can also name
// files whose names are not valid UTF-8.

extension PNG {
    /// Reads a PNG file from a path.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - limits: the limits on the size of the picture.
    public static func read(path: String, limits: ImageLimits = ImageLimits()) throws(ImageError) -> DecodedImage {
        try read(path: FilePath(path), limits: limits)
    }

    /// Writes a PNG file to a path through an ``AtomicFile``. If an error occurs, a file that already exists at this
    /// path is unchanged.
    ///
    /// - Parameters:
    ///   - image: the picture to write.
    ///   - path: the path of the file.
    ///   - options: how to write the file.
    public static func write(
        _ image: DecodedImage, path: String, options: PNGWriteOptions = PNGWriteOptions()
    ) throws(ImageError) {
        try write(image, path: FilePath(path), options: options)
    }
}

extension PNGReader {
    /// Opens a file and reads up to the first pixel.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - limits: the limits on the size of the picture.
    public init(path: String, limits: ImageLimits = ImageLimits()) throws(ImageError) {
        try self.init(path: FilePath(path), limits: limits)
    }
}

extension JPEGReader {
    /// Opens a file and reads up to the first pixel.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - limits: the limits on the size of the picture.
    public init(path: String, limits: ImageLimits = ImageLimits()) throws(ImageError) {
        try self.init(path: FilePath(path), limits: limits)
    }
}

extension ImageReader {
    /// Opens a file and reads up to the first pixel.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - options: how to read the file.
    ///   - problems: receives the faults of the file that are not serious enough for ``ImageReadOptions/failOn`` to
    ///     refuse the file.
    public init(
        path: String, options: ImageReadOptions = ImageReadOptions(), problems: ReadProblems = ReadProblems()
    ) throws(ImageError) {
        try self.init(path: FilePath(path), options: options, problems: problems)
    }
}

extension ImageFile {
    /// Reads a file from a path.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - options: how to read the file.
    public static func read(
        path: String, options: ImageReadOptions = ImageReadOptions()
    ) throws(ImageError) -> DecodedImage {
        try read(path: FilePath(path), options: options)
    }

    /// Writes a picture to a path through an ``AtomicFile``. If an error occurs, a file that already exists at this
    /// path is unchanged.
    ///
    /// - Parameters:
    ///   - image: the picture to write.
    ///   - path: the path of the file.
    ///   - format: the format of the file; nil chooses the format by the suffix of the path.
    ///   - options: how to write the file.
    /// - Throws: ``ImageError/unknownSuffix(path:)`` if the suffix names no format, and every error of ``ImageWriter``.
    public static func write(
        _ image: DecodedImage, path: String, as format: ImageFormat? = nil,
        options: ImageWriteOptions = ImageWriteOptions()
    ) throws(ImageError) {
        try write(image, path: FilePath(path), as: format, options: options)
    }
}

extension ImageFormat {
    /// Finds a format by the suffix of a file name. Returns nil if the suffix is unknown.
    ///
    /// - Parameter path: the path of the file.
    public init?(suffixOf path: String) { self.init(suffixOf: FilePath(path)) }
}

extension VideoReader {
    /// Opens a stream in a file and reads its header.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - raw: the format of raw frames; nil for Y4M.
    ///   - limits: the limits on the size of the frames.
    public convenience init(path: String, raw: VideoFormat? = nil, limits: ImageLimits) throws(ImageError) {
        try self.init(path: FilePath(path), raw: raw, limits: limits)
    }
}

extension AtomicFile {
    /// Creates the temporary file, or opens a target that is not a regular file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - options: how to replace the file.
    /// - Throws: ``ImageError/cannotWrite(path:errno:)``. If the path names a directory, the error has the number
    ///   EISDIR.
    public init(path: String, options: AtomicFile.Options = AtomicFile.Options()) throws(ImageError) {
        try self.init(path: FilePath(path), options: options)
    }
}

extension StreamSink {
    /// Creates an output file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - options: how to replace the file.
    /// - Throws: ``ImageError/cannotWrite(path:errno:)``.
    public init(path: String, options: AtomicFile.Options = AtomicFile.Options()) throws(ImageError) {
        try self.init(path: FilePath(path), options: options)
    }
}
