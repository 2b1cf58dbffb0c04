import FrostCore
import Glibc

/// The other side of a ``ProcessEncoder``: the work of its process.
package enum EncoderWorker {
    /// Reads the request and the pixels, and sends the file.
    ///
    /// Call it as the first work of a program, while the process has a single thread.
    ///
    /// - Parameter limit: limits the process. It gets the memory in bytes and the processor time in seconds that the
    ///   process may use, and returns the reason if it fails.
    /// - Returns: the exit code of the program; nil if the program got no request, for example because a user typed its
    ///   command line.
    package static func run(limit: (_ memory: UInt64, _ seconds: UInt64) -> String?) -> Int32? {
        var coder = WireCoder(reading: (try? Descriptor.readAll(CodecProcess.requestDescriptor)) ?? [])
        close(CodecProcess.requestDescriptor)
        var request = EncoderRequest.blank
        EncoderRequest.code(&coder, &request)
        guard coder.isComplete else { return nil }
        CodecMessages.discard()
        let seconds = request.seconds * UInt64(Processors.byDefault)
        if let reason = limit(UInt64(request.head.memory + used + reserve), seconds) {
            return (try? ProcessMessage.refusal.write(Array(reason.utf8), to: STDOUT_FILENO)) == nil ? 1 : 0
        }
        do throws(ImageError) {
            try encode(request)
            return 0
        } catch {
            let failure = WireCoder.bytes(of: WireError(error), WireError.code)
            return (try? ProcessMessage.failure.write(failure, to: STDOUT_FILENO)) == nil ? 1 : 0
        }
    }

    /// The writable memory, in bytes, that the program itself takes. The sixth number of this file counts it in pages.
    private static var used: Int {
        let fields = (TextFile.line("/proc/self/statm") ?? "").split(separator: " ")
        return fields.count > 5 ? (Int(fields[5]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
    }

    /// The memory, in bytes, of the variables of the library and of small allocations.
    private static let reserve = ProcessLimits.reserve

    private static func encode(_ request: EncoderRequest) throws(ImageError) {
        let name = "output"
        let (head, format) = (request.head, request.format)
        let layout = try PixelLayout(reading: head.width, head.height, head.format, name: name)
        let encoded = EncodedBytes(name: name)
        var encoder = try format.codec(for: name).encoder(layout, head.metadata, format, request.options, encoded)
        var row = [UInt8](repeating: 0, count: layout.rowByteCount)
        for _ in 0..<layout.height {
            do throws(Errno) {
                // The writer may have ended before its last row.
                guard try Descriptor.fill(STDIN_FILENO, &row) else { return }
            } catch {
                throw .cannotRead(path: name, errno: error.code)
            }
            // SAFETY: an array of bytes contains no padding, so every byte is initialised.
            try encoder.writeRow(unsafe row.span.bytes)
        }
        var parts = FileParts(name: name)
        try encoder.end()
        repeat { try encoded.drain(into: &parts) } while try encoder.more()
        try parts.end()
    }

    /// Sends the bytes of a file in parts.
    private struct FileParts: ByteSink {
        let name: String
        private static let size = 1 << 18

        init(name: String) { self.name = name }

        mutating func write(_ bytes: RawSpan) throws(ImageError) {
            var rest = bytes
            while rest.byteCount > 0 {
                let part = rest.extracting(first: Self.size)
                // SAFETY: the bytes are copied.
                try send(unsafe part.withUnsafeBytes { unsafe Array($0) })
                rest = rest.extracting(droppingFirst: part.byteCount)
            }
        }

        /// Sends the end of the file.
        func end() throws(ImageError) { try send([]) }

        private func send(_ bytes: [UInt8]) throws(ImageError) {
            do throws(Errno) { try ProcessMessage.file.write(bytes, to: STDOUT_FILENO) } catch {
                throw .cannotWrite(path: name, errno: error.code)
            }
        }
    }
}

extension Descriptor {
    /// Fills an array. Returns false if the bytes end before.
    fileprivate static func fill(_ descriptor: Int32, _ bytes: inout [UInt8]) throws(Errno) -> Bool {
        var failure: Errno?
        // SAFETY: each call stays within the array.
        let isFull = unsafe bytes.withUnsafeMutableBytes { buffer in
            var done = 0
            while done < buffer.count {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                switch unsafe read(descriptor, into: rest) {
                case .success(0): return false
                case .success(let count): done += count
                case .failure(let error):
                    failure = error
                    return false
                }
            }
            return true
        }
        if let failure { throw failure }
        return isFull
    }
}
