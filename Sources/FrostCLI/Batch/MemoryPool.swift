import Dispatch
import Synchronization

/// The memory that the pictures in progress share. A picture waits until the pictures before it leave enough.
///
/// Each picture takes all of its memory in a single call, so pictures never wait for each other in a circle.
final class MemoryPool: Sendable {
    private struct State {
        var used = 0
        /// The pictures that wait, in the order of their calls.
        var waiting: [(need: Int, turn: DispatchSemaphore)] = []
    }
    private let capacity: Int
    private let state = Mutex(State())

    /// Creates a pool.
    ///
    /// - Parameter capacity: the number of bytes that the pictures may take together.
    init(capacity: Int) { self.capacity = capacity }

    /// Waits until a picture may take `need` bytes. A picture that needs more than the capacity waits until it is
    /// alone.
    func enter(_ need: Int) {
        let turn = DispatchSemaphore(value: 0)
        state.withLock {
            $0.waiting.append((need, turn))
            admit(&$0)
        }
        turn.wait()
    }

    /// Returns the bytes that ``enter(_:)`` took.
    func leave(_ need: Int) {
        state.withLock {
            $0.used -= need
            admit(&$0)
        }
    }

    private func admit(_ state: inout State) {
        while let next = state.waiting.first, state.used == 0 || state.used + next.need <= capacity {
            state.used += next.need
            state.waiting.removeFirst()
            next.turn.signal()
        }
    }
}
