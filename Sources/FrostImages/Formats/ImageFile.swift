import FrostCore

/// Whole picture files of any format. What is read is complete or an error; what is written is complete or not there.
public enum ImageFile {
    /// Reads a file.
    public static func read(
        path: String, options: ImageReadOptions = ImageReadOptions()
    ) throws(ImageError) -> DecodedImage {
        try ImageReader(path: path, options: options).readImage()
    }

    /// Reads a file in memory.
    ///
    /// - Parameter name: what errors call the input.
    public static func read(
        bytes: [UInt8], name: String, options: ImageReadOptions = ImageReadOptions()
    ) throws(ImageError) -> DecodedImage {
        try ImageReader(bytes: bytes, name: name, options: options).readImage()
    }

    /// Writes a file; see ``AtomicFile`` for how. On an error, what stood there before is untouched.
    ///
    /// - Parameter format: nil: the one that the path's suffix names.
    /// - Throws: ``ImageError/unknownSuffix(path:)`` where it names none, and what ``ImageWriter`` throws.
    public static func write(
        _ image: DecodedImage, path: String, as format: ImageFormat? = nil,
        options: ImageWriteOptions = ImageWriteOptions()
    ) throws(ImageError) {
        guard let format = format ?? ImageFormat(suffixOf: path) else { throw .unknownSuffix(path: path) }
        try encode(image, as: format, to: AtomicFile(path: path), options: options).commit()
    }

    /// The bytes of the file.
    public static func encode(
        _ image: DecodedImage, as format: ImageFormat, options: ImageWriteOptions = ImageWriteOptions()
    ) throws(ImageError) -> [UInt8] {
        try encode(image, as: format, to: MemorySink(), options: options).bytes
    }

    /// Writes all of an image into a sink and gives the sink back.
    public static func encode<Sink: ByteSink & ~Copyable>(
        _ image: DecodedImage, as format: ImageFormat, to sink: consuming Sink,
        options: ImageWriteOptions = ImageWriteOptions()
    ) throws(ImageError) -> Sink {
        let layout = image.pixels.layout
        var writer = try ImageWriter(
            to: sink, as: format, layout: layout, metadata: image.metadata, options: options)
        // SAFETY: an array of bytes has no padding that could be read uninitialised.
        let bytes = unsafe image.pixels.bytes.span.bytes
        for y in 0..<layout.height {
            let start = y * layout.bytesPerRow
            try writer.writeRow(bytes.extracting(start..<start + layout.rowByteCount))
        }
        return try writer.finish()
    }
}
