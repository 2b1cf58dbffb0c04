import FrostThreads

/// The memory that the pictures in progress share. A picture waits until the pictures before it leave enough.
///
/// Each picture takes all of its memory in a single call, so pictures never wait for each other in a circle.
final class MemoryPool: Sendable {
    private struct Usage {
        var used = 0
        /// The number of pictures that have called ``enter(_:)``, and the number of those that have entered. Pictures
        /// enter in the order of their calls.
        var called = 0
        var entered = 0
    }
    private let capacity: Int
    private let usage = Monitor(Usage())

    /// Creates a pool.
    ///
    /// - Parameter capacity: the number of bytes that the pictures may take together.
    init(capacity: Int) { self.capacity = capacity }

    /// Waits until a picture may take `need` bytes. A picture that needs more than the capacity waits until it is
    /// alone.
    func enter(_ need: Int) {
        let turn = usage.withLock { usage in
            defer { usage.called += 1 }
            return usage.called
        }
        usage.wait { usage -> Void? in
            guard usage.entered == turn, usage.used == 0 || usage.used + need <= capacity else { return nil }
            usage.used += need
            return ()
        }
        // Wakes the next picture, which may fit as well.
        usage.update { $0.entered += 1 }
    }

    /// Returns the bytes that ``enter(_:)`` took.
    func leave(_ need: Int) { usage.update { $0.used -= need } }
}
