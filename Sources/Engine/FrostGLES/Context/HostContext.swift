import CDriverWatch
import CEGL
import FrostLog

/// A GL context of the embedding program. Frost uses it to work on the program's own textures.
///
/// Frost never makes another context current, never destroys this context, and restores all GL state that it changes.
/// The program may use the context on different threads, as long as the context is current on the thread that calls
/// Frost, or a ``ContextBinding`` makes it current there.
///
/// Not thread-safe: use it only while the context is current, from one thread at a time.
package final class HostContext {
    let context: GLContext
    /// The address of the EGL context. It is used only for comparisons.
    private let identity: UInt
    private let binding: ContextBinding?
    private let deletions = DeletionQueue()
    private var isDestroyed = false

    /// The device of the context.
    package var device: DeviceInfo { context.device }
    /// The limits and capabilities of the context.
    package var limits: ContextLimits { context.limits }
    /// The number of Frost's GL objects in the context.
    package var objectCounts: ObjectCounts { deletions.counts }

    /// Adopts the context that is current on the calling thread, or that `binding` makes current.
    ///
    /// - Throws: ``GLError/notCurrent(_:)`` if no context of OpenGL ES 3.0 or OpenGL 3.3, or later, is current;
    ///   ``GLError/libraryMissing(name:reason:)``.
    package init(options: ContextOptions = ContextOptions(), binding: ContextBinding? = nil) throws(GLError) {
        let library = try EGLLibrary.open(options.libraryName)
        let deletions = deletions
        self.binding = binding
        (context, identity) = try binding.perform(failure: { (error: GLError) in error }) {
            () throws(GLError) -> (GLContext, UInt) in
            let context = try GLContext(adoptingIn: library, options: options, deletions: deletions)
            try context.takingTurn { () throws(GLError) in
                let state = HostState(takingOver: context)
                defer { state.restore(in: context) }
                context.drainErrors()
                try context.prepare()
                try context.createSampler()
            }
            return (context, Self.current(library))
        }
    }

    private static func current(_ library: EGLLibrary) -> UInt {
        // SAFETY: the address is compared, and never dereferenced.
        unsafe UInt(bitPattern: library.egl.getCurrentContext())
    }

    /// Calls `body` with the GL state that Frost needs, and restores the host's state afterwards.
    ///
    /// - Throws: the error of `body`. If another context is current, or after ``destroy()``, the error that `failure`
    ///   makes from ``GLError/notCurrent(_:)``. In the child of a fork, the error that it makes from ``GLError/forked``.
    package func perform<Value: ~Copyable, Failure: Error>(
        failure: (GLError) -> Failure, _ body: (borrowing CurrentContext) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard !EGLLibrary.isForked else { throw failure(.forked) }
        guard !isDestroyed else { throw failure(.notCurrent("Frost's objects in the host's context were destroyed")) }
        return try binding.perform(failure: failure) { () throws(Failure) -> Value in
            guard Self.current(context.driver.library) == identity else {
                throw failure(.notCurrent("the host's context is not current on this thread"))
            }
            return try context.takingTurn { () throws(Failure) -> Value in
                let state = HostState(takingOver: context)
                defer {
                    context.endWork()
                    state.restore(in: context)
                }
                context.drainErrors()
                context.mayDrawIntoHost = true
                return try body(CurrentContext(context))
            }
        }
    }

    /// Deletes the GL objects whose owners were released, and ends the use of the context. Call this function while the
    /// context is current, after all of Frost's objects in the context were released. If the context is not current, or
    /// cannot be made current, the objects are deleted with the context.
    package func destroy() {
        guard !isDestroyed else { return }
        isDestroyed = true
        // In the child of a fork, the objects belong to the parent.
        guard !EGLLibrary.isForked else { return }
        do throws(GLError) {
            try binding.perform(failure: { (error: GLError) in error }) { () throws(GLError) in
                guard Self.current(context.driver.library) == identity else { return }
                context.takingTurn { context.releaseObjects() }
            }
        } catch {
            Log.write(.warning, "GL objects stay until the host's context is destroyed: \(error)")
        }
    }
}

extension GLContext {
    /// Calls `body`, which works in the context of a host, in one turn if the context is software GL: see
    /// ``Driver/takeTurns()``. The work waits for no other thread.
    fileprivate func takingTurn<Value: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard device.isSoftware else { return try body() }
        frost_turn_begin()
        defer { frost_turn_end() }
        return try body()
    }
}
