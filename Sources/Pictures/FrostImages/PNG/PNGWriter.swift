import CPNG
public import FrostCore

/// Writes a PNG file row by row into a sink. The file is complete after ``finish()`` has returned.
///
/// The writer compresses rows in strips of about a megabyte. If it may use several threads, it compresses several
/// strips at the same time. The number of threads does not affect the bytes of the file. The writer holds a few strips
/// in memory.
///
/// Thread-safety: a writer may move between threads, but only one thread at a time may use it.
public struct PNGWriter<Sink: ByteSink & ~Copyable>: ~Copyable {
    /// The number of rows written so far.
    public private(set) var rowsWritten = 0
    /// The number of rows of the image.
    public let height: Int
    /// The number of bytes of one row of pixels.
    public let rowByteCount: Int

    private let encoder: PNGWriteHandle
    private var sink: Sink
    private let settings: PNGStrip.Settings
    /// The strip that is being filled. It has not yet been passed to `tasks`.
    private var strip: PNGStrip
    private var tasks: OrderedTasks<PNGStrip.Compressed?>
    private var checksum = Adler32()

    /// Creates a writer and writes everything that precedes the first pixel.
    ///
    /// - Parameters:
    ///   - sink: the destination of the file's bytes.
    ///   - layout: the layout of the rows that the caller will write. It must have 8 or 16 bits per sample, and its
    ///     alpha, if any, must be straight.
    ///   - metadata: the metadata to write. If it has no colour description, the writer writes the colour space of
    ///     the layout.
    ///   - options: how to write the file.
    /// - Throws: ``ImageError/cannotHold(path:format:what:remedy:)`` for pixels that PNG cannot store;
    ///   ``ImageError/cannotEncode(path:reason:)`` for an ICC profile that is malformed or does not match the channels;
    ///   and every error of the sink.
    public init(
        to sink: consuming Sink, layout: PixelLayout, metadata: ImageMetadata = ImageMetadata(),
        options: PNGWriteOptions = PNGWriteOptions()
    ) throws(ImageError) {
        // All fields of a noncopyable value must be set together, so nothing may throw between the assignments.
        var sink = sink
        let encoder = try PNGWriteHandle(name: sink.name)
        try encoder.start(layout: layout, metadata: metadata, options: options, name: sink.name)
        try encoder.drain(into: &sink)
        self.encoder = encoder
        self.sink = sink
        height = layout.height
        rowByteCount = layout.rowByteCount
        settings = PNGStrip.Settings(layout, combinations: PNGStrip.Combination.candidates(options))
        strip = PNGStrip(settings)
        // A picture that has only a single strip is compressed on the calling thread, because this is fastest.
        tasks = OrderedTasks(threads: layout.height > settings.rows ? options.threads : 1)
    }

    /// Writes the next row: the first ``rowByteCount`` bytes of `row`.
    ///
    /// Do not use the writer again after an error.
    ///
    /// - Precondition: fewer rows than `height` have been written, and `row` is long enough.
    public mutating func writeRow(_ row: RawSpan) throws(ImageError) {
        precondition(rowsWritten < height, "all rows have been written")
        precondition(row.byteCount >= rowByteCount, "the row is too short")
        strip.append(row)
        rowsWritten += 1
        guard strip.isFull || rowsWritten == height else { return }
        if tasks.isFull { try writeStrip(isLast: false) }
        let (full, isFirst, isLast) = (strip, rowsWritten == strip.rows, rowsWritten == height)
        if !isLast { strip = PNGStrip(settings, below: full) }
        tasks.add { full.compressed(isFirst: isFirst, isLast: isLast) }
    }

    /// Waits for the oldest strip and writes it. For the last strip, also writes the end of the zlib stream.
    private mutating func writeStrip(isLast: Bool) throws(ImageError) {
        guard let compressed = tasks.next() else {
            throw .outOfMemory(path: sink.name, bytes: 0)
        }
        checksum.append(compressed.checksum, count: compressed.count)
        try encoder.writeChunk("IDAT", isLast ? compressed.bytes + checksum.bytes : compressed.bytes, name: sink.name)
        try encoder.drain(into: &sink)
    }

