import FrostCore
import Glibc

/// A running process that decodes or encodes a picture. It is killed when this object is freed.
final class CodecProcess: Sendable {
    /// The socket for messages.
    private let channel: Int32
    /// The socket by which the starter says how the process ended. The starter kills the process when this end is closed.
    private let control: Int32
    /// The memory of the rows, which other processes get when this one has ended.
    private let rows: SharedRows

    init(channel: Int32, control: Int32, _ rows: SharedRows) {
        (self.channel, self.control, self.rows) = (channel, control, rows)
    }

    deinit {
        close(channel)
        SharedRowsPool.shared.keep(rows, control)
    }

    /// Reads the given number of bytes. Returns nil if the output ends before.
    ///
    /// - Parameters:
    ///   - time: the time of the work on the picture.
    ///   - counts: whether the time of waiting counts. It does not if the process may be waiting for its input.
    func read(_ count: Int, _ time: TimeLimit, counts: Bool, name: String) throws(ImageError) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            try wait(time, counts: counts, name: name)
            // The memory grows with the bytes that arrive, so a false length does no harm.
            var part = [UInt8](repeating: 0, count: min(count - bytes.count, 1 << 20))
            switch Descriptor.read(channel, into: &part) {
            // A process that ended before it has read all confirmations resets the connection.
            case .success(0), .failure(Errno(code: ECONNRESET)): return nil
            case .success(let got):
                if got == count { return part }
                bytes += part[..<got]
            case .failure(let error): throw .cannotRead(path: name, errno: error.code)
            }
        }
        return bytes
    }

    /// Says that a block of rows is filled or taken. If the process has ended, its messages say why.
    func confirmBlock() {
        var byte: UInt8 = 0
        // SAFETY: the call reads one byte.
        _ = unsafe send(channel, &byte, 1, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }

    /// Waits until the output can be read or has ended.
    private func wait(_ time: TimeLimit, counts: Bool, name: String) throws(ImageError) {
        while true {
            let start = ContinuousClock.now
            let isReady = Self.canRead(channel, 100)
            if !counts { time.exclude(ContinuousClock.now - start) }
            try time.check(name: name)
            if isReady { return }
        }
    }

    /// Waits until a descriptor can be read or has ended, at most for a time in milliseconds.
    static func canRead(_ descriptor: Int32, _ time: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // SAFETY: poll gets one structure and the count 1.
        return unsafe poll(&request, 1, time) > 0
    }

    /// Waits until the process ends, and has it killed after 10 seconds. Returns how it ended.
    func end() -> CodecEnd {
        // The starter kills the process when this end sends nothing more.
        if !Self.canRead(control, 10_000) { shutdown(control, Int32(SHUT_WR)) }
        // A process that waits for the disk ends later, and the starter may be gone.
        guard Self.canRead(control, 10_000) else { return .unknown }
        var bytes = [UInt8](repeating: 0, count: CodecEnd.byteCount)
        // The message is so short that it arrives at once.
        guard case .success(CodecEnd.byteCount) = Descriptor.read(control, into: &bytes) else { return .unknown }
        return CodecEnd(bytes)
    }
}

extension CodecEnd {
    /// The exit code of the command if it gets no memory for a value of its own.
    private static let memoryCode: Int32 = 4

    /// The end as words that follow "its decoder" or "its encoder".
    var words: String {
        switch self {
        case .unknown: return "ended without a result"
        case .notForked(let error): return "cannot be started: \(Errno(code: error).message)"
        case .ended(let status):
            let signal = status & 0x7F
            if status == Self.memoryCode << 8 { return "ran out of memory" }
            guard signal != 0 else { return "ended with exit code \(status >> 8 & 0xFF) and without a result" }
            // SAFETY: strsignal returns a string that is copied immediately.
            let meaning = unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? "unknown"
            return "was ended by signal \(signal) (\(meaning))"
        }
    }
}
