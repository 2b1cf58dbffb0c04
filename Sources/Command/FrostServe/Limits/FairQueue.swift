import FrostThreads

/// Elements that wait for workers. The clients take turns, so one with many requests does not delay those of the others.
///
/// Thread-safety: may be used from any thread.
package final class FairQueue<Element: Sendable>: Sendable {
    private struct State {
        /// The elements of each client, the oldest first.
        var waiting: [String: [Element]] = [:]
        /// The clients with elements, in the order of their turns.
        var turns: [String] = []
        var count = 0
        var running = 0
        var isClosed = false

        /// Returns the client with the most elements, if it has more than another client would have with one more.
        func larger(than client: String) -> String? {
            let largest = waiting.max { $0.value.count < $1.value.count }
            return largest.flatMap { $0.value.count > (waiting[client]?.count ?? 0) + 1 ? $0.key : nil }
        }
    }
    private let state = Monitor(State())
    private let capacity: Int

    /// - Parameter capacity: the largest number of elements that wait.
    package init(capacity: Int) { self.capacity = capacity }

    /// What became of an element.
    package enum Outcome {
        case added
        case refused
        /// The element was added. The last one of the client with the most elements was removed for it.
        case replaced(Element)
    }

    /// Adds an element of a client. If the queue is full, an element of a client that has more of them makes room.
    package func add(_ element: Element, of client: String) -> Outcome {
        state.update { state in
            guard !state.isClosed else { return .refused }
            var removed: Element?
            if state.count >= capacity {
                guard let largest = state.larger(than: client) else { return .refused }
                removed = state.waiting[largest]?.popLast()
                state.count -= 1
            }
            if state.waiting[client] == nil { state.turns.append(client) }
            state.waiting[client, default: []].append(element)
            state.count += 1
            return removed.map { .replaced($0) } ?? .added
        }
    }

    /// Waits for an element. It then counts as running until ``finish()``. Returns nil if the queue is closed and empty.
    package func next() -> Element? {
        state.wait { state -> Element?? in
            guard !state.turns.isEmpty else { return state.isClosed ? .some(nil) : nil }
            let client = state.turns.removeFirst()
            guard var own = state.waiting[client] else { return nil }
            let element = own.removeFirst()
            state.waiting[client] = own.isEmpty ? nil : own
            if !own.isEmpty { state.turns.append(client) }
            state.count -= 1
            state.running += 1
            return element
        }
    }

    /// Ends an element that ``next()`` returned.
    package func finish() { state.update { $0.running -= 1 } }

    /// Takes no more elements. Those that wait are still returned.
    package func close() { state.update { $0.isClosed = true } }

    /// Removes and returns the elements that wait and meet a condition.
    package func removeAll(where isRemoved: (Element) -> Bool) -> [Element] {
        state.withLock { state in
            var removed: [Element] = []
            for client in state.turns {
                // The answer may change at any time, so each element is asked once.
                var kept: [Element] = []
                for element in state.waiting[client] ?? [] {
                    if isRemoved(element) { removed.append(element) } else { kept.append(element) }
                }
                state.waiting[client] = kept.isEmpty ? nil : kept
            }
            state.turns.removeAll { state.waiting[$0] == nil }
            state.count -= removed.count
            return removed
        }
    }

    /// The number of elements that wait, and of those that are running.
    package var load: (waiting: Int, running: Int) { state.withLock { ($0.count, $0.running) } }

    package var isFull: Bool { state.withLock { $0.count >= capacity } }

    /// Whether an element of a client would be added now.
    package func hasRoom(for client: String) -> Bool {
        state.withLock { !$0.isClosed && ($0.count < capacity || $0.larger(than: client) != nil) }
    }
}
