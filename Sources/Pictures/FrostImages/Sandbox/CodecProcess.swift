import FrostCore
import Glibc

/// A running process that decodes or encodes a picture. It is killed when this object is freed.
final class CodecProcess: Sendable {
    /// The exit code of the command if it gets no memory for a value of its own.
    private static let memoryCode: Int32 = 4

    private let identifier: pid_t
    /// The end of the pipe from which the output of the process is read.
    private let output: Int32

    init(identifier: pid_t, output: Int32) {
        (self.identifier, self.output) = (identifier, output)
    }

    deinit {
        close(output)
        _ = end(after: .zero)
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
            switch Descriptor.read(output, into: &part) {
            case .success(0): return nil
            case .success(let got):
                if got == count { return part }
                bytes += part[..<got]
            case .failure(let error): throw .cannotRead(path: name, errno: error.code)
            }
        }
        return bytes
    }

    /// Waits until the process sends something or ends, or a descriptor can be written to, at most for a tenth of a second.
    /// Returns whether the process has sent something or has ended.
    func hasOutput(orWritable descriptor: Int32) -> Bool {
        var requests = [
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
        ]
        // SAFETY: poll gets two structures and the count 2.
        return unsafe poll(&requests, 2, 100) > 0 && requests[0].revents != 0
    }

    /// Waits until the output can be read or has ended.
    private func wait(_ time: TimeLimit, counts: Bool, name: String) throws(ImageError) {
        while true {
            let start = ContinuousClock.now
            var request = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            // SAFETY: poll gets one structure and the count 1.
            let ready = unsafe poll(&request, 1, 100)
            if !counts { time.exclude(ContinuousClock.now - start) }
            try time.check(name: name)
            if ready > 0 { return }
        }
    }

    /// Waits until the process ends, and kills it after a time. Says how it ended: the text follows "its decoder" or "its
    /// encoder".
    func end(after patience: Duration) -> String {
        var status: Int32 = 0
        let deadline = ContinuousClock.now + patience
        // SAFETY: waitpid stores one number.
        var ended = unsafe waitpid(identifier, &status, WNOHANG)
        while ended == 0, ContinuousClock.now < deadline {
            usleep(1000)
            ended = unsafe waitpid(identifier, &status, WNOHANG)
        }
        // The process is killed only if it is still a child of this process, because its number is then still its own.
        if ended == 0 {
            kill(identifier, SIGKILL)
            repeat { ended = unsafe waitpid(identifier, &status, 0) } while ended < 0 && errno == EINTR
        }
        guard ended == identifier else { return "ended without a result" }
        let signal = status & 0x7F
        if status == Self.memoryCode << 8 { return "ran out of memory" }
        guard signal != 0 else { return "ended with exit code \(status >> 8 & 0xFF) and without a result" }
        // SAFETY: strsignal returns a string that is copied immediately.
        let meaning = unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? "unknown"
        return "was ended by signal \(signal) (\(meaning))"
    }
}