    /// Writes the part of the file that follows the pixels, and returns the sink.
    ///
    /// - Precondition: all rows have been written.
    public consuming func finish() throws(ImageError) -> Sink {
        precondition(rowsWritten == height, "rows are missing")
        while !tasks.isEmpty { try writeStrip(isLast: tasks.count == 1) }
        try encoder.end(name: sink.name)
        try encoder.drain(into: &sink)
        return sink
    }
}

extension PNGWriter: Sendable where Sink: Sendable & ~Copyable {}

/// Owns the writer of the C module CPNG.
@safe struct PNGWriteHandle: ~Copyable, @unchecked Sendable {
    // The struct is Sendable because it cannot be copied and nothing else holds its reference.
    private let writer: OpaquePointer

    init(name: String) throws(ImageError) {
        // SAFETY: the call creates a writer that this struct owns.
        guard let writer = unsafe frost_png_writer_create() else {
            throw .outOfMemory(path: name, bytes: 0)
        }
        unsafe self.writer = unsafe writer
    }

    deinit {
        // SAFETY: this struct holds the only reference to the writer.
        unsafe frost_png_writer_destroy(writer)
    }

    /// Encodes everything that precedes the first pixel.
    func start(
        layout: PixelLayout, metadata: ImageMetadata, options: PNGWriteOptions, name: String
    ) throws(ImageError) {
        let format = layout.format
        guard !format.sample.isFloat, !format.channels.hasAlpha || format.alpha == .straight else {
            throw .cannotHold(
                path: name, format: .png, what: "\(format) pixels",
                remedy: "it holds only straight pixels of 8 or 16 bits")
        }
        guard layout.width <= Int(Int32.max), layout.height <= Int(Int32.max) else {
            throw .cannotEncode(path: name, reason: "a side exceeds PNG's limit of 2^31 - 1 pixels")
        }
        guard layout.rowByteCount < 1 << 30 else {
            throw .cannotEncode(path: name, reason: "rows of \(layout.rowByteCount) bytes exceed the limit of 2^30")
        }
        var header = frost_png_settings(
            width: UInt32(layout.width), height: UInt32(layout.height), channels: UInt32(format.channels.count),
            bits: UInt32(format.sample.size * 8))
        let stated = metadata.statesColor ? metadata : metadata.merging(ImageMetadata(colorSpace: format.colorSpace))
        // SAFETY: the shim reads the settings and the chunks only during the call.
        let status = unsafe stated.withChunks { chunks in
            var chunks = unsafe chunks
            return unsafe frost_png_writer_start(writer, &header, &chunks)
        }
        try check(status, name: name)
    }

    /// Writes a chunk that has at least one byte. Its type has four letters, for example "IDAT".
    func writeChunk(_ type: String, _ bytes: [UInt8], name: String) throws(ImageError) {
        // SAFETY: libpng copies the type and the bytes during the call. There is at least one byte.
        let status = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe bytes.baseAddress.map { unsafe frost_png_writer_chunk(writer, type, $0, bytes.count) }
                ?? FROST_PNG_INVALID
        }
        try check(status, name: name)
    }

    func end(name: String) throws(ImageError) {
        // SAFETY: the writer exists as long as this struct.
        try check(unsafe frost_png_writer_end(writer), name: name)
    }

    /// Moves the bytes that libpng has encoded to the sink.
    func drain<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(ImageError) {
        var count = 0
        // SAFETY: the shim returns `count` bytes, which stay valid until the next call for the writer. That call is
        // below.
        guard let bytes = unsafe frost_png_writer_pending(writer, &count), count > 0 else { return }
        try sink.write(unsafe UnsafeRawBufferPointer(start: bytes, count: count).bytes)
        unsafe frost_png_writer_clear(writer)
    }

    private func check(_ status: frost_png_status, name: String) throws(ImageError) {
        if status == FROST_PNG_OK { return }
        if status == FROST_PNG_NO_MEMORY { throw .outOfMemory(path: name, bytes: 0) }
        // SAFETY: the shim's message ends with a zero byte and is copied.
        throw .cannotEncode(path: name, reason: unsafe String(cString: frost_png_writer_message(writer)))
    }
}

extension ImageMetadata {
    /// Returns a copy with the profile, rendering intent and gamma of `other`.
    fileprivate func merging(_ other: ImageMetadata) -> ImageMetadata {
        var result = self
        result.iccProfile = other.iccProfile
        result.renderingIntent = other.renderingIntent
        result.gamma = other.gamma
        return result
    }
}
