package import FrostCore
import Synchronization

/// A ticket for an execution that was submitted. ``GPUExecutor/collect(_:into:cancellation:)`` takes the result of the
/// execution; this is possible only once. If the ticket is released without being collected, the execution's memory is
/// reused.
///
/// Thread-safety: may be passed between threads.
package final class GPUTicket: Sendable {
    /// The region of the image that is computed. The target must have the size of this region.
    package let region: Rect
    /// The format that the target must have.
    package let format: PixelFormat
    let number: UInt64
    let abandoned: AbandonedTickets
    private let isCollected = Atomic(false)

    init(_ number: UInt64, region: Rect, format: PixelFormat, _ abandoned: AbandonedTickets) {
        self.number = number
        self.region = region
        self.format = format
        self.abandoned = abandoned
    }

    deinit { if !isCollected.load(ordering: .relaxed) { abandoned.add(number) } }

    func setCollected() { isCollected.store(true, ordering: .relaxed) }
}

/// The tickets of an executor that were released without being collected, and that the executor's thread has not handled
/// yet. The object also counts the ticket numbers.
///
/// Thread-safety: may be used from any thread.
final class AbandonedTickets: Sendable {
    private let tickets = Mutex((released: [UInt64](), last: UInt64(0)))

    func add(_ number: UInt64) { tickets.withLock { $0.released.append(number) } }

    func take() -> [UInt64] {
        tickets.withLock { tickets in
            defer { tickets.released = [] }
            return tickets.released
        }
    }

    func newNumber() -> UInt64 {
        tickets.withLock { tickets in
            tickets.last += 1
            return tickets.last
        }
    }
}
