import FrostLog

/// How Frost makes the context of the embedding program current, for programs whose context is current elsewhere, or
/// nowhere, when they call Frost.
///
/// Frost calls `makeCurrent` on the thread of a call before it works in the context, and `release` on the same thread
/// afterwards. A call may consist of several such pieces of work; they are never nested. Neither function may use the
/// object that it was passed to.
public struct ContextBinding {
    private let makeCurrent: () throws(GLError) -> Void
    private let release: () throws(GLError) -> Void

    /// Creates a binding from two functions, which stay in memory as long as the objects that use it.
    ///
    /// - Parameters:
    ///   - makeCurrent: makes the context current on the calling thread. It throws if that is impossible, for example
    ///     `GLError.notCurrent`; the call then throws this error and has changed nothing.
    ///   - release: makes the context that was current before current again, or none. If it throws, the call throws this
    ///     error, although its work was done.
    public init(
        makeCurrent: @escaping () throws(GLError) -> Void, release: @escaping () throws(GLError) -> Void
    ) {
        self.makeCurrent = makeCurrent
        self.release = release
    }

    /// Calls `body` while the context is current.
    ///
    /// - Throws: the error of `body`, or the error that `failure` makes of a callback's error.
    func perform<Value: ~Copyable, Failure: Error>(
        failure: (GLError) -> Failure, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        do throws(GLError) { try makeCurrent() } catch { throw failure(error) }
        let value: Value
        do throws(Failure) { value = try body() } catch {
            // The first error explains more than that of a failed release.
            do throws(GLError) { try release() } catch {
                Log.write(.warning, "the context stays current on this thread: \(error)")
            }
            throw error
        }
        do throws(GLError) { try release() } catch { throw failure(error) }
        return value
    }
}

extension ContextBinding? {
    /// Calls `body` while the context is current. Without a binding, the caller is responsible for that.
    func perform<Value: ~Copyable, Failure: Error>(
        failure: (GLError) -> Failure, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        switch self {
        case nil: try body()
        case let binding?: try binding.perform(failure: failure, body)
        }
    }
}
