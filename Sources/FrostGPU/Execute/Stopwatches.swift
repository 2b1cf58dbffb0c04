import FrostGLES

/// A stopwatch that can be kept in a list.
final class Stopwatch {
    let query: TimerQuery
    /// By the CPU's clock.
    fileprivate var started = ContinuousClock.now

    init(_ query: consuming TimerQuery) { self.query = query }
}

/// Stopwatches for executions: they are reused, and never waited for. Lives on the context's thread.
struct Stopwatches {
    /// Those that may be started.
    private var idle: [Stopwatch] = []
    /// Those whose execution ended before they could be read. They are read later, for the statistics.
    private var late: [Stopwatch] = []
    /// How many executions were timed, and their sum.
    private(set) var readings = 0
    private(set) var seconds = 0.0

    /// Starts one; nil if the driver has none.
    mutating func start(in gl: borrowing CurrentContext) throws(GLError) -> Stopwatch? {
        for stopwatch in late {
            switch try stopwatch.query.read(in: gl) {
            // A driver that never answers is not asked again.
            case .pending: if late.count < 8 { continue }
            case .seconds(let time): _ = count(time, stopwatch)
            case .disjoint: break
            }
            late.removeAll { $0 === stopwatch }
            idle.append(stopwatch)
        }
        let stopwatch: Stopwatch
        if let last = idle.popLast() {
            stopwatch = last
        } else {
            guard let query = try TimerQuery(in: gl) else { return nil }
            stopwatch = Stopwatch(query)
        }
        stopwatch.started = .now
        try stopwatch.query.start(in: gl)
        return stopwatch
    }

    /// The time, if it is known by now. A stopwatch that is not ready is kept for later.
    mutating func read(_ stopwatch: inout Stopwatch?, in gl: borrowing CurrentContext) throws(GLError) -> Double? {
        guard let running = stopwatch else { return nil }
        switch try running.query.read(in: gl) {
        case .seconds(let time):
            return count(time, running)
        case .disjoint: return nil
        case .pending:
            late.append(running)
            stopwatch = nil
            return nil
        }
    }

    /// nil for an impossible time: longer than the time since the start. Some drivers (llvmpipe of Mesa 22) subtract a
    /// start of zero if the stopwatch was started before the first draw of a frame.
    private mutating func count(_ time: Double, _ stopwatch: Stopwatch) -> Double? {
        guard time > 0, time <= (ContinuousClock.now - stopwatch.started).seconds else { return nil }
        readings += 1
        seconds += time
        return time
    }

    /// Takes back what `start` returned.
    mutating func giveBack(_ stopwatch: inout Stopwatch?) {
        if let returned = stopwatch { idle.append(returned) }
        stopwatch = nil
    }
}
