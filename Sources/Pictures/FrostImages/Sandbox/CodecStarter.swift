package import FrostCore
import FrostThreads
import Glibc

/// A process of the command `frost` that forks a process for each picture. It has the libraries in memory already, so that a process
/// costs a fork and not the start of a program. It reads no byte of a picture itself.
///
/// A program has one starter for each path of the command, which it starts when it needs the first process. The starter ends when the
/// program has ended, and the kernel then kills the processes that it has forked.
///
/// Thread-safety: may be used from any thread.
package final class CodecStarter: Sendable {
    /// The only word of the command line with which `frost` becomes a starter.
    package static let word = "start-codecs"

    /// The error of a process that cannot be started.
    struct Unavailable: Error {
        let reason: String
    }

    private let program: FilePath
    private let identifier: pid_t
    private let socket: Int32
    private let generation = ForkGeneration.current
    /// Whether the greeting of the starter has arrived.
    private let isReady = Lock(false)
    private static let all = Lock<[FilePath: CodecStarter]>([:])

    /// Starts the starter of a program, unless it runs, and does not wait for it. The first picture then waits less.
    package static func prepare(_ program: FilePath) { _ = try? starter(program) }

    /// Starts a process.
    ///
    /// - Parameters:
    ///   - program: the path of the command `frost`.
    ///   - format: the format of the picture.
    ///   - input: the descriptor of the picture's file or pixels. The process gets a duplicate.
    ///   - request: the bytes of a ``DecoderRequest`` or an ``EncoderRequest``.
    ///   - rows: the memory of the rows.
    static func start(
        _ program: FilePath, _ work: CodecWork, _ format: ImageFormat, input: Int32, request: [UInt8],
        rows: SharedRows
    ) throws(Unavailable) -> CodecProcess {
        do throws(Errno) {
            let starter = try starter(program)
            try starter.awaitGreeting()
            do throws(Errno) { return try starter.start(work, format, input, request, rows) } catch {
                // The starter has ended, perhaps because the system killed it. Another one takes its place, once.
                guard error.code == EPIPE || error.code == ECONNRESET else { throw error }
                starter.forget()
                let next = try Self.starter(program)
                try next.awaitGreeting()
                return try next.start(work, format, input, request, rows)
            }
        } catch {
            throw Unavailable(reason: "\(program.shownName): \(error.code == EPROTO ? Self.stranger : error.message)")
        }
    }

    private static let stranger = "it is not the command frost of this version"

    private static func starter(_ program: FilePath) throws(Errno) -> CodecStarter {
        try all.withLock { (starters) throws(Errno) in
            // The starter of a parent process ends with the parent.
            if let starter = starters[program], starter.generation.isCurrent { return starter }
            let starter = try CodecStarter(program)
            starters[program] = starter
            return starter
        }
    }

    private init(_ program: FilePath) throws(Errno) {
        self.program = program
        let (near, far) = try Descriptor.sockets(keepsMessages: true)
        defer { close(far) }
        // The environment may hold secrets, so the process gets none of it but the path of libraries.
        let libraries = Environment.value("LD_LIBRARY_PATH").map { ["LD_LIBRARY_PATH=\($0)"] } ?? []
        do throws(Errno) {
            // The keys of the terminal that interrupt this program do not reach a group of its own.
            identifier = try ChildProcess.start(
                program, ["frost", Self.word], variables: ["SWIFT_BACKTRACE=enable=no"] + libraries,
                descriptors: [(far, 0), (far, 1)], ownGroup: true)
        } catch {
            close(near)
            throw error
        }
        socket = near
    }

    deinit {
        close(socket)
        // In the child of a fork, the starter is the child of another process.
        guard generation.isCurrent else { return }
        // The starter has ended or does not work. A host that waits for any of its children must not find this one.
        kill(identifier, SIGKILL)
        while waitpid(identifier, nil, 0) < 0, errno == EINTR {}
    }

    /// Removes this starter, which has ended or does not work.
    private func forget() {
        Self.all.withLock { if $0[program] === self { $0[program] = nil } }
    }

    /// Waits until the greeting has arrived.
    ///
    /// - Throws: EPROTO if the program sends something else, or nothing in 10 seconds.
    private func awaitGreeting() throws(Errno) {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            let arrived = try isReady.withLock { (isReady) throws(Errno) -> Bool in
                if isReady { return true }
                var bytes = [UInt8](repeating: 0, count: 64)
                // SAFETY: the call stores at most as many bytes as the array has.
                let got = unsafe recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
                if got < 0, [EAGAIN, EINTR].contains(errno) { return false }
                guard got > 0, Array(bytes[..<got]) == CodecWork.greeting else {
                    forget()
                    throw Errno(code: EPROTO)
                }
                isReady = true
                return true
            }
            if arrived { return }
            guard ContinuousClock.now < deadline else {
                forget()
                throw Errno(code: EPROTO)
            }
            var request = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            // SAFETY: poll gets one structure and the count 1.
            _ = unsafe poll(&request, 1, 100)
        }
    }

    private func start(
        _ work: CodecWork, _ format: ImageFormat, _ input: Int32, _ request: [UInt8], _ rows: SharedRows
    ) throws(Errno) -> CodecProcess {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        let message = try Descriptor.inMemory(request)
        opened.append(message)
        let channel = try Descriptor.sockets(keepsMessages: false)
        opened.append(channel.far)
        let control: (near: Int32, far: Int32)
        do throws(Errno) { control = try Descriptor.sockets(keepsMessages: false) } catch {
            close(channel.near)
            throw error
        }
        opened.append(control.far)
        let process = CodecProcess(channel: channel.near, control: control.near, rows)
        try Descriptor.send(
            work.message(format), with: [input, channel.far, message, rows.descriptor, control.far], to: socket)
        return process
    }
}
