import CSystem
import Glibc

/// The system refused to make a thread.
public struct ThreadError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The error number of `pthread_create`, usually `EAGAIN`.
    public let code: Int32

    /// The error as one line of text.
    public var description: String {
        // SAFETY: glibc returns a string that is valid until this thread's next call. The string is copied immediately.
        "cannot create a thread: \(unsafe String(cString: strerror(code)))"
    }
}

/// A thread of Frost. Every thread that Frost makes is made here.
///
/// The threads block all signals but faults, so that the host's signal handlers run on the host's own threads.
// SAFETY: a pthread_t is a number. Of `join` and `detach`, the owner calls one, once.
@safe public struct Thread: @unchecked Sendable {
    private let thread: pthread_t

    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void

        init(_ name: String, _ run: @escaping @Sendable () -> Void) { (self.name, self.run) = (name, run) }
    }

    /// Starts a thread. The caller has to call ``join()`` or ``detach()``.
    ///
    /// - Parameters:
    ///   - name: the name for debuggers and top, of at most 15 bytes.
    ///   - body: the work of the thread.
    /// - Throws: ``ThreadError`` if the system makes no thread. `body` is then released and not called.
    public static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(ThreadError) -> Thread {
        let box = unsafe Unmanaged.passRetained(Body(name, body)).toOpaque()
        var thread = pthread_t()
        var (blocked, previous) = (sigset_t(), sigset_t())
        // SAFETY: the sets are local storage. A new thread inherits the mask of its maker, so that no signal can reach
        // it before it has set a mask of its own.
        unsafe sigfillset(&blocked)
        for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] { unsafe sigdelset(&blocked, fault) }
        unsafe pthread_sigmask(SIG_SETMASK, &blocked, &previous)
        // SAFETY: the new thread takes over the reference. If no thread was created, the reference is released here.
        let code = unsafe pthread_create(
            &thread, nil,
            { box in
                guard let box = unsafe box else { return nil }
                Thread.run(unsafe Unmanaged<Body>.fromOpaque(box).takeRetainedValue())
                return nil
            }, box)
        unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
        guard code == 0 else {
            unsafe Unmanaged<Body>.fromOpaque(box).release()
            throw ThreadError(code: code)
        }
        return Thread(thread: thread)
    }

    private static func run(_ body: Body) {
        unsafe body.name.withCString { unsafe frost_name_thread($0) }
        body.run()
    }

    /// Sets the size of the stacks of all threads that the process makes later, also those of libraries.
    ///
    /// - Parameter bytes: at least 64 KiB, a multiple of pages.
    /// - Returns: whether the system took the size.
    public static func setStackSize(_ bytes: Int) -> Bool { frost_set_stack_size(bytes) }

    /// Waits until the thread has ended.
    public func join() { pthread_join(thread, nil) }

    /// Lets the thread run without anyone who waits for it.
    public func detach() { pthread_detach(thread) }

    /// Calls `body` on several threads at the same time, one of which is the caller's, and returns when all calls have
    /// returned. If the system refuses threads, there are fewer calls, but always one.
    ///
    /// - Parameters:
    ///   - count: the number of calls.
    ///   - name: the name of the threads.
    ///   - body: the work. Each call has to take its part of the work from a common store.
    public static func perform(_ count: Int, _ name: String, _ body: @Sendable () -> Void) {
        withoutActuallyEscaping(body) { body in
            var threads: [Thread] = []
            while threads.count < count - 1, let thread = try? start(name, body) { threads.append(thread) }
            body()
            for thread in threads { thread.join() }
        }
    }
}
