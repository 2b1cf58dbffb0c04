import CPNGShim
public import FrostCore

/// Writes a PNG row by row into a sink. The file is complete once ``finish()`` has returned.
///
/// Rows are compressed in strips of a megabyte, several at a time if there are threads for them. The number of threads
/// does not change the bytes. A few strips are held in memory.
///
/// Thread-safety: may move between threads; one thread may use it at a time.
public struct PNGWriter<Sink: ByteSink & ~Copyable>: ~Copyable {
    /// How many rows have been written.
    public private(set) var rowsWritten = 0
    /// How many rows the image has.
    public let height: Int
    /// Bytes of a row's pixels.
    public let rowByteCount: Int

    private let encoder: PNGWriteHandle
    private var sink: Sink
    private let shape: PNGStrip.Shape
    /// The rows that have not been passed to `tasks` yet.
    private var strip: PNGStrip
    private var tasks: OrderedTasks<PNGStrip.Compressed?>
    private var checksum = Adler32()

    /// Writes everything that precedes the first pixel.
    ///
    /// - Parameters:
    /// - layout: of the rows to be written: 8 or 16 bits, straight alpha if any.
    /// - metadata: if it has no colour description, the layout's colour space is written.
    /// - Throws: ``ImageError/cannotHold(path:format:what:remedy:)`` for pixels that PNG cannot hold,
    ///   ``ImageError/cannotEncode(path:reason:)`` for an ICC profile that is malformed or does not fit the channels,
    ///   and what the sink throws.
    public init(
        to sink: consuming Sink, layout: PixelLayout, metadata: ImageMetadata = ImageMetadata(),
        options: PNGWriteOptions = PNGWriteOptions()
    ) throws(ImageError) {
        // All fields of a noncopyable value are set together: nothing may throw in between.
        var sink = sink
        let encoder = try PNGWriteHandle(name: sink.name)
        try encoder.start(layout: layout, metadata: metadata, options: options, name: sink.name)
        try encoder.drain(into: &sink)
        self.encoder = encoder
        self.sink = sink
        height = layout.height
        rowByteCount = layout.rowByteCount
        shape = PNGStrip.Shape(layout, ways: PNGStrip.Way.candidates(options))
        strip = PNGStrip(shape)
        // A single strip is done soonest on the calling thread.
        tasks = OrderedTasks(threads: layout.height > shape.rows ? options.threads : 1)
    }

    /// Writes the next row: the first ``rowByteCount`` bytes of `row`.
    ///
    /// After an error the writer must not be used again.
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
        if !isLast { strip = PNGStrip(shape, below: full) }
        tasks.add { full.compressed(isFirst: isFirst, isLast: isLast) }
    }

    /// Waits for the oldest strip and writes it; after the last, also writes the end of the stream.
    private mutating func writeStrip(isLast: Bool) throws(ImageError) {
        guard let compressed = tasks.next() else {
            throw .cannotEncode(path: sink.name, reason: "out of memory")
        }
        checksum.append(compressed.checksum, count: compressed.count)
        try encoder.writeData(isLast ? compressed.bytes + checksum.bytes : compressed.bytes, name: sink.name)
        try encoder.drain(into: &sink)
    }

    /// Writes what follows the pixels and returns the sink.
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

/// Owns the shim's writer.
@safe struct PNGWriteHandle: ~Copyable, @unchecked Sendable {
    // Sendable: the struct is not copied, and no one else has the reference.
    private let writer: OpaquePointer

    init(name: String) throws(ImageError) {
        // SAFETY: creates a writer that this value owns.
        guard let writer = unsafe frost_png_writer_create() else {
            throw .cannotEncode(path: name, reason: "out of memory")
        }
        unsafe self.writer = unsafe writer
    }

    deinit {
        // SAFETY: the only reference.
        unsafe frost_png_writer_destroy(writer)
    }

    /// Encodes everything that precedes the first pixel.
    func start(
        layout: PixelLayout, metadata: ImageMetadata, options: PNGWriteOptions, name: String
    ) throws(ImageError) {
        let format = layout.format
        guard format.sample != .f32, !format.channels.hasAlpha || format.alpha == .straight else {
            throw .cannotHold(
                path: name, format: .png, what: "\(format) pixels", remedy: "it holds straight ones of 8 or 16 bits")
        }
        guard layout.width <= Int(Int32.max), layout.height <= Int(Int32.max) else {
            throw .cannotEncode(path: name, reason: "a PNG's sides have 31 bits")
        }
        guard layout.rowByteCount < 1 << 30 else {
            throw .cannotEncode(path: name, reason: "its rows have \(layout.rowByteCount) bytes, 2^30 or more")
        }
        var settings = frost_png_settings(
            width: UInt32(layout.width), height: UInt32(layout.height), channels: UInt32(format.channels.count),
            bits: UInt32(format.sample.size * 8))
        let stated = metadata.statesColor ? metadata : metadata.merging(ImageMetadata(colorSpace: format.colorSpace))
        // SAFETY: settings and chunks are read during the call.
        let status = unsafe stated.withChunks { chunks in
            var chunks = unsafe chunks
            return unsafe frost_png_writer_start(writer, &settings, &chunks)
        }
        try check(status, name: name)
    }

    /// Writes bytes of the zlib stream as one chunk.
    func writeData(_ bytes: [UInt8], name: String) throws(ImageError) {
        // SAFETY: libpng copies the bytes during the call; there is at least one.
        let status = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe bytes.baseAddress.map { unsafe frost_png_writer_data(writer, $0, bytes.count) } ?? FROST_PNG_INVALID
        }
        try check(status, name: name)
    }

    func end(name: String) throws(ImageError) {
        // SAFETY: the writer lives as long as this value.
        try check(unsafe frost_png_writer_end(writer), name: name)
    }

    /// Passes the encoded bytes on.
    func drain<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(ImageError) {
        var count = 0
        // SAFETY: `count` bytes, valid until the next call of the writer, which is the one below.
        guard let bytes = unsafe frost_png_writer_pending(writer, &count), count > 0 else { return }
        try sink.write(unsafe UnsafeRawBufferPointer(start: bytes, count: count).bytes)
        unsafe frost_png_writer_clear(writer)
    }

    private func check(_ status: frost_png_status, name: String) throws(ImageError) {
        if status == FROST_PNG_OK { return }
        // SAFETY: the message is zero-terminated and is copied.
        throw .cannotEncode(path: name, reason: unsafe String(cString: frost_png_writer_message(writer)))
    }
}

extension ImageMetadata {
    /// Replaces the colour description by that of `other`.
    fileprivate func merging(_ other: ImageMetadata) -> ImageMetadata {
        var result = self
        result.iccProfile = other.iccProfile
        result.renderingIntent = other.renderingIntent
        result.gamma = other.gamma
        return result
    }
}
