import Frost
package import FrostImages
import Glibc
import Synchronization

extension AtomicFile.Options {
    /// Replaces a file, and deletes the temporary file if a signal ends the program.
    package static var interruptible: AtomicFile.Options {
        var options = AtomicFile.Options()
        options.willCreate = { Interruption.setTemporaryFile($0) }
        return options
    }
}

/// Handles the signals INT, TERM and HUP, and others that end a program by default. A signal kills the registered processes,
/// removes unfinished files and ends the program. The program ends by the same signal, so that a shell can see the cause.
/// Between ``wait()`` and ``endIfRequested()``, the first INT, TERM or HUP only requests the end of the program, and the
/// second one ends it.
///
/// A crash, for example of a decoder that gets no memory, also removes unfinished files. The crash then continues as
/// without Frost's handler, so that a debugger or a crash reporter sees its place.
package enum Interruption {
    /// The state of a thread that writes a file. `thread` is the number of the thread, or 0 if the slot is free. `path`
    /// is the path of the file as a C string, or null. A path that was replaced is never freed, because a signal
    /// handler may be reading it.
    private struct Slot: ~Copyable {
        let thread = Atomic<UInt>(0)
        let path = Atomic<UInt>(0)
    }

    /// The number of slots. It is larger than the number of threads that can write files at the same time.
    private static let count = 512
    // SAFETY: the slots are allocated once and never freed, and they consist of atomics.
    nonisolated(unsafe) private static let slots: UnsafeMutablePointer<Slot> = {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: count)
        for i in 0..<count { unsafe (slots + i).initialize(to: Slot()) }
        return unsafe slots
    }()

    private static let waits = Atomic<Bool>(false)
    /// The descriptor to which the first signal writes a byte; -1 for none.
    private static let notified = Atomic<Int32>(-1)
    private static let isEnding = Atomic<Bool>(false)
    /// The number of the signal that requested the end of the program, or 0.
    private static let requested = Atomic<Int32>(0)

    /// Whether a signal has requested the end of the program.
    package static var isRequested: Bool { requested.load(ordering: .relaxed) != 0 }

    /// Installs the signal handlers. If the parent process made a signal ignored, as nohup does, the signal stays
    /// ignored.
    static func install() {
        // The slots are initialised here, because a signal handler must not initialise them.
        _ = unsafe slots
        _ = unsafe children
        signal(SIGPIPE, SIG_IGN)
        // A write beyond `ulimit -f` must fail with EFBIG, like a write to a full disk, instead of ending the program.
        signal(SIGXFSZ, SIG_IGN)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var old = sigaction()
            unsafe sigaction(number, nil, &old)
            let ignored = unsafe unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 1
            guard !ignored else { continue }
            signal(number) { number in
                let isFirst = Interruption.requested.exchange(number, ordering: .sequentiallyConsistent) == 0
                if isFirst, Interruption.waits.load(ordering: .sequentiallyConsistent) {
                    var byte: UInt8 = 0
                    let descriptor = Interruption.notified.load(ordering: .sequentiallyConsistent)
                    // SAFETY: the call reads one byte. A signal handler may write to a descriptor.
                    if descriptor >= 0 { _ = unsafe write(descriptor, &byte, 1) }
                    return
                }
                Interruption.end(by: number)
            }
        }
        for number in deadly {
            var old = sigaction()
            unsafe sigaction(number, nil, &old)
            // A profiler or a debugger may have set a handler.
            guard unsafe unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 0 else { continue }
            signal(number) { Interruption.end(by: $0) }
        }
        watchCrashes()
    }

    /// The other signals that end a program by default and may arrive from outside, besides those of crashes.
    private static let deadly =
        [SIGQUIT, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGUSR1, SIGUSR2, SIGIO, SIGPWR, SIGSTKFLT]
        + (__libc_current_sigrtmin()...__libc_current_sigrtmax())

    private static let crashes = [SIGABRT, SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGSYS]
    /// The handlers that were set before, by signal.
    // SAFETY: they are written once, before any handler can run, and never freed.
    nonisolated(unsafe) private static let earlier = {
        let earlier = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
        unsafe earlier.initialize(repeating: sigaction(), count: 65)
        return unsafe earlier
    }()

    private static func watchCrashes() {
        for number in crashes {
            var handler = sigaction()
            unsafe handler.__sigaction_handler.sa_handler = { number in
                Interruption.abandonFiles()
                // When this handler returns, the signal arrives again, and the earlier handler gets it.
                unsafe sigaction(number, Interruption.earlier + Int(number), nil)
                raise(number)
            }
            // The alternate stack, if there is one, is used after an overflow of the stack.
            handler.sa_flags = SA_ONSTACK
            unsafe sigaction(number, &handler, earlier + Int(number))
        }
    }

    /// From this call on, the first signal only requests the end of the program, so that work in progress can be
    /// completed.
    ///
    /// - Parameter descriptor: gets a byte when the signal arrives; -1 for none.
    package static func wait(notifying descriptor: Int32 = -1) {
        notified.store(descriptor, ordering: .sequentiallyConsistent)
        waits.store(true, ordering: .sequentiallyConsistent)
    }

    /// Ends the program if a signal has requested its end.
    package static func endIfRequested() {
        waits.store(false, ordering: .sequentiallyConsistent)
        let number = requested.load(ordering: .sequentiallyConsistent)
        if number != 0 { end(by: number) }
    }

    /// Registers the file that this thread is about to create, so that the file is removed if a signal ends the
    /// program. When the file is complete, the caller passes nil.
    static func setTemporaryFile(_ file: FilePath?) {
        while file != nil, isEnding.load(ordering: .sequentiallyConsistent) { pause() }
        let thread = UInt(pthread_self())
        var own: Int?
        for i in 0..<count where own == nil {
            if unsafe slots[i].thread.load(ordering: .relaxed) == thread { own = i }
        }
        for i in 0..<count where own == nil && file != nil {
            let claim = unsafe slots[i].thread.compareExchange(
                expected: 0, desired: thread, ordering: .sequentiallyConsistent)
            if claim.exchanged { own = i }
        }
        guard let own else { return }
        // SAFETY: the copy that strdup makes is never freed, so the pointer in the handler stays valid.
        let copy = unsafe file.flatMap { unsafe $0.withCString { unsafe strdup($0) } ?? nil }
        unsafe slots[own].path.store(UInt(bitPattern: copy), ordering: .sequentiallyConsistent)
        if file == nil { unsafe slots[own].thread.store(0, ordering: .sequentiallyConsistent) }
    }

    /// The processes that may not outlive this one, by their numbers; 0 for a free slot.
    // SAFETY: the slots are allocated once and never freed, and they are atomics.
    nonisolated(unsafe) private static let children: UnsafeMutablePointer<Atomic<pid_t>> = {
        let slots = UnsafeMutablePointer<Atomic<pid_t>>.allocate(capacity: childCount)
        for i in 0..<childCount { unsafe (slots + i).initialize(to: Atomic(0)) }
        return unsafe slots
    }()
    /// A batch may run a program for each of its jobs.
    private static let childCount = 512

    /// Registers a process, so that it is killed if a signal ends the program.
    static func add(child: pid_t) { replace(0, by: child) }

    /// Ends the registration of a process. Call this before the process is reaped, because its number may then become that
    /// of another process.
    static func remove(child: pid_t) { replace(child, by: 0) }

    private static func replace(_ old: pid_t, by new: pid_t) {
        for i in 0..<childCount {
            let change = unsafe children[i].compareExchange(
                expected: old, desired: new, ordering: .sequentiallyConsistent)
            if change.exchanged { return }
        }
    }

    /// Kills the registered processes, and waits until they have ended and write no more. This function is async-signal-safe.
    private static func killChildren() {
        for i in 0..<childCount {
            let child = unsafe children[i].load(ordering: .sequentiallyConsistent)
            guard child > 0 else { continue }
            kill(child, SIGKILL)
            while waitpid(child, nil, 0) < 0, errno == EINTR {}
        }
    }

    /// Removes unfinished files and prevents new ones. This function is async-signal-safe.
    static func abandonFiles() {
        isEnding.store(true, ordering: .sequentiallyConsistent)
        killChildren()
        // The wait of 10 ms gives other threads time to create the files that they have already registered. These files
        // are then removed, too.
        poll(nil, 0, 10)
        for i in 0..<count {
            let path = unsafe slots[i].path.load(ordering: .sequentiallyConsistent)
            if let file = unsafe UnsafePointer<CChar>(bitPattern: path) { unsafe unlink(file) }
        }
    }

    /// Ends the program with the default action of a signal. This function is async-signal-safe.
    static func end(by number: Int32) -> Never {
        abandonFiles()
        StatusLine.erase()
        signal(number, SIG_DFL)
        // The signal is blocked in its own handler and in the threads that Frost makes, so it is unblocked here.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        _exit(128 + number)
    }
}
