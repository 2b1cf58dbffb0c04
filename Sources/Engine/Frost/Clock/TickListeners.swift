/// The loops that receive the ticks of a display link. For each loop at most one tick waits.
struct TickListeners {
    private struct Listener {
        var tick: DisplayLink.Tick?
        /// The calls that wait for a tick. There is one at most, unless copies of an iterator are used by several
        /// tasks.
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isFinished = false
    }

    private var listeners: [Int: Listener] = [:]
    private var count = 0

    var isEmpty: Bool { listeners.isEmpty }

    mutating func add() -> Int {
        count += 1
        listeners[count] = Listener()
        return count
    }

    /// Removes a listener. Nobody waits for it, because the call that waits keeps its iterator alive.
    mutating func remove(_ number: Int) { listeners[number] = nil }

    /// Gives a tick to all listeners. A tick that still waits is dropped and counted.
    ///
    /// - Returns: the calls to resume.
    mutating func offer(_ tick: DisplayLink.Tick) -> [CheckedContinuation<Void, Never>] {
        for (number, listener) in listeners where !listener.isFinished {
            let missed = listener.tick.map { $0.dropped + 1 } ?? 0
            listeners[number]?.tick = DisplayLink.Tick(
                frameIndex: tick.frameIndex, timestamp: tick.timestamp, targetTimestamp: tick.targetTimestamp,
                duration: tick.duration, dropped: tick.dropped + missed)
        }
        return takeWaiting()
    }

    /// Removes all waiting calls, and returns them to be resumed.
    mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
        let waiting = listeners.values.flatMap(\.waiting)
        for number in listeners.keys { listeners[number]?.waiting = [] }
        return waiting
    }

    /// Ends a listener whose task is cancelled, and returns the calls to resume.
    mutating func finish(_ number: Int) -> [CheckedContinuation<Void, Never>] {
        let waiting = listeners[number]?.waiting ?? []
        listeners[number]?.waiting = []
        listeners[number]?.isFinished = true
        return waiting
    }

    mutating func add(waiting call: CheckedContinuation<Void, Never>, to number: Int) {
        listeners[number]?.waiting.append(call)
    }

    /// Whether the listener was removed or its task is cancelled.
    func isFinished(_ number: Int) -> Bool { listeners[number]?.isFinished ?? true }

    func hasTick(_ number: Int) -> Bool { listeners[number]?.tick != nil }

    /// Removes the tick that waits for a listener, and returns it.
    mutating func takeTick(_ number: Int) -> DisplayLink.Tick? {
        defer { listeners[number]?.tick = nil }
        return listeners[number]?.tick
    }
}
