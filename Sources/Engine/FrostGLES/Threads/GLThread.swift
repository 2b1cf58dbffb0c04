/// A thread with an OpenGL ES context that is current only on this thread. The current context of the caller's thread is
/// never touched.
///
/// Thread-safety: may be used from any thread.
package final class GLThread: Sendable {
    /// The device of the context.
    package let device: DeviceInfo
    private let worker: Worker
    private let deletions: DeletionQueue
    private let library: EGLLibrary

    /// Opens the first device that matches `selector`.
    ///
    /// - Throws: ``GLError/libraryMissing(name:reason:)``, or ``GLError/noDevice(wanted:tried:)`` with a reason for each
    ///   device.
    package static func open(_ selector: DeviceSelector, options: ContextOptions = ContextOptions()) throws(GLError)
        -> GLThread
    {
        let library = try EGLLibrary.open(options.libraryName)
        return try Devices.open(selector, in: library, options: options)
    }

    init(candidate: DisplayCandidate, library: EGLLibrary, options: ContextOptions) throws(GLError) {
        try library.checkNotBlocked()
        let deletions = DeletionQueue()
        self.deletions = deletions
        self.library = library
        worker = try Worker(library, timeout: options.timeout) { (driver) throws(GLError) in
            try GLContext(candidate: candidate, driver: driver, options: options, deletions: deletions)
        }
        device = try worker.start()
    }

    deinit { worker.stop() }

    /// The number of GL objects. Objects whose owners were released are deleted after the next piece of work. Until then
    /// they are still counted.
    package var objectCounts: ObjectCounts { deletions.counts }

    /// Throws ``GLError/driverBlocked(call:seconds:)`` if a thread was abandoned in a call of the driver, and the call has
    /// not returned yet. No device can be opened then.
    package func checkDriver() throws(GLError) { try library.checkNotBlocked() }

    /// Finishes the current work, destroys the context and ends the thread. Later work fails with
    /// ``GLError/contextLost(reason:)``. May be called more than once.
    package func shutdown() { worker.stop() }

    /// Calls `body` on the thread and waits for it. If the caller is already on the thread, `body` is called directly.
    ///
    /// `body` may capture values of the caller. The thread uses these values only during the call, so the call waits for
    /// the driver without limit: see ``performBounded(failure:_:)``.
    ///
    /// - Throws: the error of `body`. After a shutdown, the error that `failure` makes from
    ///   ``GLError/contextLost(reason:)``.
    package func perform<Value, Failure: Error>(
        failure: (GLError) -> Failure, _ body: (borrowing CurrentContext) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        var result: Result<Value, Failure>?
        func work(_ context: Result<GLContext, GLError>) {
            switch context {
            case .success(let context): result = Result { () throws(Failure) in try body(CurrentContext(context)) }
            case .failure(let error): result = .failure(failure(error))
            }
        }
        guard !EGLLibrary.isForked else { throw failure(.forked) }
        if worker.isCurrent {
            work(worker.context)
        } else {
            withoutActuallyEscaping(work) { work in
                let job = Job(work)
                worker.add(job)
                job.wait()
            }
        }
        guard let result else { throw failure(.contextLost(reason: "its thread has ended")) }
        return try result.get()
    }

    /// Calls `body` like ``perform(failure:_:)``, for work that throws only `GLError`.
    package func perform<Value>(_ body: (borrowing CurrentContext) throws(GLError) -> Value) throws(GLError) -> Value {
        try perform(failure: { (error: GLError) in error }, body)
    }

    /// Calls `body` on the thread and waits for it, like ``perform(failure:_:)``. If a call of the driver takes longer
    /// than ``ContextOptions/timeout``, the call throws, and the thread is abandoned inside the driver. Everything that
    /// `body` has captured then stays in memory. The thread no longer uses memory behind captured pointers.
    ///
    /// - Throws: the error of `body`, or the error that `failure` makes from
    ///   ``GLError/driverBlocked(call:seconds:)`` or, later, ``GLError/contextLost(reason:)``.
    package func performBounded<Value, Failure: Error>(
        failure: @escaping (GLError) -> Failure,
        _ body: @escaping (borrowing CurrentContext) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        if worker.isCurrent { return try perform(failure: failure, body) }
        let outcome = Outcome<Value, Failure>()
        let job = Job { context in
            outcome.result = Result { () throws(Failure) in
                switch context {
                case .success(let context): return try body(CurrentContext(context))
                case .failure(let error): throw failure(error)
                }
            }
        }
        worker.add(job)
        if case .failure(let error) = worker.wait(for: job.isDone, { $0 ? true : nil }) { throw failure(error) }
        guard let result = outcome.result else { throw failure(.contextLost(reason: "its thread has ended")) }
        return try result.get()
    }

    /// The result of work whose caller may give up.
    private final class Outcome<Value, Failure: Error> {
        var result: Result<Value, Failure>?
    }
}
