/// A value that is only used where a certain context is current, and which may be held anywhere.
///
/// Thread-safety: may be passed between threads; its value is reached only on the context's thread. Dropping it
/// elsewhere is fine if the value's own deinit is: GL objects queue their names.
// SAFETY: the value is handed out only against the proof that its context is current, which no other thread can have.
public final class ContextBound<Value>: @unchecked Sendable {
    private let content: Value
    private let context: DeletionQueue

    /// Binds a value to the current context.
    public init(_ value: Value, to current: borrowing CurrentContext) {
        content = value
        context = current.context.deletions
    }

    /// The value; an error where another context is current.
    public func value(in current: borrowing CurrentContext) throws(GLError) -> Value {
        guard context === current.context.deletions else {
            throw .contextLost(reason: "another context is current")
        }
        return content
    }
}
