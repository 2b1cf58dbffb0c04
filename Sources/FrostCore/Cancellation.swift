import Synchronization

/// A flag with which one thread asks another to stop. Backends check the flag at least every few milliseconds and then
/// throw an error.
///
/// Thread safety: may be used from any thread.
public final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)

    private let parent: Cancellation?

    /// Creates a cancellation without a parent.
    public convenience init() { self.init(under: nil) }

    /// Creates a cancellation that is also cancelled when its parent is cancelled.
    public init(under parent: Cancellation?) { self.parent = parent }

    /// Asks for the work to stop. A cancellation cannot be undone.
    public func cancel() { flag.store(true, ordering: .relaxed) }

    /// Whether this cancellation or one of its parents is cancelled.
    public var isCancelled: Bool { flag.load(ordering: .relaxed) || parent?.isCancelled == true }
}
