public import FrostCore

/// Writes a picture of any supported format row by row into a sink. The file is complete after ``finish()`` has
/// returned.
///
/// Thread-safety: a writer may move between threads, but only one thread at a time may use it.
public struct ImageWriter<Sink: ByteSink & ~Copyable>: ~Copyable {
    /// The number of rows written so far.
    public private(set) var rowsWritten = 0
    /// The number of rows of the image.
    public let height: Int
    /// The number of bytes that ``writeRow(_:)`` takes for one row, in the layout of the caller's pixels.
    public let rowByteCount: Int

    private let fit: RowFit
    /// Memory for a row that has been converted to the layout that the format stores.
    private var scratch: [UInt8]
    private var encoder: any RowEncoder & ~Copyable
    private let encoded: EncodedBytes
    private var sink: Sink

    /// Creates a writer and writes everything that precedes the first pixel.
    ///
    /// - Parameters:
    ///   - sink: the destination of the file's bytes.
    ///   - format: the format of the file.
    ///   - layout: the layout of the rows that the caller will write.
    ///   - metadata: the metadata to write. If it has no colour description, the writer writes the colour space of
    ///     the layout.
    ///   - options: how to write the file.
    /// - Throws: ``ImageError/cannotHold(path:format:what:remedy:)`` if the format cannot store the pixels and
    ///   `options` do not allow reducing them; ``ImageError/cannotEncode(path:reason:)`` if the encoder rejects the
    ///   image or its metadata; and every error of the sink.
    public init(
        to sink: consuming Sink, as format: ImageFormat, layout: PixelLayout, metadata: ImageMetadata = ImageMetadata(),
        options: ImageWriteOptions = ImageWriteOptions()
    ) throws(ImageError) {
        // All fields of a noncopyable value must be set together, so nothing may throw between the assignments.
        var sink = sink
        let fit = try RowFit(layout, metadata.colorModel, to: format, options: options, name: sink.name)
        let kept = metadata.keeping(options.keep)
        let codec = try format.codec(for: sink.name)
        let memory = codec.encodingMemory(fit.output, options)
        let encoded = EncodedBytes(name: sink.name)
        let process = options.encoderProcess.flatMap { format.isEncodedApart(memory, $0.isolation) ? $0 : nil }
        // Little CMS reads the profile. In an isolated process, it does so there.
        if process.map({ $0.isolation == .none }) ?? true {
            try kept.checkProfile(for: fit.output.format, format, name: sink.name)
        }
        let encoder =
            if let process {
                try ProcessEncoder(fit.output, kept, as: format, options, to: encoded, in: process)
                    as any RowEncoder & ~Copyable
            } else {
                try Self.encoder(codec, memory, fit.output, kept, format, options, encoded)
            }
        try encoded.drain(into: &sink)
        self.fit = fit
        scratch = [UInt8](repeating: 0, count: fit.isIdentity ? 0 : fit.output.rowByteCount)
        self.encoder = encoder
        self.encoded = encoded
        self.sink = sink
        height = layout.height
        rowByteCount = layout.rowByteCount
    }

    private static func encoder(
        _ codec: Codec, _ memory: Int, _ layout: PixelLayout, _ metadata: ImageMetadata, _ format: ImageFormat,
        _ options: ImageWriteOptions, _ encoded: EncodedBytes
    ) throws(ImageError) -> any RowEncoder & ~Copyable {
        try Memory.check(memory, for: encoded.name)
        return try codec.encoder(layout, metadata, format, options, encoded)
    }

    /// Writes the next row: the first ``rowByteCount`` bytes of `row`.
    ///
    /// Do not use the writer again after an error.
    ///
    /// - Precondition: fewer rows than `height` have been written, and `row` is long enough.
    public mutating func writeRow(_ row: RawSpan) throws(ImageError) {
        precondition(rowsWritten < height, "all rows have been written")
        precondition(row.byteCount >= rowByteCount, "the row is too short")
        if fit.isIdentity {
            try encoder.writeRow(row)
        } else {
            var fitted: [UInt8] = []
            swap(&fitted, &scratch)
            fit.convert(row, into: &fitted, y: rowsWritten)
            // SAFETY: an array of bytes contains no padding, so every byte is initialised.
            try encoder.writeRow(unsafe fitted.span.bytes)
            swap(&fitted, &scratch)
        }
        rowsWritten += 1
        try encoded.drain(into: &sink)
    }

    /// Writes the part of the file that follows the pixels, and returns the sink.
    ///
    /// - Precondition: all rows have been written.
    public consuming func finish() throws(ImageError) -> Sink {
        precondition(rowsWritten == height, "rows are missing")
        try encoder.end()
        repeat { try encoded.drain(into: &sink) } while try encoder.more()
        return sink
    }
}

extension ImageWriter: Sendable where Sink: Sendable & ~Copyable {}
