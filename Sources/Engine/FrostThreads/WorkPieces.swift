import Synchronization

/// The pieces of a computation, which its threads take as they become free.
///
/// Thread safety: may be used from any thread.
public final class WorkPieces: Sendable {
    private let count: Int
    private let next = Atomic<Int>(0)

    /// - Parameter count: the number of pieces.
    public init(_ count: Int) { self.count = count }

    /// Returns the index of the next piece; nil if all have been taken.
    public func take() -> Int? {
        let index = next.add(1, ordering: .relaxed).oldValue
        return index < count ? index : nil
    }
}
