import FrostCore
import Synchronization
import Testing

@testable import Frost

/// The laws of a display link, on the virtual clock, which is exact and takes no time.
struct VirtualClockTests {
    @Test(
        "a million ticks lie on n/rate exactly",
        arguments: [(24, 1), (30, 1), (60000, 1001), (60, 1), (120, 1)])
    func exact(numerator: Int, denominator: Int) throws {
        let rate = try FrameRate(numerator, per: denominator)
        let link = try DisplayLink(.virtual, rate: rate)
        var count = 0
        var wrong = 0
        var last: DisplayLink.Tick?
        while let tick = try link.advance(), tick.frameIndex <= 1_000_000 {
            // The time in units of 1/numerator seconds is an integer.
            let units = tick.timestamp.whole * numerator + tick.timestamp.part * (numerator / tick.timestamp.parts)
            let isRight =
                tick.frameIndex == count && units == count * denominator && numerator % tick.timestamp.parts == 0
                && tick.dropped == 0
            if !isRight { wrong += 1 }
            if let last, last.targetTimestamp != tick.timestamp { wrong += 1 }
            last = tick
            count += 1
        }
        #expect(wrong == 0)
        #expect(last?.frameIndex == 1_000_000)
        #expect(last?.timestamp == (try FrameTime(frame: 1_000_000, at: rate)))
    }

    @Test("frame interval n gives every n-th refresh, and the duration stays one refresh", arguments: [1, 2, 3, 7])
    func interval(n: Int) async throws {
        let link = try DisplayLink(.virtual, frameInterval: n)
        let refresh = try FrameTime(frame: 1, at: .hertz60)
        var expected = 0
        for await tick in link.ticks.prefix(100) {
            #expect(tick.frameIndex == expected)
            #expect(tick.duration == refresh)
            #expect(tick.timestamp == (try FrameTime(frame: expected, at: .hertz60)))
            #expect(tick.targetTimestamp == (try FrameTime(frame: expected + n, at: .hertz60)))
            #expect(tick.dropped == 0)
            expected += n
        }
        #expect(expected == 100 * n)
    }

    @Test("a new frame interval counts from the last tick, and drops nothing")
    func changedInterval() throws {
        let link = try DisplayLink(.virtual, frameInterval: 10)
        var indices: [Int] = []
        func advance(_ count: Int) throws {
            for _ in 0..<count {
                guard let tick = try link.advance() else { continue }
                indices.append(tick.frameIndex)
                #expect(tick.dropped == 0)
            }
        }
        try advance(6)
        try link.setFrameInterval(2)
        #expect(link.frameInterval == 2)
        try advance(5)
        try link.setFrameInterval(4)
        try advance(8)
        // After refresh 5, interval 2 was due at 2 in the past, so the next refresh ticks. Interval 4 counts from 10.
        #expect(indices == [0, 6, 8, 10, 14, 18])
    }

    @Test(
        "an invalid frame interval is refused with its value, and changes nothing",
        arguments: [0, -1, 1_000_001, .max, .min])
    func refusedInterval(n: Int) throws {
        let error = DisplayLinkError.parameter(
            .outOfRange(parameter: "frame interval", value: Double(n), allowed: 1...1_000_000))
        #expect(throws: error) { try DisplayLink(.virtual, frameInterval: n) }
        let link = try DisplayLink(.virtual, frameInterval: 3)
        #expect(throws: error) { try link.setFrameInterval(n) }
        #expect(link.frameInterval == 3)
    }

