import Frost
import FrostCore
import Glibc

/// Runs this program, or another one, in another process, in which a driver may crash or hang without harm.
package struct Subprocess {
    package enum End: Equatable {
        case exit(Int32)
        case signal(Int32)
        /// The process exceeded its time limit and was killed.
        case timeout
        case notStarted(String)

        /// Waits until a child of this process has ended, and reaps it.
        init(reaping process: pid_t) {
            var status: Int32 = 0
            // SAFETY: waitpid stores one number.
            while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            self = signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
        }

        /// Waits until a child that is registered with ``Interruption`` has ended, ends its registration, and reaps it.
        init(reapingRegistered process: pid_t) {
            _ = Subprocess.hasEnded(process, 0)
            Interruption.remove(child: process)
            self.init(reaping: process)
        }
    }

    /// Returns whether a child has ended. Does not reap it: its number must not become that of another process while it is
    /// registered.
    ///
    /// - Parameter options: WNOHANG to return at once; 0 to wait for the end.
    static func hasEnded(_ process: pid_t, _ options: Int32) -> Bool {
        // SAFETY: waitid fills in the given structure, whose number of the process is set if the process has ended.
        var info = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT | options) < 0 {
            // The process has been reaped.
            if errno != EINTR { return true }
        }
        return unsafe info._sifields._sigchld.si_pid != 0
    }

    package let end: End
    package let output: String
    package let errors: String

    /// The maximum number of bytes of each output stream that are kept.
    private static let limit = 1 << 20

    /// The path of this program.
    package static let itself = OwnProgram.path.text

    /// Runs a program with the given arguments, and waits until it ends. The standard input of the program is empty.
    ///
    /// - Parameters:
    ///   - program: the path of the program; by default this program.
    ///   - variables: environment variables that are added to those of this process, or replace them.
    ///   - seconds: the time after which the program is killed.
    package static func run(
        _ arguments: [String], program: String = itself, variables: [String: String] = [:], seconds: Int
    ) -> Subprocess {
        var pipes: [(read: Int32, write: Int32)] = []
        defer { for pipe in pipes { close(pipe.read) } }
        for _ in 0..<2 {
            do throws(Errno) { pipes.append(try Descriptor.pipe()) } catch {
                for pipe in pipes { close(pipe.write) }
                return failed("pipe", error.code)
            }
        }
        let kept = Environment.all.filter { variables[String($0.prefix { $0 != "=" })] == nil }
        let pid: Int32
        do throws(Errno) {
            defer { for pipe in pipes { close(pipe.write) } }
            pid = try ChildProcess.start(
                FilePath(program), [program == itself ? "frost" : program] + arguments,
                variables: kept + variables.map { "\($0.key)=\($0.value)" },
                descriptors: [(pipes[0].write, 1), (pipes[1].write, 2)])
        } catch {
            return failed(program, error.code)
        }

        var streams = pipes.map { (descriptor: $0.read, bytes: [UInt8](), isOpen: true) }
        let deadline = ContinuousClock.now + .seconds(seconds)
        while streams.contains(where: \.isOpen) {
            let left = (deadline - ContinuousClock.now).milliseconds
            guard left > 0 else { break }
            // poll ignores negative descriptors, so -1 skips a closed stream.
            var ready = streams.map { pollfd(fd: $0.isOpen ? $0.descriptor : -1, events: Int16(POLLIN), revents: 0) }
            guard unsafe poll(&ready, nfds_t(ready.count), Int32(left) + 1) >= 0 || errno == EINTR else { break }
            for index in streams.indices where ready[index].revents != 0 { read(&streams[index]) }
        }
        let isLate = streams.contains(where: \.isOpen)
        if isLate { kill(pid, SIGKILL) }
        let end = End(reaping: pid)
        return Subprocess(
            end: isLate ? .timeout : end,
            output: String(decoding: streams[0].bytes, as: UTF8.self),
            errors: String(decoding: streams[1].bytes, as: UTF8.self))
    }

    private static func failed(_ what: String, _ error: Int32) -> Subprocess {
        Subprocess(end: .notStarted("\(what): \(Errno(code: error).message)"), output: "", errors: "")
    }

    private static func read(_ stream: inout (descriptor: Int32, bytes: [UInt8], isOpen: Bool)) {
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        switch Descriptor.read(stream.descriptor, into: &buffer) {
        case .failure, .success(0): stream.isOpen = false
        case .success(let count): if stream.bytes.count < limit { stream.bytes += buffer[..<count] }
        }
    }
}
