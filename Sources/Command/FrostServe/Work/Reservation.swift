import Frost
import FrostImages

/// Memory of a budget that the work on one request takes step by step, and gives back with ``end()``.
final class Reservation {
    private let budget: MemoryBudget
    private let time: TimeLimit
    private var taken = 0

    /// - Parameter time: ends the waiting for memory.
    init(_ budget: MemoryBudget, _ time: TimeLimit) { (self.budget, self.time) = (budget, time) }

    /// Waits until more bytes are free, and takes them.
    ///
    /// - Parameter name: the name of the picture, for the error.
    func add(_ bytes: Int, for name: String) throws(ImageError) {
        guard budget.take(bytes, unless: { time.isOver }) else { throw time.error(name: name) }
        taken += bytes
    }

    /// Gives back all bytes.
    func end() { giveBack(taken) }

    func giveBack(_ bytes: Int) {
        budget.giveBack(bytes)
        taken -= bytes
    }

    /// Takes more bytes or gives some back, until a number of them is taken.
    func change(to bytes: Int, for name: String) throws(ImageError) {
        if bytes > taken { try add(bytes - taken, for: name) } else { giveBack(taken - bytes) }
    }
}
