import FrostCore
import Synchronization
import Testing

@testable import Frost

struct ManualTickTests {
    @Test("a tick has the host's timestamp, and its target is frameInterval refreshes later")
    func timestamps() throws {
        let link = try DisplayLink(.manual, rate: FrameRate(60000, per: 1001), frameInterval: 2)
        // A host's vblanks jitter.
        let vblanks = [1_000_000_000, 1_016_700_123, 1_033_399_000, 1_050_000_007, 1_066_800_000]
        var ticks: [DisplayLink.Tick] = []
        for time in vblanks {
            if let tick = try link.tick(at: FrameTime(nanoseconds: time)) { ticks.append(tick) }
        }
        #expect(ticks.map(\.frameIndex) == [0, 2, 4])
        #expect(ticks.map(\.timestamp.nanoseconds) == [vblanks[0], vblanks[2], vblanks[4]])
        for tick in ticks {
            #expect(tick.targetTimestamp == tick.timestamp.advanced(by: 2, at: link.rate))
            #expect(tick.duration == (try FrameTime(frame: 1, at: link.rate)))
            #expect(tick.dropped == 0)
        }
    }

    @Test("refreshes that the host missed count as dropped ticks")
    func missed() throws {
        let link = try DisplayLink(.manual)
        #expect(try link.tick(atSeconds: 1)?.dropped == 0)
        let tick = try #require(try link.tick(atSeconds: 1.1, refreshes: 6))
        #expect(tick.frameIndex == 6)
        #expect(tick.dropped == 5)
    }

    @Test("time that goes backwards or is not a number is refused, and has no effect")
    func refused() throws {
        let link = try DisplayLink(.manual)
        try link.tick(atSeconds: 10)
        let (earlier, last) = (try FrameTime(seconds: 9.999), try FrameTime(seconds: 10))
        #expect(throws: DisplayLinkError.timeWentBackwards(timestamp: earlier, previous: last)) {
            try link.tick(at: earlier)
        }
        for seconds in [Double.nan, .infinity, -.infinity, 1e300] {
            #expect(throws: DisplayLinkError.self) { try link.tick(atSeconds: seconds) }
        }
        for refreshes in [0, -1, Int.min, Int.max] {
            #expect(throws: DisplayLinkError.self) { try link.tick(at: last, refreshes: refreshes) }
        }
        let next = try #require(try link.tick(at: last))
        #expect(next.frameIndex == 1)
        #expect(next.dropped == 0)
    }

    @Test("a loop receives the ticks that a host reports from another task")
    func loop() async throws {
        let link = try DisplayLink(.manual)
        var iterator = link.ticks.makeAsyncIterator()
        for index in 0..<100 {
            let host = Task { try link.tick(atSeconds: Double(index)) }
            #expect(await iterator.next()?.frameIndex == index)
            _ = try await host.value
        }
        link.invalidate()
        #expect(await iterator.next() == nil)
    }

    @Test("while a loop is busy, only the last tick waits for it")
    func busyLoop() async throws {
        let link = try DisplayLink(.manual)
        var iterator = link.ticks.makeAsyncIterator()
        for index in 0..<10 { try link.tick(atSeconds: Double(index)) }
        let tick = await iterator.next()
        #expect(tick?.frameIndex == 9)
        #expect(tick?.dropped == 9)
        link.invalidate()
    }

    @Test("waiting loops end when the link is invalidated or their task is cancelled")
    func waitingLoops() async throws {
        let link = try DisplayLink(.manual)
        func loop() -> Task<Int, Never> {
            Task {
                var count = 0
                for await _ in link.ticks { count += 1 }
                return count
            }
        }
        let cancelled = loop()
        let invalidated = loop()
        cancelled.cancel()
        #expect(await cancelled.value == 0)
        link.invalidate()
        #expect(await invalidated.value == 0)
    }

    @Test("a callback may invalidate, pause and release its link, but not make the next tick")
    func callback() throws {
        let seen = Mutex<[DisplayLinkError?]>([])
        let link = try DisplayLink(.manual) { link, tick in
            if tick.frameIndex == 0 {
                let error = #expect(throws: DisplayLinkError.self) { try link.tick(at: tick.timestamp) }
                seen.withLock { $0.append(error) }
                link.isPaused = true
            } else {
                link.invalidate()
                seen.withLock { $0.append(nil) }
            }
        }
        try link.tick(atSeconds: 0)
        try link.tick(atSeconds: 1)
        link.isPaused = false
        try link.tick(atSeconds: 2)
        #expect(throws: DisplayLinkError.invalidated) { try link.tick(atSeconds: 3) }
        #expect(seen.withLock { $0 } == [.calledFromCallback(call: "tick(at:)"), nil])
    }

    @Test("the callback is released when the link is invalidated or released", arguments: [true, false])
    func released(isInvalidated: Bool) throws {
        final class Content: Sendable {}
        weak var content: Content?
        var link: DisplayLink?
        do {
            let made = Content()
            content = made
            link = try DisplayLink(.manual) { _, _ in withExtendedLifetime(made) {} }
        }
        #expect(content != nil)
        if isInvalidated { link?.invalidate() } else { link = nil }
        #expect(content == nil)
        _ = link
    }

    @Test("callbacks do not overlap when several threads report refreshes")
    func concurrent() async throws {
        let active = Atomic<Int>(0)
        let overlaps = Atomic<Int>(0)
        let count = Atomic<Int>(0)
        let link = try DisplayLink(.manual) { _, _ in
            if active.add(1, ordering: .relaxed).newValue != 1 { overlaps.add(1, ordering: .relaxed) }
            count.add(1, ordering: .relaxed)
            active.subtract(1, ordering: .relaxed)
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<1000 { _ = try? link.tick(at: .zero) } }
            }
        }
        #expect(count.load(ordering: .relaxed) == 8000)
        #expect(overlaps.load(ordering: .relaxed) == 0)
    }
}
