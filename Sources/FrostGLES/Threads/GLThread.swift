/// A thread of Frost's own with an OpenGL ES context that is current only there. The caller's own current context is
/// never touched.
///
/// Callers block (``perform(_:)``), await (``run(_:)``), or make the thread the executor of an actor, whose
/// methods may then use `perform` without a hop.
///
/// Thread-safety: may be used from any thread.
public final class GLThread: SerialExecutor {
    /// The device the context is on.
    public let device: DeviceInfo
    private let worker: Worker
    private let deletions: DeletionQueue

    /// Opens the first device that matches `selector`.
    ///
    /// - Throws: ``GLError/libraryMissing(name:reason:)``, or ``GLError/noDevice(wanted:tried:)`` with a reason for
    ///   each device.
    public static func open(_ selector: DeviceSelector, options: ContextOptions = ContextOptions()) throws(GLError)
        -> GLThread
    {
        let library = try EGLLibrary.open(options.libraryName)
        return try Devices.open(selector, in: library, options: options)
    }

    /// Opens a device by one of its nodes, through GBM: even a primary node ("/dev/dri/card0"), which
    /// ``DeviceSelector`` ignores. Buffers of a ``DMABufferAllocator`` on the same node are then this device's own.
    ///
    /// - Throws: ``GLError/libraryMissing(name:reason:)``, ``GLError/unsupported(_:)`` without the platform of GBM,
    ///   ``GLError/displayFailed(device:_:)`` or ``GLError/contextFailed(device:_:)``.
    public static func open(node: String, options: ContextOptions = ContextOptions()) throws(GLError) -> GLThread {
        let library = try EGLLibrary.open(options.libraryName)
        guard !library.clientExtensions.isDisjoint(with: DisplayPlatform.gbm.extensions) else {
            throw .unsupported("EGL_KHR_platform_gbm")
        }
        let candidates = DisplayCandidate.all(in: library)
        let path = DeviceFiles.realPath(node) ?? node
        let known = candidates.first { $0.platform == .gbm && $0.renderNode == path }
        let other = unsafe DisplayCandidate(
            index: candidates.count, platform: .gbm, device: nil, renderNode: path,
            pciPath: DeviceFiles.pciPath(of: path), saysSoftware: false)
        return try GLThread(candidate: known ?? other, library: library, options: options)
    }

    init(candidate: DisplayCandidate, library: EGLLibrary, options: ContextOptions) throws(GLError) {
        let deletions = DeletionQueue()
        self.deletions = deletions
        worker = Worker { () throws(GLError) in
            try GLContext(candidate: candidate, library: library, options: options, deletions: deletions)
        }
        device = try worker.start()
    }

    deinit { worker.stop() }

    /// How many GL objects there are: those whose owners are gone are deleted, and no longer counted, after the next
    /// piece of work.
    public var objectCounts: ObjectCounts { deletions.counts }

    /// Finishes the work at hand, destroys the context and ends the thread. Later work fails with
    /// ``GLError/contextLost(reason:)``. May be called again.
    public func shutdown() { worker.stop() }

    /// Calls `body` on the thread and waits for it; directly if the caller is on the thread already.
    ///
    /// What `body` captures is lent to the thread for the call.
    ///
    /// - Throws: what `body` throws; ``GLError/contextLost(reason:)`` after a shutdown, wrapped by `failure`.
    public func perform<Value, Failure: Error>(
        failure: (GLError) -> Failure, _ body: (borrowing CurrentContext) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        var result: Result<Value, Failure>?
        func work(_ context: GLContext?) {
            guard let context else {
                result = .failure(failure(.contextLost(reason: "it was shut down")))
                return
            }
            result = Result { () throws(Failure) in try body(CurrentContext(context)) }
        }
        if worker.isCurrent {
            work(worker.context)
        } else {
            withoutActuallyEscaping(work) { work in
                let job = WaitingJob(work)
                worker.add(.waiting(job))
                job.wait()
            }
        }
        guard let result else { throw failure(.contextLost(reason: "its thread is gone")) }
        return try result.get()
    }

    /// As ``perform(failure:_:)``, for work that throws only `GLError`.
    public func perform<Value>(_ body: (borrowing CurrentContext) throws(GLError) -> Value) throws(GLError) -> Value {
        try perform(failure: { (error: GLError) in error }, body)
    }

    /// Calls `body` on the thread, and suspends the caller meanwhile instead of blocking its thread.
    public func run<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing CurrentContext) throws(GLError) -> Value
    ) async throws(GLError) -> Value {
        let result: Result<Value, GLError> = await withCheckedContinuation { continuation in
            let job = WaitingJob { context in
                guard let context else {
                    continuation.resume(returning: .failure(.contextLost(reason: "it was shut down")))
                    return
                }
                continuation.resume(returning: Result { () throws(GLError) in try body(CurrentContext(context)) })
            }
            worker.add(.waiting(job))
        }
        return try result.get()
    }

    /// Runs a piece of an actor's work on the thread; after a shutdown on another thread, still in order.
    public func enqueue(_ job: consuming ExecutorJob) {
        // SAFETY: the actor whose job this is keeps its executor alive while the job runs.
        worker.add(unsafe .task(UnownedJob(job), unsafe asUnownedSerialExecutor()))
    }

    /// For actors that run on the thread: `nonisolated var unownedExecutor`.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    /// Whether the caller is on the thread.
    public func isIsolatingCurrentContext() -> Bool? { worker.isCurrent }
}
