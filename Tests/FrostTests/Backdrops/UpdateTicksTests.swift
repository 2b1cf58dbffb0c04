import Frost
import FrostCore
import Synchronization
import Testing

/// A clock whose time advances only while a task sleeps or simulates work.
private final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private let time = Mutex(Instant(offset: .zero))
    var now: Instant { time.withLock { $0 } }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        time.withLock { $0 = max($0, deadline) }
    }
    func work(_ duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}

struct UpdateTicksTests {
    @Test("ticks come at multiples of the interval; those that fall due during an update are dropped, not queued")
    func backPressure() async throws {
        let clock = ManualClock()
        var seen: [(number: Int, dropped: Int, at: Duration)] = []
        let work = [10, 99, 101, 100, 350, 0, 0].map { Duration.milliseconds($0) }
        for await tick in try UpdateTicks(every: .milliseconds(100), clock: clock) {
            seen.append((tick.number, tick.dropped, clock.now.offset))
            guard seen.count < work.count else { break }
            clock.work(work[seen.count - 1])
        }
        #expect(seen.map(\.number) == [0, 1, 2, 4, 6, 10, 11])
        #expect(seen.map(\.dropped) == [0, 0, 0, 1, 1, 3, 0])
        #expect(seen.allSatisfy { $0.at == .milliseconds(100) * $0.number })
    }

    @Test("ticks end with the task, and intervals are checked")
    func ticksEndWithTheTask() async throws {
        let task = Task {
            var count = 0
            for await _ in try UpdateTicks(every: .milliseconds(1)) {
                count += 1
                if count == 3 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
            }
            return count
        }
        #expect(try await task.value == 3)
        for interval in [Duration.zero, .seconds(-1), .seconds(100_000)] {
            #expect(throws: ParameterError.self) { try UpdateTicks(every: interval) }
        }
    }
}
