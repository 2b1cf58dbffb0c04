public import FrostCore

/// Reads and writes whole PNG files. Reading either returns a complete picture or throws. Writing to a path either
/// produces a complete file or leaves no new file.
public enum PNG {
    /// Reads a PNG file from a path.
    public static func read(path: FilePath, limits: ImageLimits = ImageLimits()) throws(ImageError) -> DecodedImage {
        try read(ByteSource(path: path), limits)
    }

    /// Reads a PNG file whose bytes are in memory.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - name: the name of the input, for error messages.
    ///   - limits: the limits on the size of the picture.
    public static func read(
        bytes: [UInt8], name: String, limits: ImageLimits = ImageLimits()
    ) throws(ImageError) -> DecodedImage {
        try read(ByteSource(bytes: bytes, name: name), limits)
    }

    /// Reads a PNG file from an open descriptor, such as standard input. The caller keeps ownership of the descriptor.
    /// The reader may consume bytes after the end of the image.
    ///
    /// - Parameters:
    ///   - descriptor: an open file descriptor.
    ///   - name: the name of the input, for error messages.
    ///   - limits: the limits on the size of the picture.
    public static func read(
        descriptor: Int32, name: String, limits: ImageLimits = ImageLimits()
    ) throws(ImageError) -> DecodedImage {
        try read(ByteSource(descriptor: descriptor, name: name), limits)
    }

    private static func read(_ source: ByteSource, _ limits: ImageLimits) throws(ImageError) -> DecodedImage {
        try limits.check(.png, name: source.name)
        return try PNGReader(source: source, ImageReadOptions(limits: limits), problems: ReadProblems()).readImage()
    }

    /// Writes a PNG file to a path through an ``AtomicFile``. If an error occurs, a file that already exists at this
    /// path is unchanged, except as ``AtomicFile/commit()`` states.
    public static func write(
        _ image: DecodedImage, path: FilePath, options: PNGWriteOptions = PNGWriteOptions()
    ) throws(ImageError) {
        try encode(image, to: AtomicFile(path: path), options: options).commit()
    }

    /// Writes a PNG file to an open descriptor, such as standard output. The caller keeps ownership of the descriptor.
    ///
    /// - Parameters:
    ///   - image: the picture to write.
    ///   - descriptor: an open file descriptor.
    ///   - name: the name of the output, for error messages.
    ///   - options: how to write the file.
    public static func write(
        _ image: DecodedImage, descriptor: Int32, name: String, options: PNGWriteOptions = PNGWriteOptions()
    ) throws(ImageError) {
        _ = try encode(image, to: DescriptorSink(descriptor: descriptor, name: name), options: options)
    }

    /// Encodes an image and returns the bytes of the PNG file.
    public static func encode(
        _ image: DecodedImage, options: PNGWriteOptions = PNGWriteOptions()
    ) throws(ImageError) -> [UInt8] {
        try encode(image, to: MemorySink(), options: options).bytes
    }

    /// Encodes an image into a sink and returns the sink.
    public static func encode<Sink: ByteSink & ~Copyable>(
        _ image: DecodedImage, to sink: consuming Sink, options: PNGWriteOptions = PNGWriteOptions()
    ) throws(ImageError) -> Sink {
        let layout = image.pixels.layout
        var writer = try PNGWriter(to: sink, layout: layout, metadata: image.metadata, options: options)
        // SAFETY: an array of bytes contains no padding, so every byte is initialised.
        let bytes = unsafe image.pixels.bytes.span.bytes
        for y in 0..<layout.height {
            let start = y * layout.bytesPerRow
            try writer.writeRow(bytes.extracting(start..<start + layout.rowByteCount))
        }
        return try writer.finish()
    }
}