    @Test("late ticks are dropped and counted, never queued")
    func dropped() throws {
        let seen = Mutex<[DisplayLink.Tick]>([])
        let link = try DisplayLink(.virtual, frameInterval: 2) { _, tick in seen.withLock { $0.append(tick) } }
        for refreshes in [1, 2, 1, 1, 7, 2, 20] { try link.advance(by: refreshes) }
        let ticks = seen.withLock { $0 }
        // Refreshes 0, 2, 3, 4, 11, 13, 33. At 11, the ticks at 6, 8 and 10 were due, of which one is delivered.
        #expect(ticks.map(\.frameIndex) == [0, 2, 4, 11, 13, 33])
        #expect(ticks.map(\.dropped) == [0, 0, 0, 2, 0, 9])
        for tick in ticks { #expect(tick.timestamp == (try FrameTime(frame: tick.frameIndex, at: .hertz60))) }
    }

    @Test("a slow loop gets only the last tick, and the number of those that it missed")
    func slowLoop() async throws {
        let link = try DisplayLink(.virtual)
        var fast = link.ticks.makeAsyncIterator()
        var slow = link.ticks.makeAsyncIterator()
        for index in 0..<5 { #expect(await fast.next()?.frameIndex == index) }
        let late = await slow.next()
        #expect(late?.frameIndex == 4)
        #expect(late?.dropped == 4)
        // The slow loop now makes the next tick, which waits for the fast loop.
        #expect(await slow.next()?.frameIndex == 5)
        let next = await fast.next()
        #expect(next?.frameIndex == 5)
        #expect(next?.dropped == 0)
    }

    @Test("a paused link has no ticks, and counts none as dropped when it resumes")
    func paused() throws {
        let link = try DisplayLink(.virtual, isPaused: true)
        #expect(link.isPaused)
        #expect(try link.advance(by: 5) == nil)
        link.isPaused = false
        let first = try #require(try link.advance())
        #expect(first.frameIndex == 5)
        #expect(first.dropped == 0)
        link.isPaused = true
        #expect(try link.advance(by: 100) == nil)
        link.isPaused = false
        let second = try #require(try link.advance())
        #expect(second.frameIndex == 106)
        #expect(second.dropped == 0)
    }

    @Test("a loop over a paused link waits, and continues with the next refresh")
    func pausedLoop() async throws {
        let link = try DisplayLink(.virtual)
        var iterator = link.ticks.makeAsyncIterator()
        #expect(await iterator.next()?.frameIndex == 0)
        link.isPaused = true
        // The task resumes the link, whether the loop already waits or not.
        let resuming = Task { link.isPaused = false }
        let tick = await iterator.next()
        #expect(tick?.frameIndex == 1)
        #expect(tick?.dropped == 0)
        await resuming.value
    }

    @Test("an invalidated link ends its loops, and refuses calls")
    func invalidated() async throws {
        let link = try DisplayLink(.virtual)
        var count = 0
        for await tick in link.ticks {
            count += 1
            if tick.frameIndex == 9 { link.invalidate() }
        }
        #expect(count == 10)
        #expect(link.isInvalidated)
        #expect(link.failure == nil)
        #expect(throws: DisplayLinkError.invalidated) { try link.advance() }
        #expect(throws: DisplayLinkError.invalidated) { try link.setFrameInterval(2) }
        var late = link.ticks.makeAsyncIterator()
        #expect(await late.next() == nil)
        link.invalidate()
    }

    @Test("a cancelled task's loop ends, also while it waits on a paused link", arguments: [false, true])
    func cancelled(isPaused: Bool) async throws {
        let link = try DisplayLink(.virtual, isPaused: isPaused)
        let task = Task {
            var count = 0
            for await _ in link.ticks { count += 1 }
            return count
        }
        task.cancel()
        let count = await task.value
        if isPaused { #expect(count == 0) }
        #expect(!link.isInvalidated)
    }

    @Test("a link whose time leaves the allowed range ends with the reason")
    func endOfTime() async throws {
        let rate = try FrameRate(1, per: 100)
        let link = try DisplayLink(.virtual, rate: rate)
        try link.advance(by: 40_000_001)
        var iterator = link.ticks.makeAsyncIterator()
        #expect(await iterator.next() == nil)
        let reason = ParameterError.outOfRange(parameter: "time in seconds", value: 4.0000001e9, allowed: -4e9...4e9)
        #expect(link.failure == .parameter(reason))
        #expect(link.isInvalidated)
    }

    @Test("calls of another source are refused with both sources")
    func wrongSource() throws {
        let link = try DisplayLink(.virtual)
        #expect(throws: DisplayLinkError.wrongSource(call: "tick(at:)", source: .virtual, needed: .manual)) {
            try link.tick(at: .zero)
        }
        #expect(throws: DisplayLinkError.wrongSource(call: "dispatch()", source: .virtual, needed: .descriptor)) {
            try link.dispatch()
        }
        #expect(link.descriptor == nil)
        for refreshes in [0, -1, Int.max, Int.min] {
            #expect(throws: DisplayLinkError.self) { try link.advance(by: refreshes) }
        }
        #expect(try link.advance()?.frameIndex == 0)
    }
}
