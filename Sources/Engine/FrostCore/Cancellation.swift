import Synchronization

/// A flag with which one thread asks another to stop. All backends check the flag every few milliseconds and then throw
/// an error. These steps cannot be interrupted and may take longer: opening a GPU, compiling a GPU program, and waiting
/// for another thread's work on the same GPU.
///
/// Thread safety: may be used from any thread.
public final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)

    private let parent: Cancellation?
    private let condition: (@Sendable () -> Bool)?

    /// Creates a cancellation without a parent.
    public convenience init() { self.init(under: nil) }

    /// Creates a cancellation that is also cancelled when its parent is cancelled.
    public init(under parent: Cancellation?) { (self.parent, condition) = (parent, nil) }

    /// Creates a cancellation that is also cancelled when a function returns true, for example after a deadline.
    ///
    /// - Parameter condition: called at each check, from any thread, also from several threads at the same time. After it
    ///   has returned true it must not return false again. It should take less than a microsecond.
    public init(when condition: @escaping @Sendable () -> Bool) { (parent, self.condition) = (nil, condition) }

    /// Asks for the work to stop. A cancellation cannot be undone.
    public func cancel() { flag.store(true, ordering: .relaxed) }

    /// Whether this cancellation or one of its parents is cancelled.
    public var isCancelled: Bool {
        flag.load(ordering: .relaxed) || condition?() == true || parent?.isCancelled == true
    }
}
