import CEGL
import Glibc

/// Starts threads that call drivers.
enum NativeThread {
    // SAFETY: the new thread takes over the reference to the box, which then has no other users.
    private final class Box: @unchecked Sendable {
        let name: StaticString
        let body: () -> Void

        init(_ name: StaticString, _ body: @escaping () -> Void) { (self.name, self.body) = (name, body) }
    }

    /// Starts a thread. It has to be joined or detached.
    ///
    /// - Parameters:
    ///   - name: the thread's name for debuggers, of at most 15 characters.
    ///   - body: the work of the thread.
    static func start(_ name: StaticString, _ body: @escaping @Sendable () -> Void) throws(GLError) -> pthread_t {
        let box = unsafe Unmanaged.passRetained(Box(name, body)).toOpaque()
        var thread = pthread_t()
        // SAFETY: the new thread takes over the reference. If no thread was created, the reference is released here.
        let failure = unsafe pthread_create(
            &thread, nil,
            { box in
                guard let box = unsafe box else { return nil }
                NativeThread.run(unsafe Unmanaged<Box>.fromOpaque(box).takeRetainedValue())
                return nil
            }, box)
        guard failure == 0 else {
            unsafe Unmanaged<Box>.fromOpaque(box).release()
            throw .callFailed(GLEvidence(call: "pthread_create", code: UInt32(bitPattern: failure)))
        }
        return thread
    }

    private static func run(_ box: Box) {
        var signals = sigset_t()
        // SAFETY: the signal set is local storage. This thread and the driver's threads, which inherit its signal mask,
        // block the host's signals. Faults are not blocked, so that crash reporters receive them.
        unsafe sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] { unsafe sigdelset(&signals, fault) }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        unsafe frost_name_thread(box.name.utf8Start)
        box.body()
    }
}
