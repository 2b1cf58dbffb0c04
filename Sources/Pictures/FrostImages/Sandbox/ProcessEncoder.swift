import FrostCore
import Glibc

/// Encodes a picture in a process of its own, whose memory the kernel limits.
struct ProcessEncoder: RowEncoder, ~Copyable {
    private let process: EncoderProcess
    private let messages: ProcessMessages
    private let output: EncodedBytes
    private let rowByteCount: Int
    /// The socket to which the rows are sent; nil after the last row.
    private var rows: Socket?

    /// Starts the process.
    init(
        _ layout: PixelLayout, _ metadata: ImageMetadata, as format: ImageFormat, _ options: ImageWriteOptions,
        to output: EncodedBytes, in process: EncoderProcess
    ) throws(ImageError) {
        var metadata = metadata
        if metadata.iccProfile == nil {
            metadata.iccProfile = layout.format.colorSpace.iccBytes.map { ICCProfile(bytes: $0) }
        }
        let request = EncoderRequest(
            format: format,
            head: DecodedHead(
                width: layout.width, height: layout.height, format: layout.format, metadata: metadata,
                memory: process.memory),
            options: options, seconds: UInt64(max(0, min(process.time.components.seconds, 1 << 32))) + 1)
        do throws(Errno) {
            let (near, far) = try Socket.pair()
            let started = try CodecProcess.start(
                process.program, EncoderProcess.word, input: far.descriptor,
                request: WireCoder.bytes(of: request, EncoderRequest.code))
            messages = ProcessMessages(
                process: started, name: output.name, format: format, isStream: false, maximumTime: process.time,
                time: TimeLimit(process.time), problems: ReadProblems())
            rows = near
        } catch {
            throw .encoderEnded(
                path: output.name, reason: "cannot be started: \(process.program.shownName): \(error.message)",
                memory: process.memory)
        }
        self.process = process
        self.output = output
        rowByteCount = layout.rowByteCount
    }

    mutating func writeRow(_ row: RawSpan) throws(ImageError) {
        // If the process has ended or sends something already, its messages say why.
        guard let rows, try !rows.send(row.extracting(0..<rowByteCount), messages) else { return }
        try end()
        throw named(messages.damage)
    }

    mutating func end() throws(ImageError) {
        rows = nil
        _ = try more()
    }

    mutating func more() throws(ImageError) -> Bool {
        let bytes: [UInt8]
        do throws(ImageError) { bytes = try messages.next(.file, rows: 0) } catch { throw named(error) }
        output.append(bytes)
        return !bytes.isEmpty
    }

    /// The error of an encoder for an error of its process.
    private func named(_ error: ImageError) -> ImageError {
        let reason =
            switch error {
            case .decoderEnded(_, let reason): reason
            case .outOfMemory: "ran out of memory"
            default: ""
            }
        return reason.isEmpty ? error : .encoderEnded(path: output.name, reason: reason, memory: process.memory)
    }

    /// One end of a pair of connected sockets. A write to a socket whose other end is closed fails without SIGPIPE.
    private final class Socket: Sendable {
        let descriptor: Int32

        private init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }

        static func pair() throws(Errno) -> (Socket, Socket) {
            var ends: [Int32] = [-1, -1]
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            // SAFETY: socketpair stores two numbers.
            try Errno.check { unsafe socketpair(AF_UNIX, kind, 0, &ends) }
            return (Socket(ends[0]), Socket(ends[1]))
        }

        /// Sends all bytes. Returns false if the process does not read them: the other end is closed, or the process sends
        /// messages before it has read all rows.
        func send(_ bytes: RawSpan, _ messages: ProcessMessages) throws(ImageError) -> Bool {
            var rest = bytes
            while rest.byteCount > 0 {
                // SAFETY: the call stays within the span.
                let count = unsafe rest.withUnsafeBytes {
                    unsafe Glibc.send(
                        descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                }
                if count >= 0 {
                    rest = rest.extracting(droppingFirst: count)
                } else if errno == EAGAIN {
                    try messages.time.check(name: messages.name)
                    if messages.process.hasOutput(orWritable: descriptor) { return false }
                } else if errno != EINTR {
                    return false
                }
            }
            return true
        }
    }
}
