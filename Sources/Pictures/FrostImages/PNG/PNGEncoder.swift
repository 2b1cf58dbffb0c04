import FrostCore

/// Adapts a ``PNGWriter`` to the ``FormatEncoder`` protocol.
struct PNGEncoder: FormatEncoder, ~Copyable {
    private var writer: PNGWriter<EncodedBytes>?

    static func memory(for layout: PixelLayout, _ options: ImageWriteOptions) -> Int {
        // A strip of about a megabyte has its pixels, their filtered copy, and the compressed bytes in memory.
        let strip = max(1 << 20, layout.rowByteCount)
        return min(layout.storedByteCount(options), strip * (options.png.threads + 1)) * 3 + (1 << 20)
    }

    init(
        _ layout: PixelLayout, _ metadata: ImageMetadata, as format: ImageFormat, _ options: ImageWriteOptions,
        to output: EncodedBytes
    ) throws(ImageError) {
        writer = try PNGWriter(to: output, layout: layout, metadata: metadata, options: options.png)
    }

    mutating func writeRow(_ row: RawSpan) throws(ImageError) { try writer?.writeRow(row) }

    mutating func end() throws(ImageError) { _ = try writer.take()?.finish() }
}
