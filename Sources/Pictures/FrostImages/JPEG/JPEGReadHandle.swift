import CJPEG

/// Owns the reader of the C module CJPEG and the source of its bytes.
@safe struct JPEGReadHandle: ~Copyable, @unchecked Sendable {
    // The struct is Sendable because it cannot be copied and nothing else holds its two references.
    private let reader: OpaquePointer
    private let source: ByteSource

    init(source: ByteSource, failOn: FailOn) throws(ImageError) {
        // SAFETY: the property `source` keeps the source alive as long as the reader, and the callbacks return
        // normally.
        let reader = unsafe frost_jpeg_reader_create(
            { context, buffer, size in
                let source = unsafe Unmanaged<ByteSource>.fromOpaque(context).takeUnretainedValue()
                let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size)
                return unsafe Int64(source.read(into: room) ?? -1)
            },
            { context in unsafe Unmanaged<ByteSource>.fromOpaque(context).takeUnretainedValue().hasTime },
            Unmanaged.passUnretained(source).toOpaque(), failOn.raisedByJPEG)
        guard let reader = unsafe reader else { throw .outOfMemory(path: source.name, bytes: 0) }
        unsafe self.reader = unsafe reader
        self.source = source
    }

    deinit {
        // SAFETY: this struct holds the only reference to the reader, and destroying the reader does not call the read
        // callback.
        unsafe frost_jpeg_reader_destroy(reader)
    }

    /// Reads the JPEG header.
    func open() throws(ImageError) -> frost_jpeg_layout {
        var layout = frost_jpeg_layout()
        // SAFETY: the shim fills `layout` during the call.
        try check(unsafe frost_jpeg_reader_open(reader, &layout))
        return layout
    }

    /// The APP1, APP2 and comment segments of the file, and the first bytes of other application segments.
    var segments: [(marker: UInt32, bytes: [UInt8])] {
        var count = 0
        // SAFETY: the shim's reader holds `count` segments of the stated sizes, and all of them are copied.
        guard let segments = unsafe frost_jpeg_reader_segments(reader, &count) else { return [] }
        return (0..<count).map { i in
            let segment = unsafe segments[i]
            return unsafe (
                segment.marker, Array(UnsafeRawBufferPointer(start: segment.bytes, count: segment.size))
            )
        }
    }

    /// Starts decoding, so that the first row can be read. If the file has several scans, this decodes the whole file.
    func start() throws(ImageError) {
        // SAFETY: here and below, the reader exists as long as this struct.
        try check(unsafe frost_jpeg_reader_start(reader))
    }

    /// Reads the next row. `row` must have room for a whole row.
    @unsafe func readRow(into row: UnsafeMutableRawBufferPointer) throws(ImageError) {
        guard let base = row.baseAddress else { return }
        // SAFETY: the caller guarantees that `row` has room for a row.
        try check(unsafe frost_jpeg_reader_row(reader, base))
    }

    /// Reads the part of the file that follows the pixels.
    func end() throws(ImageError) { try check(unsafe frost_jpeg_reader_end(reader)) }

    /// Adds the bytes that follow the end marker to the parts that are left out.
    func leaveOutRest(_ problems: ReadProblems) {
        problems.leaveOut(after: unsafe frost_jpeg_reader_offset(reader), of: source)
    }

    /// The message of the first fault that was tolerated while reading; nil if there was no such fault.
    var warning: String? {
        // SAFETY: the shim's message ends with a zero byte and is copied.
        let text = unsafe String(cString: frost_jpeg_reader_warning(reader))
        return text.isEmpty ? nil : text
    }

    private func check(_ status: frost_jpeg_status) throws(ImageError) {
        switch status {
        case FROST_JPEG_OK: return
        case FROST_JPEG_READ_FAILED: throw source.readFailure
        case FROST_JPEG_NO_MEMORY: throw .outOfMemory(path: source.name, bytes: 0)
        default:
            // SAFETY: the shim's message ends with a zero byte and is copied.
            let reason = unsafe String(cString: frost_jpeg_reader_message(reader))
            if status == FROST_JPEG_UNSUPPORTED {
                throw .unsupported(path: source.name, format: .jpeg, reason: "unsupported JPEG: \(reason)")
            }
            if status == FROST_JPEG_OVER_LIMIT { throw .tooComplex(path: source.name, reason: reason) }
            let offset = unsafe frost_jpeg_reader_offset(reader)
            throw status == FROST_JPEG_TRUNCATED
                ? .truncated(path: source.name, format: .jpeg, reason: reason, offset: offset)
                : .corrupt(path: source.name, format: .jpeg, reason: reason, offset: offset)
        }
    }
}

extension FailOn {
    /// The faults that the JPEG shim must report as errors, as a bit set.
    fileprivate var raisedByJPEG: UInt32 {
        let faults: [(Fault, frost_jpeg_fault)] = [
            (.warning, FROST_JPEG_WARNING), (.damage, FROST_JPEG_DAMAGE), (.truncation, FROST_JPEG_TRUNCATION),
        ]
        return faults.reduce(0) { $0 | (refuses($1.0) ? $1.1.rawValue : 0) }
    }
}
