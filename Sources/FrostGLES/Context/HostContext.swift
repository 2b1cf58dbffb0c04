import CEGL

/// A context of the embedding program, in which Frost works on the program's own textures.
///
/// Frost never makes another context current, never destroys this one, and leaves every piece of GL state that it
/// touches as it was. The context may move between threads, as long as it is current wherever Frost is called.
///
/// Not thread-safe: to be used only while the context is current, by one thread at a time.
public final class HostContext {
    let context: GLContext
    /// Only compared.
    private let identity: UInt
    private let deletions = DeletionQueue()
    private var isDestroyed = false

    /// The device that the context is on.
    public var device: DeviceInfo { context.device }
    /// What the context can do.
    public var limits: ContextLimits { context.limits }
    /// How many GL objects Frost has in it.
    public var objectCounts: ObjectCounts { deletions.counts }

    /// Adopts the context that is current on the calling thread.
    ///
    /// - Throws: ``GLError/notCurrent(_:)`` where none is, or none of OpenGL ES 3;
    ///   ``GLError/libraryMissing(name:reason:)``.
    public init(options: ContextOptions = ContextOptions()) throws(GLError) {
        let library = try EGLLibrary.open(options.libraryName)
        context = try GLContext(adoptingIn: library, options: options, deletions: deletions)
        identity = Self.current(library)
        let state = HostState(takingOver: context)
        context.prepare()
        state.restore(in: context)
    }

    private static func current(_ library: EGLLibrary) -> UInt {
        // SAFETY: the address is compared, never followed.
        unsafe UInt(bitPattern: library.egl.getCurrentContext())
    }

    /// Calls `body` with the context's state as Frost needs it, and puts the host's back.
    ///
    /// - Throws: what `body` throws; ``GLError/notCurrent(_:)``, wrapped by `failure`, where another context is
    ///   current, or this one was destroyed.
    public func perform<Value: ~Copyable, Failure: Error>(
        failure: (GLError) -> Failure, _ body: (borrowing CurrentContext) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard !isDestroyed else { throw failure(.notCurrent("what Frost had in the host's context was destroyed")) }
        guard Self.current(context.library) == identity else {
            throw failure(.notCurrent("the host's context is not current on this thread"))
        }
        let state = HostState(takingOver: context)
        defer {
            context.collectGarbage()
            state.restore(in: context)
        }
        context.drainErrors()
        return try body(CurrentContext(context))
    }

    /// Deletes the objects whose owners are gone, and ends the use of the context. To be called with the context
    /// current, after everything that was made in it was dropped; if it is not, the objects go with the context.
    public func destroy() {
        guard !isDestroyed else { return }
        if Self.current(context.library) == identity { context.collectGarbage() }
        isDestroyed = true
    }
}
