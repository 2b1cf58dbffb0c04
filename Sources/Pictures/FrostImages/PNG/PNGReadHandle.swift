import CPNG
import FrostCore

/// Owns the reader of the C module CPNG and the source of its bytes.
@safe struct PNGReadHandle: ~Copyable, @unchecked Sendable {
    // The struct is Sendable because it cannot be copied and nothing else holds its two references.
    private let reader: OpaquePointer
    private let source: ByteSource

    /// Creates a libpng reader for a source.
    ///
    /// - Parameter header: the header of the file, already checked against the limits. libpng refuses a picture that is
    ///   larger than this header states.
    init(source: ByteSource, header: PNGHeader) throws(ImageError) {
        // SAFETY: the property `source` keeps the source alive as long as the reader, and the callback returns
        // normally.
        let reader = unsafe frost_png_reader_create(
            { context, buffer, size in
                let source = unsafe Unmanaged<ByteSource>.fromOpaque(context).takeUnretainedValue()
                let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size)
                return unsafe Int64(source.read(into: room) ?? -1)
            },
            Unmanaged.passUnretained(source).toOpaque(), UInt32(header.width), UInt32(header.height))
        guard let reader = unsafe reader else { throw .outOfMemory(path: source.name, bytes: 0) }
        unsafe self.reader = unsafe reader
        self.source = source
    }

    deinit {
        // SAFETY: this struct holds the only reference to the reader, and destroying the reader does not call the read
        // callback.
        unsafe frost_png_reader_destroy(reader)
    }

    /// Reads up to the first pixel.
    func start(_ problems: ReadProblems) throws(ImageError) -> (
        stored: PixelLayout, metadata: ImageMetadata, orientation: Orientation, isAnimated: Bool
    ) {
        var found = frost_png_layout()
        var chunks = unsafe frost_png_metadata()
        // SAFETY: the shim fills both structs. The pointers in `chunks` are valid until the next call, and their
        // targets are copied here.
        try check(unsafe frost_png_reader_start(reader, &found, &chunks))
        let channels: ChannelLayout =
            switch found.channels {
            case 1: .grey
            case 2: .greyAlpha
            case 3: .rgb
            default: .rgba
            }
        let (metadata, orientation) = unsafe ImageMetadata.reading(chunks, channels, problems)
        let format = PixelFormat(channels, found.bits == 16 ? .u16 : .u8, colorSpace: metadata.colorSpace)
        do throws(PixelError) {
            let layout = try PixelLayout(width: Int(found.width), height: Int(found.height), format: format)
            precondition(layout.rowByteCount == found.row_bytes, "libpng and Frost disagree about the rows' size")
            return unsafe (layout, metadata, orientation, chunks.present & FROST_PNG_ACTL.rawValue != 0)
        } catch {
            throw .outOfMemory(path: source.name, bytes: Int.max)
        }
    }

    /// Reads the next row of an image that is not interlaced. `row` must have room for a whole row.
    @unsafe func readRow(into row: UnsafeMutableRawBufferPointer) throws(ImageError) {
        guard let base = row.baseAddress else { return }
        // SAFETY: the caller guarantees that `row` has room for a row.
        try check(unsafe frost_png_reader_row(reader, base))
    }

    /// Reads all rows. Each row begins `stride` bytes after the previous row. `bytes` must have room for all rows.
    @unsafe func readImage(into bytes: UnsafeMutableRawBufferPointer, stride: Int) throws(ImageError) {
        guard let base = bytes.baseAddress else { return }
        // SAFETY: the caller guarantees that `bytes` has room for all rows.
        try check(unsafe frost_png_reader_image(reader, base, stride))
    }

    /// Reads the part of the file that follows the pixels, and names the chunks that are left out.
    func end(_ problems: ReadProblems) throws(ImageError) {
        // SAFETY: the reader exists as long as this struct, and its names end with a zero byte and are copied.
        try check(unsafe frost_png_reader_end(reader))
        var index = 0
        while let name = unsafe frost_png_reader_left_out(reader, index) {
            problems.leaveOut("chunk \(PlainText.printable(unsafe String(cString: name).utf8))")
            index += 1
        }
        problems.leaveOut(after: unsafe frost_png_reader_offset(reader), of: source)
    }

    /// libpng's first warning; nil if there was none.
    var warning: String? {
        // SAFETY: the shim's message ends with a zero byte and is copied.
        let text = unsafe String(cString: frost_png_reader_warning(reader))
        return text.isEmpty ? nil : text
    }

    private func check(_ status: frost_png_status) throws(ImageError) {
        if status == FROST_PNG_OK { return }
        if status == FROST_PNG_READ_FAILED { throw source.readFailure }
        if status == FROST_PNG_NO_MEMORY { throw .outOfMemory(path: source.name, bytes: 0) }
        if status == FROST_PNG_OVER_LIMIT {
            throw .tooComplex(path: source.name, reason: unsafe String(cString: frost_png_reader_message(reader)))
        }
        // SAFETY: the shim's message ends with a zero byte and is copied.
        let reason = unsafe String(cString: frost_png_reader_message(reader))
        let offset = unsafe frost_png_reader_offset(reader)
        throw status == FROST_PNG_TRUNCATED
            ? .truncated(path: source.name, format: .png, reason: reason, offset: offset)
            : .corrupt(path: source.name, format: .png, reason: reason, offset: offset)
    }
}
