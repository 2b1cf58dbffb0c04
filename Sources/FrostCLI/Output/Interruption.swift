import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What INT, TERM and HUP do: remove the file that is being written, then end the program by the signal, so that shells
/// see what happened.
enum Interruption {
    /// The path of the unfinished file as a C string, or null. Leaked when replaced: a handler may be reading it.
    private static let path = Atomic<UInt>(0)

    /// Installs the handlers. A signal that the parent set to be ignored (nohup) stays ignored.
    static func install() {
        // Made now: a handler must not be the first to touch it.
        setTemporaryFile(nil)
        signal(SIGPIPE, SIG_IGN)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var old = sigaction()
            unsafe sigaction(number, nil, &old)
            let ignored = unsafe unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 1
            guard !ignored else { continue }
            signal(number) { number in
                Interruption.removeTemporaryFile()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// Names the file to remove; nil when it is complete.
    static func setTemporaryFile(_ file: String?) {
        // SAFETY: strdup's copy is never freed, so the handler's pointer stays valid.
        let copy = unsafe file.flatMap { unsafe strdup($0) }
        path.store(UInt(bitPattern: copy), ordering: .sequentiallyConsistent)
    }

    /// Async-signal-safe: an atomic load and unlink.
    static func removeTemporaryFile() {
        guard let file = unsafe UnsafePointer<CChar>(bitPattern: path.load(ordering: .sequentiallyConsistent)) else {
            return
        }
        unsafe unlink(file)
    }
}

/// write(2), under a name that does not hide methods called `write`.
@unsafe func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
