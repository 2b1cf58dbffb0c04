import CFiles
import FrostCore
import Glibc

/// The other side of a ``CodecStarter``: the work of its process.
///
/// It has a single thread, so that its forks are complete copies. It reads requests of the program only, and no byte of a picture.
package enum StarterWorker {
    /// Forks a process for each message, until the program that sends them has ended. A forked process does its work and ends
    /// here, so only the starter returns.
    ///
    /// Call it as the first work of a program, while the process has a single thread.
    ///
    /// - Parameters:
    ///   - prepare: prepares what `isolate` does, once for all processes.
    ///   - isolate: takes rights away from a forked process.
    /// - Returns: the exit code of the starter; nil if descriptor 0 is not a socket, because a user has started the program by hand.
    package static func run(prepare: () -> Void, isolate: Isolate) -> Int32? {
        let socket = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 16)
        guard (try? Descriptor.send(CodecWork.greeting, with: [], to: socket)) != nil else { return nil }
        prepare()
        var starter = Starter(socket: socket)
        guard let work = starter.run() else { return 0 }
        let code =
            switch work {
            case .decode: DecoderWorker.run(isolate)
            case .encode: EncoderWorker.run(isolate)
            case .colors: ColorWorker.run(isolate)
            case .sequence: SequenceWorker.run(isolate)
            }
        // There is nothing left to write. The handlers that libraries have for the end of a program would touch memory that is
        // shared with the starter, and that the kernel would have to copy.
        _exit(code)
    }
}

/// The loop of a starter.
private struct Starter {
    private let socket: Int32
    private let parent = frost_watch_parent()
    private let ends = frost_watch_children()
    /// The sockets of the running processes, by their numbers. Closed ones are -1.
    private var controls: [pid_t: Int32] = [:]
    /// The number of processes for each format.
    private var counts: [ImageFormat: Int] = [:]

    init(socket: Int32) {
        self.socket = socket
        // A process cannot ask for it any more, and it takes longer than the fork.
        _ = Processors.byDefault
    }

    /// Returns the work in a forked process, and nil in the starter when the program has ended.
    mutating func run() -> CodecWork? {
        guard ends >= 0 else { return nil }
        while true {
            let running = controls.filter { $0.value >= 0 }
            var requests = [socket, ends, parent].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            requests += running.map { pollfd(fd: $0.value, events: Int16(POLLIN), revents: 0) }
            // SAFETY: poll gets the array and its count.
            guard unsafe poll(&requests, nfds_t(requests.count), -1) > 0 else { continue }
            if requests[2].revents != 0 { return nil }
            // A control that can be read has ended: nobody sends anything by it.
            for (process, request) in zip(running.keys, requests.dropFirst(3)) where request.revents != 0 {
                // The number still belongs to the process, because nobody has waited for it.
                kill(process, SIGKILL)
                // The program may still want to know how the process ends, so the socket stays open.
                controls[process] = -1 - request.fd
            }
            if requests[1].revents != 0 { report() }
            if requests[0].revents != 0 {
                guard let message = try? Descriptor.receive(16, with: CodecWork.descriptorCount, from: socket) else {
                    return nil
                }
                if let work = start(message.bytes, message.descriptors) { return work }
            }
        }
    }

    /// Reports the processes that have ended.
    private mutating func report() {
        frost_clear_watch(ends)
        var status: Int32 = 0
        while true {
            // SAFETY: waitpid stores one number.
            let process = unsafe waitpid(-1, &status, WNOHANG)
            guard process > 0 else { return }
            guard let control = controls.removeValue(forKey: process) else { continue }
            Self.answer(.ended(status), control < 0 ? -1 - control : control)
        }
    }

    /// Starts a process. Returns its work in the process, and nil in the starter.
    private mutating func start(_ message: [UInt8], _ descriptors: [Int32]) -> CodecWork? {
        let control = descriptors[4]
        guard let (work, format) = CodecWork.read(message) else {
            for descriptor in descriptors { close(descriptor) }
            return nil
        }
        // A library that is missing is an error of the process, which tries again.
        CodecMessages.discard()
        try? format.codec(for: "input").load("input")
        counts[format, default: 0] += 1
        // A single picture, which has two processes, is done sooner without it.
        if counts[format] == 3 { WarmUp.run(format) }
        let process = frost_fork()
        if process == 0 {
            frost_keep_descriptors(descriptors[0], descriptors[1], descriptors[2], descriptors[3])
            return work
        }
        let error = errno
        for descriptor in descriptors[..<4] { close(descriptor) }
        if process > 0 { controls[process] = control } else { Self.answer(.notForked(error), control) }
        return nil
    }

    private static func answer(_ end: CodecEnd, _ control: Int32) {
        let bytes = end.bytes
        // SAFETY: the call reads as many bytes as the array has.
        _ = unsafe send(control, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        close(control)
    }
}
