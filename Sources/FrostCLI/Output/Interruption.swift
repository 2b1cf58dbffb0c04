import Frost
import Glibc
import Synchronization

/// Handles INT, TERM and HUP: removes unfinished files, then ends the program by the signal, so that shells see it.
/// Between ``wait()`` and ``endIfRequested()`` the first signal only requests the end, and the second ends the
/// program.
enum Interruption {
    /// A thread that writes a file: its number, or 0, and the path as a C string, or null. Replaced paths are leaked,
    /// because a handler may be reading them.
    private struct Slot: ~Copyable {
        let thread = Atomic<UInt>(0)
        let path = Atomic<UInt>(0)
    }

    /// More than the threads that write files at once.
    private static let count = 512
    // SAFETY: allocated once, never freed; its slots are atomics.
    nonisolated(unsafe) private static let slots: UnsafeMutablePointer<Slot> = {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: count)
        for i in 0..<count { unsafe (slots + i).initialize(to: Slot()) }
        return unsafe slots
    }()

    private static let waits = Atomic<Bool>(false)
    private static let isEnding = Atomic<Bool>(false)
    /// The signal that asked to end, or 0.
    private static let requested = Atomic<Int32>(0)

    /// Whether a signal asked to end.
    static var isRequested: Bool { requested.load(ordering: .relaxed) != 0 }

    /// Installs the handlers. A signal that the parent set to be ignored (nohup) stays ignored.
    static func install() {
        // Initialised now, because a signal handler must not do it.
        _ = unsafe slots
        signal(SIGPIPE, SIG_IGN)
        // Above `ulimit -f` a write should fail with EFBIG, as on a full disk, and not end the program.
        signal(SIGXFSZ, SIG_IGN)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var old = sigaction()
            unsafe sigaction(number, nil, &old)
            let ignored = unsafe unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 1
            guard !ignored else { continue }
            signal(number) { number in
                let isFirst = Interruption.requested.exchange(number, ordering: .sequentiallyConsistent) == 0
                if isFirst, Interruption.waits.load(ordering: .sequentiallyConsistent) { return }
                Interruption.end(by: number)
            }
        }
    }

    /// From here on the first signal only requests the end, so that work in progress can be finished.
    static func wait() { waits.store(true, ordering: .sequentiallyConsistent) }

    /// Ends the program if a signal asked for it.
    static func endIfRequested() {
        waits.store(false, ordering: .sequentiallyConsistent)
        let number = requested.load(ordering: .sequentiallyConsistent)
        if number != 0 { end(by: number) }
    }

    /// Names the file that this thread is about to create and that is to be removed; nil when it is complete.
    static func setTemporaryFile(_ file: String?) {
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
        // SAFETY: strdup's copy is never freed, so the handler's pointer stays valid.
        let copy = unsafe file.flatMap { unsafe strdup($0.fileName) }
        unsafe slots[own].path.store(UInt(bitPattern: copy), ordering: .sequentiallyConsistent)
        if file == nil { unsafe slots[own].thread.store(0, ordering: .sequentiallyConsistent) }
    }

    /// Removes unfinished files and prevents new ones. Async-signal-safe.
    static func abandonFiles() {
        isEnding.store(true, ordering: .sequentiallyConsistent)
        // Long enough for a file that was about to be created.
        poll(nil, 0, 10)
        for i in 0..<count {
            let path = unsafe slots[i].path.load(ordering: .sequentiallyConsistent)
            if let file = unsafe UnsafePointer<CChar>(bitPattern: path) { unsafe unlink(file) }
        }
    }

    /// Ends the program by the signal's default action. Async-signal-safe.
    static func end(by number: Int32) -> Never {
        abandonFiles()
        StatusLine.erase()
        signal(number, SIG_DFL)
        // It is blocked in its handler and in the threads of Dispatch.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        _exit(128 + number)
    }
}
