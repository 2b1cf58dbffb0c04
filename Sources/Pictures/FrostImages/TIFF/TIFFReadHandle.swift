#if TIFF
    import CTIFF
    import FrostCore

    /// Owns the reader of the C module CTIFF and the file that it reads.
    @safe struct TIFFReadHandle: ~Copyable, @unchecked Sendable {
        // The struct is Sendable because it cannot be copied and nothing else holds its two references.
        private let reader: OpaquePointer
        private let file: Box
        private let name: String

        /// The context that the shim passes to the read callback.
        private final class Box {
            let file: WholeFile
            var failure: Int32 = 0
            init(_ file: WholeFile) { self.file = file }
        }

        init(_ file: WholeFile, name: String) throws(ImageError) {
            try TIFFLibrary.isLoaded.toRead(name, .tiff)
            let box = Box(file)
            // SAFETY: the property `file` keeps the box alive as long as the reader, and the callback returns normally.
            let reader = unsafe frost_tiff_reader_create(
                { context, offset, buffer, size in
                    let box = unsafe Unmanaged<Box>.fromOpaque(context).takeUnretainedValue()
                    let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size)
                    guard let offset = Int(exactly: offset) else { return 0 }
                    switch unsafe box.file.read(at: offset, into: room) {
                    case .success(let count): return Int64(count)
                    case .failure(let error):
                        box.failure = error.code
                        return -1
                    }
                },
                Unmanaged.passUnretained(box).toOpaque(), UInt64(file.size))
            guard let reader = unsafe reader else { throw .outOfMemory(path: name, bytes: 0) }
            unsafe self.reader = unsafe reader
            self.file = box
            self.name = name
        }

        deinit {
            // SAFETY: this struct holds the only reference to the reader.
            unsafe frost_tiff_reader_destroy(reader)
        }

        /// Reads the directory of the first page. The pointers in the result are valid as long as this struct exists.
        func open() throws(ImageError) -> frost_tiff_layout {
            var layout = unsafe frost_tiff_layout()
            // SAFETY: the shim fills `layout` during the call.
            try check(unsafe frost_tiff_reader_open(reader, &layout))
            return unsafe layout
        }

        /// Checks that all pixels lie within the file, and prepares the reader for the first row.
        func start() throws(ImageError) {
            // SAFETY: here and below, the reader exists as long as this struct.
            try check(unsafe frost_tiff_reader_start(reader))
        }

        /// Reads a row of a plane. `row` must have room for a whole row of the plane.
        @unsafe func readRow(_ y: Int, plane: Int, into row: UnsafeMutableRawPointer) throws(ImageError) {
            try check(unsafe frost_tiff_reader_row(reader, UInt32(y), UInt32(plane), row))
        }

        private func check(_ status: frost_tiff_status) throws(ImageError) {
            if status == FROST_TIFF_OK { return }
            if status == FROST_TIFF_READ_FAILED { throw .cannotRead(path: name, errno: file.failure) }
            if status == FROST_TIFF_NO_MEMORY { throw .outOfMemory(path: name, bytes: 0) }
            // SAFETY: the shim's message ends with a zero byte and is copied.
            let reason = unsafe String(cString: frost_tiff_reader_message(reader))
            // libtiff passes on the message of libjpeg, for example of a lossless JPEG.
            if reason.hasPrefix("unsupported JPEG process") {
                throw .unsupported(path: name, format: .tiff, reason: "unsupported TIFF: \(reason)")
            }
            if status == FROST_TIFF_OVER_LIMIT { throw .tooComplex(path: name, reason: reason) }
            throw .corrupt(path: name, format: .tiff, reason: reason, offset: nil)
        }
    }
#endif
