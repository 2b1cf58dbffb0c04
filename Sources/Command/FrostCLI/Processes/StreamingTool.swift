import Frost
import FrostCore
import FrostThreads
import Glibc
import Synchronization

/// A program that runs beside Frost and reads or writes a stream through a pipe. What it writes to standard error is read at all
/// times, so that it never waits for that. A signal that ends Frost kills it, and it is also killed when this object is freed.
///
/// Thread-safety: may be used from any thread.
final class StreamingTool: Sendable {
    /// The end of the pipe of this process: to read what the program writes, or to write what it reads.
    let pipe: Int32
    private let identifier: pid_t
    private let isReader: Bool
    private let end = Mutex<Subprocess.End?>(nil)
    private let errors: Monitor<(bytes: [UInt8], isOver: Bool)>

    /// The number of bytes of the program's last words that are kept.
    private static let limit = 1 << 14
    private static let pipeSize: Int32 = 1 << 20

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - isReader: whether the program reads from the pipe, as its standard input. Otherwise it writes to the pipe, as its
    ///     standard output.
    ///   - files: more descriptors that the program gets, as the numbers from 3 on.
    init(_ program: FilePath, _ words: [String], isReader: Bool, files: [Int32] = []) throws(Errno) {
        let stream = try Descriptor.pipe(size: Self.pipeSize)
        let (own, other) = isReader ? (stream.write, stream.read) : (stream.read, stream.write)
        defer { close(other) }
        let messages: (read: Int32, write: Int32)
        do throws(Errno) { messages = try Descriptor.pipe() } catch {
            close(own)
            throw error
        }
        defer { close(messages.write) }
        let process: pid_t
        do throws(Errno) {
            process = try ChildProcess.start(
                program, [program.text] + words, variables: Environment.all,
                descriptors: [(other, isReader ? 0 : 1), (messages.write, 2)]
                    + files.enumerated().map { ($1, Int32($0) + 3) }, ownGroup: true)
        } catch {
            close(own)
            close(messages.read)
            throw error
        }
        Interruption.add(child: process)
        (pipe, identifier, self.isReader) = (own, process, isReader)
        let errors = Monitor<(bytes: [UInt8], isOver: Bool)>(([], false))
        self.errors = errors
        do throws(ThreadError) {
            try Thread.start("frost-tool") { Self.read(messages.read, into: errors) }.detach()
        } catch {
            close(messages.read)
            throw Errno(code: error.code)
        }
    }

    deinit {
        kill()
        _ = wait()
        // A thread may still be reading from the pipe, so the reading end stays open until this process ends.
        if isReader { closePipe() }
    }

    private static func read(_ descriptor: Int32, into errors: Monitor<(bytes: [UInt8], isOver: Bool)>) {
        var buffer = [UInt8](repeating: 0, count: 1 << 12)
        while case .success(let count) = Descriptor.read(descriptor, into: &buffer), count > 0 {
            errors.withLock { $0.bytes = ($0.bytes + buffer[..<count]).suffix(limit) }
        }
        close(descriptor)
        errors.update { $0.isOver = true }
    }

    /// Ends the input of the program.
    func closePipe() {
        isClosed.withLock { isClosed in
            if !isClosed { close(pipe) }
            isClosed = true
        }
    }
    private let isClosed = Mutex(false)

    /// Kills the program, if it has not ended.
    func kill() {
        end.withLock { if $0 == nil { _ = Glibc.kill(identifier, SIGKILL) } }
    }

    /// Waits until the program has ended.
    func wait() -> Subprocess.End {
        // The lock is not held meanwhile, because kill() takes it.
        _ = Subprocess.hasEnded(identifier, 0)
        return end.withLock { end in
            if let end { return end }
            let result = Subprocess.End(reapingRegistered: identifier)
            end = result
            return result
        }
    }

    /// Waits until the program has ended, but not longer than a time. Returns nil if it has not ended.
    func wait(atMost time: Duration) -> Subprocess.End? {
        let deadline = ContinuousClock.now + time
        while ContinuousClock.now < deadline {
            if Subprocess.hasEnded(identifier, WNOHANG) { return wait() }
            usleep(2000)
        }
        return nil
    }

    /// What the program has last written to standard error. Call this after ``wait()``.
    var lastWords: String {
        // A process that the program has started could still have the pipe, so the wait has a limit.
        let bytes = errors.wait(for: .seconds(1)) { $0.isOver ? $0.bytes : nil } ?? errors.withLock { $0.bytes }
        return String(decoding: bytes, as: UTF8.self)
    }
}
