/// A value that may only be used while a certain context is current. Any thread may hold it.
///
/// Thread-safety: this object may be passed between threads, but its value is only accessible on the context's thread. The
/// object may be released on any thread if the value's own deinit allows this. The deinits of GL objects allow it, because
/// they only queue their names for deletion.
// SAFETY: access to the value requires a proof that its context is current. No other thread can have this proof.
package final class ContextBound<Value>: @unchecked Sendable {
    private let content: Value
    private let context: DeletionQueue

    /// Binds a value to the current context.
    package init(_ value: Value, to current: borrowing CurrentContext) {
        content = value
        context = current.context.deletions
    }

    /// Returns the value; throws if another context is current.
    package func value(in current: borrowing CurrentContext) throws(GLError) -> Value {
        guard context === current.context.deletions else {
            throw .contextLost(reason: "another context is current")
        }
        return content
    }
}
