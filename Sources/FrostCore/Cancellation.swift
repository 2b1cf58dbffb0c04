import Synchronization

/// Lets one thread ask another to stop. Backends check it at least every few milliseconds and then throw.
///
/// Thread safety: may be used from any thread.
public final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)

    private let parent: Cancellation?

    public convenience init() { self.init(under: nil) }

    /// One that is cancelled with another, too.
    public init(under parent: Cancellation?) { self.parent = parent }

    /// Asks for the work to stop. Cannot be taken back.
    public func cancel() { flag.store(true, ordering: .relaxed) }

    public var isCancelled: Bool { flag.load(ordering: .relaxed) || parent?.isCancelled == true }
}
