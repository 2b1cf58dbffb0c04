import FrostCore
import FrostGLES

/// A GPU timer. It is wrapped in a class so that it can be kept in a list.
final class Stopwatch {
    let query: TimerQuery
    /// The time of the start, by the CPU's clock.
    fileprivate var started = ContinuousClock.now

    init(_ query: consuming TimerQuery) { self.query = query }
}

/// Measures the GPU time of executions. Timers are reused, and the CPU never waits for a result. Used only on the
/// context's thread.
struct Stopwatches {
    /// The timers that can be started.
    private var idle: [Stopwatch] = []
    /// Timers whose result was not available when their execution ended. These timers are read later, for the
    /// statistics.
    private var late: [Stopwatch] = []
    /// The number of executions that were timed.
    private(set) var readings = 0
    /// The total GPU time of the timed executions, in seconds.
    private(set) var seconds = 0.0

    /// Starts a timer; returns nil if the driver has no timers.
    mutating func start(in gl: borrowing CurrentContext) throws(GLError) -> Stopwatch? {
        for stopwatch in late {
            switch try stopwatch.query.read(in: gl) {
            // If the results of eight timers are late, the driver apparently never delivers them, so the timer is
            // reused without a result.
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

    /// Takes back a timer that was stopped, and returns the measured seconds, or nil if they are not available yet. They
    /// are then read later.
    mutating func finish(_ stopwatch: Stopwatch?, in gl: borrowing CurrentContext) throws(GLError) -> Double? {
        guard let stopwatch else { return nil }
        switch try stopwatch.query.read(in: gl) {
        case .seconds(let time):
            idle.append(stopwatch)
            return count(time, stopwatch)
        case .disjoint:
            idle.append(stopwatch)
            return nil
        case .pending:
            late.append(stopwatch)
            return nil
        }
    }

    /// Adds a measured time to the totals and returns it. Returns nil for an impossible time, which is a time that is
    /// longer than the time since the timer's start. Some drivers (llvmpipe of Mesa 22) report such times: if the timer
    /// was started before the first draw of a frame, they use zero as the time of the start.
    private mutating func count(_ time: Double, _ stopwatch: Stopwatch) -> Double? {
        guard time > 0, time <= (ContinuousClock.now - stopwatch.started).seconds else { return nil }
        readings += 1
        seconds += time
        return time
    }

    /// Forgets all timers. Their results are not counted.
    mutating func forgetTimers() { (idle, late) = ([], []) }

    /// Takes back a timer whose result is not needed.
    mutating func giveBack(_ stopwatch: Stopwatch) { idle.append(stopwatch) }
}
