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
        /// The calls that wait, by their numbers.
        var calls: [UInt64: Call] = [:]
        /// The numbers of waiting calls, in the order in which the calls came. Those of cancelled calls stay.
        var order: [UInt64] = []
        /// The index of the next number in `order`.
        var first = 0
        /// The number of calls at work.
        var working = 0
        /// The number of the last call.
        var last: UInt64 = 0

        mutating func renewAfterFork() {
            guard !generation.isCurrent else { return }
            let last = last
            self = State()
            // Numbers of calls of the parent stay different from those of this process.
            self.last = last
        }

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
        if isReady { begin(call) }
        return number
    }

    /// Makes a call and those that wait after it on a thread of the pool. If the system refuses the thread, this thread makes
    /// the call, and the next one gets a thread, if it can.
    private func begin(_ call: @escaping Call) {
        let generation = ForkGeneration.current
        var next: Call? = call
        while let call = next {
            do throws(ThreadError) {
                try ThreadPool.tasks.add { [self] in work(call, generation) }
                return
            } catch {
                call(false)
                next = self.next(generation)
            }
        }
    }

    /// Makes a call, and then those that wait.
    private func work(_ call: Call, _ generation: ForkGeneration) {
        call(false)
        while let call = next(generation) { call(false) }
    }

    /// Takes the oldest waiting call. If no call waits, one call less is at work.
    ///
    /// - Parameter generation: the process that made the call which has just ended. In another process, the result is nil.
    private func next(_ generation: ForkGeneration) -> Call? {
        state.withLock { state in
            state.renewAfterFork()
            guard generation.isCurrent else { return nil }
            let next = state.takeFirst()
            if next == nil { state.working -= 1 }
            return next
        }
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
