import CJPEGShim

/// Owns the shim's reader and the bytes it reads.
@safe struct JPEGReadHandle: ~Copyable, @unchecked Sendable {
    // Sendable: the struct is not copied and no one else has the two references, so only the value's holder uses them.
    private let reader: OpaquePointer
    private let source: ByteSource

    init(source: ByteSource, failOn: FailOn) throws(ImageError) {
        // SAFETY: the property below keeps `source` alive as long as the reader, and the callback returns normally.
        let reader = unsafe frost_jpeg_reader_create(
            { context, buffer, size in
                let source = unsafe Unmanaged<ByteSource>.fromOpaque(context).takeUnretainedValue()
                let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size)
                return unsafe Int64(source.read(into: room) ?? -1)
            },
            Unmanaged.passUnretained(source).toOpaque(), failOn.raisedByJPEG)
        guard let reader = unsafe reader else { throw .outOfMemory(path: source.name, bytes: 0) }
        unsafe self.reader = unsafe reader
        self.source = source
    }

    deinit {
        // SAFETY: the only reference; destroying reads nothing.
        unsafe frost_jpeg_reader_destroy(reader)
    }

    /// Reads the header.
    func open() throws(ImageError) -> frost_jpeg_layout {
        var layout = frost_jpeg_layout()
        // SAFETY: filled in during the call.
        try check(unsafe frost_jpeg_reader_open(reader, &layout))
        return layout
    }

    /// The APP1, APP2 and comment segments.
    var segments: [(marker: UInt32, bytes: [UInt8])] {
        var count = 0
        // SAFETY: the reader holds `count` segments of the stated sizes; all are copied.
        guard let segments = unsafe frost_jpeg_reader_segments(reader, &count) else { return [] }
        return (0..<count).map { i in
            let segment = unsafe segments[i]
            return unsafe (
                segment.marker, Array(UnsafeRawBufferPointer(start: segment.bytes, count: segment.size))
            )
        }
    }

    /// Decodes up to the first row, or the whole file if it has several scans.
    func start() throws(ImageError) {
        // SAFETY: here and below, the reader lives as long as this value.
        try check(unsafe frost_jpeg_reader_start(reader))
    }

    /// Reads a row. `row` must have room for it.
    @unsafe func readRow(into row: UnsafeMutableRawBufferPointer) throws(ImageError) {
        guard let base = row.baseAddress else { return }
        // SAFETY: the caller guarantees the room.
        try check(unsafe frost_jpeg_reader_row(reader, base))
    }

    /// Reads what follows the pixels.
    func end() throws(ImageError) { try check(unsafe frost_jpeg_reader_end(reader)) }

    /// The first fault that is none of those to fail on; nil if there was none.
    var warning: String? {
        // SAFETY: the message is zero-terminated and is copied.
        let text = unsafe String(cString: frost_jpeg_reader_warning(reader))
        return text.isEmpty ? nil : text
    }

    private func check(_ status: frost_jpeg_status) throws(ImageError) {
        switch status {
        case FROST_JPEG_OK: return
        case FROST_JPEG_READ_FAILED: throw source.readFailure
        case FROST_JPEG_NO_MEMORY: throw .outOfMemory(path: source.name, bytes: 0)
        default:
            // SAFETY: the message is zero-terminated and is copied.
            let reason = unsafe String(cString: frost_jpeg_reader_message(reader))
            if status == FROST_JPEG_OVER_LIMIT { throw .tooComplex(path: source.name, reason: reason) }
            let offset = unsafe frost_jpeg_reader_offset(reader)
            throw status == FROST_JPEG_TRUNCATED
                ? .truncated(path: source.name, format: .jpeg, reason: reason, offset: offset)
                : .corrupt(path: source.name, format: .jpeg, reason: reason, offset: offset)
        }
    }
}

extension FailOn {
    /// The faults that the shim has to raise.
    fileprivate var raisedByJPEG: UInt32 {
        let faults: [(Fault, frost_jpeg_fault)] = [
            (.warning, FROST_JPEG_WARNING), (.damage, FROST_JPEG_DAMAGE), (.truncation, FROST_JPEG_TRUNCATION),
        ]
        return faults.reduce(0) { $0 | (refuses($1.0) ? $1.1.rawValue : 0) }
    }
}
