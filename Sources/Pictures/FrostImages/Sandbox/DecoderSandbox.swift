import CSystem
import FrostCore
import Glibc

extension DecoderSandbox {
    /// Starts the process.
    ///
    /// - Parameters:
    ///   - input: the descriptor of the picture's file. The process gets a duplicate.
    ///   - request: the bytes of a ``DecoderRequest``.
    func start(input: Int32, request: [UInt8]) throws(Errno) -> DecoderProcess {
        // All descriptors get numbers above those that the process uses, so that no duplicate overwrites another one.
        let lowest = Self.requestDescriptor + 1
        func above(_ descriptor: Int32) throws(Errno) -> Int32 {
            try Errno.check { fcntl(descriptor, F_DUPFD_CLOEXEC, lowest) }
        }
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        let source = try above(input)
        opened.append(source)
        let memory = try Descriptor.inMemory(request)
        opened.append(memory)
        let message = try above(memory)
        opened.append(message)
        var ends: [Int32] = [-1, -1]
        // SAFETY: pipe2 stores two numbers.
        try Errno.check { unsafe pipe2(&ends, O_CLOEXEC) }
        let output: Int32
        do throws(Errno) {
            opened.append(ends[1])
            output = try above(ends[1])
            opened.append(output)
            let process = try spawn([(source, 0), (output, 1), (message, Self.requestDescriptor)])
            // A larger pipe lets the process work ahead. If the system refuses it, the pipe keeps its size.
            _ = fcntl(ends[0], frost_set_pipe_size, 1 << 20)
            return DecoderProcess(identifier: process, output: ends[0])
        } catch {
            close(ends[0])
            throw error
        }
    }

    private func spawn(_ descriptors: [(from: Int32, to: Int32)]) throws(Errno) -> pid_t {
        // SAFETY: both objects are initialised before their use and destroyed after it.
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (from, to) in descriptors { unsafe posix_spawn_file_actions_adddup2(&actions, from, to) }
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, Self.requestDescriptor + 1)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // No signal is blocked or ignored in the process, whatever the state of this one.
        var (none, all) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        // The environment may hold secrets, so the process gets none of it but the path of libraries.
        let libraries = Environment.value("LD_LIBRARY_PATH").map { ["LD_LIBRARY_PATH=\($0)"] } ?? []
        var process: pid_t = 0
        let path = program.bytes.map { CChar(bitPattern: $0) } + [0]
        let error = unsafe CStrings.with(["frost", Self.word]) { words in
            unsafe CStrings.with(["SWIFT_BACKTRACE=enable=no"] + libraries) { variables in
                unsafe posix_spawn(&process, path, &actions, &attributes, words, variables)
            }
        }
        guard error == 0 else { throw Errno(code: error) }
        return process
    }
}
