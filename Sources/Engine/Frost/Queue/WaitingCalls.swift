import FrostCore
import FrostThreads

/// Bounds the number of asynchronous calls at work. The others wait in the order in which they came, without a thread.
///
/// Thread safety: may be used from any thread. In the child of a fork, no call is at work or waits.
final class WaitingCalls: Sendable {
    /// The calls of all renderers of the process.
    static let shared = WaitingCalls(limit: max(2, Processors.byDefault))

    /// A call: its work, or the end without it.
    typealias Call = @Sendable (_ isCancelled: Bool) -> Void

    private struct State {
        var generation = ForkGeneration.current
        /// The numbers of the calls that wait, in their order, from `first` on. Cancelled ones are no longer in `calls`.
        var order: [UInt64] = []
        var first = 0
        var calls: [UInt64: Call] = [:]
        /// The number of calls at work.
        var working = 0
        /// The number of the last call.
        var last: UInt64 = 0

        mutating func renewAfterFork() { if !generation.isCurrent { self = State() } }

        mutating func takeFirst() -> Call? {
            while first < order.count {
                let call = calls.removeValue(forKey: order[first])
                first += 1
                // The memory of numbers that were taken is reclaimed from time to time.
                if first > 64, 2 * first > order.count {
                    order.removeFirst(first)
                    first = 0
                }
                if let call { return call }
            }
            return nil
        }
    }

    private let limit: Int
    private let state = Lock(State())

    /// - Parameter limit: the maximum number of calls at work.
    init(limit: Int) { self.limit = limit }

    /// Makes a call on a thread of the pool, now or when another call is done. If the system refuses the thread, the caller's
    /// thread makes it.
    ///
    /// - Returns: a number with which a waiting call can be cancelled.
    func add(_ call: @escaping Call) -> UInt64 {
        let (number, isReady) = state.withLock { state in
            state.renewAfterFork()
            state.last += 1
            guard state.working >= limit else {
                state.working += 1
                return (state.last, true)
            }
            state.order.append(state.last)
            state.calls[state.last] = call
            return (state.last, false)
        }
        guard isReady else { return number }
        @Sendable func work() {
            var next: Call? = call
            while let call = next {
                call(false)
                next = state.withLock { state in
                    state.renewAfterFork()
                    let next = state.takeFirst()
                    if next == nil { state.working = max(0, state.working - 1) }
                    return next
                }
            }
        }
        do throws(ThreadError) { try ThreadPool.tasks.add(work) } catch { work() }
        return number
    }

    /// Ends a call that waits, at once and on this thread. A call at work is not affected.
    func cancel(_ number: UInt64) {
        let call = state.withLock { state in
            state.renewAfterFork()
            return state.calls.removeValue(forKey: number)
        }
        call?(true)
    }
}
