public import FrostCore

/// Reads and writes whole picture files of any supported format. Reading either returns a complete picture or throws.
/// Writing either produces a complete file or leaves no new file.
///
/// ```swift
/// let picture = try ImageFile.read(path: "photo.jpg")
/// let result = try renderer.blur(picture.pixels, GaussianBlur(sigma: 8))
/// try ImageFile.write(DecodedImage(pixels: result.image, metadata: picture.metadata), path: "soft.png")
/// ```
///
/// Cost: the whole picture is in memory. ``ImageReader`` and ``ImageWriter`` keep only a few rows.
public enum ImageFile {
    /// Reads a file from a path.
    public static func read(
        path: FilePath, options: ImageReadOptions = ImageReadOptions()
    ) throws(ImageError) -> DecodedImage {
        try ImageReader(path: path, options: options).readImage()
    }

    /// Reads a file whose bytes are in memory.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - name: the name of the input, for error messages.
    ///   - options: how to read the file.
    public static func read(
        bytes: [UInt8], name: String, options: ImageReadOptions = ImageReadOptions()
    ) throws(ImageError) -> DecodedImage {
        try ImageReader(bytes: bytes, name: name, options: options).readImage()
    }

    /// Writes a picture to a path through an ``AtomicFile``. If an error occurs, a file that already exists at this
    /// path is unchanged, except as ``AtomicFile/commit()`` states.
    ///
    /// - Parameters:
    ///   - image: the picture to write.
    ///   - path: the path of the file.
    ///   - format: the format of the file; nil chooses the format by the suffix of the path.
    ///   - options: how to write the file.
    /// - Throws: ``ImageError/unknownSuffix(path:)`` if the suffix names no format, and every error of ``ImageWriter``.
    public static func write(
        _ image: DecodedImage, path: FilePath, as format: ImageFormat? = nil,
        options: ImageWriteOptions = ImageWriteOptions()
    ) throws(ImageError) {
        guard let format = format ?? ImageFormat(suffixOf: path) else { throw .unknownSuffix(path: path.text) }
        try encode(image, as: format, to: AtomicFile(path: path), options: options).commit()
    }

    /// Encodes an image and returns the bytes of the file.
    public static func encode(
        _ image: DecodedImage, as format: ImageFormat, options: ImageWriteOptions = ImageWriteOptions()
    ) throws(ImageError) -> [UInt8] {
        try encode(image, as: format, to: MemorySink(), options: options).bytes
    }

    /// Encodes an image into a sink and returns the sink.
    public static func encode<Sink: ByteSink & ~Copyable>(
        _ image: DecodedImage, as format: ImageFormat, to sink: consuming Sink,
        options: ImageWriteOptions = ImageWriteOptions()
    ) throws(ImageError) -> Sink {
        let layout = image.pixels.layout
        var writer = try ImageWriter(
            to: sink, as: format, layout: layout, metadata: image.metadata, options: options)
        // SAFETY: an array of bytes contains no padding, so every byte is initialised.
        let bytes = unsafe image.pixels.bytes.span.bytes
        for y in 0..<layout.height {
            let start = y * layout.bytesPerRow
            try writer.writeRow(bytes.extracting(start..<start + layout.rowByteCount))
        }
        return try writer.finish()
    }
}
