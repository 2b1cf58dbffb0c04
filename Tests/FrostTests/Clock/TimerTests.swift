import FrostCore
import FrostThreads
import FrostTestSupport
import Glibc
import Synchronization
import Testing

@testable import Frost

/// The laws of the timer. No test depends on when a tick is delivered.
struct TimerTests {
    /// Checks that a tick lies on start + n/rate exactly.
    private func expectOnGrid(_ tick: DisplayLink.Tick, _ link: DisplayLink) {
        #expect(tick.timestamp == link.start.advanced(by: tick.frameIndex, at: link.rate))
        #expect(tick.targetTimestamp == link.start.advanced(by: tick.frameIndex + link.frameInterval, at: link.rate))
        #expect(tick.timestamp.nanoseconds <= MonotonicTimer.now)
        // The comparison must fail for the next refresh.
        #expect(tick.timestamp != link.start.advanced(by: tick.frameIndex + 1, at: link.rate))
    }

    @Test("ticks lie on start + n/rate, and dropped ticks fill the gaps", arguments: [1, 3])
    func loop(frameInterval: Int) async throws {
        let link = try DisplayLink(.timer, rate: FrameRate(60000, per: 1001), frameInterval: frameInterval)
        var last: DisplayLink.Tick?
        for await tick in link.ticks.prefix(20) {
            expectOnGrid(tick, link)
            #expect(tick.frameIndex >= 1)
            if let last {
                let passed = tick.frameIndex - last.frameIndex
                #expect(passed >= frameInterval)
                // A tick may be as late as the next refresh that is due, and another may replace it before it is taken.
                let late = passed - (tick.dropped + 1) * frameInterval
                #expect((0...(tick.dropped + 1) * (frameInterval - 1)).contains(late))
            }
            last = tick
        }
    }

    @Test("the callback is called on another thread, and may invalidate the link")
    func callback() async throws {
        let thread = ThreadToken.current
        let ticks: [DisplayLink.Tick] = try await withCheckedThrowingContinuation { continuation in
            let seen = Mutex<[DisplayLink.Tick]>([])
            do {
                let link = try DisplayLink(.timer, rate: FrameRate(1000)) { link, tick in
                    #expect(ThreadToken.current != thread)
                    expectOnGrid(tick, link)
                    let all = seen.withLock { seen in
                        seen.append(tick)
                        return seen
                    }
                    guard all.count == 5 else { return }
                    link.invalidate()
                    link.invalidate()
                    continuation.resume(returning: all)
                }
                kept.withLock { $0 = link }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        #expect(ticks.count == 5)
        #expect(ticks.map(\.frameIndex) == ticks.map(\.frameIndex).sorted())
        #expect(kept.withLock { $0?.isInvalidated } == true)
    }
    private let kept = Held()
    private final class Held: Sendable {
        private let link = Mutex<DisplayLink?>(nil)
        func withLock<Value: Sendable>(_ body: (inout sending DisplayLink?) -> sending Value) -> Value {
            link.withLock(body)
        }
    }

    @Test("after invalidate() returns, the callback is not called any more")
    func silence() throws {
        for _ in 0..<50 {
            let count = Atomic<Int>(0)
            let link = try DisplayLink(.timer, rate: FrameRate(1000)) { _, _ in count.add(1, ordering: .relaxed) }
            while count.load(ordering: .relaxed) == 0 { sched_yield() }
            link.invalidate()
            let before = count.load(ordering: .relaxed)
            for _ in 0..<100 { sched_yield() }
            #expect(count.load(ordering: .relaxed) == before)
        }
    }

    @Test("a pause is not counted as dropped ticks, and the ticks after it lie on the same grid")
    func paused() async throws {
        let link = try DisplayLink(.timer, rate: FrameRate(1000))
        var iterator = link.ticks.makeAsyncIterator()
        let first = try #require(await iterator.next())
        link.isPaused = true
        // A tick that was delivered before the pause may wait.
        while MonotonicTimer.now < first.timestamp.nanoseconds + 20_000_000 { sched_yield() }
        link.isPaused = false
        var later = try #require(await iterator.next())
        if later.timestamp.nanoseconds < first.timestamp.nanoseconds + 20_000_000 {
            later = try #require(await iterator.next())
            // If the task is slow, ticks may be dropped after the pause, but not for the pause's refreshes.
            #expect(later.dropped <= later.frameIndex - first.frameIndex - 20)
        }
        expectOnGrid(later, link)
    }

    @Test("a cancelled task's loop ends, also if the next tick is far away")
    func cancelled() async throws {
        let link = try DisplayLink(.timer, rate: FrameRate(1, per: 100))
        let task = Task {
            for await _ in link.ticks {}
            return true
        }
        task.cancel()
        #expect(await task.value)
        // Releasing the link ends its thread, which waits for the far tick.
    }

    @Test("a host polls the descriptor and dispatches the ticks itself")
    func descriptor() throws {
        let count = Atomic<Int>(0)
        let link = try DisplayLink(.descriptor, rate: FrameRate(500)) { _, _ in count.add(1, ordering: .relaxed) }
        var request = pollfd(fd: try #require(link.descriptor), events: Int16(POLLIN), revents: 0)
        var last: DisplayLink.Tick?
        for _ in 0..<10 {
            // SAFETY: poll gets one structure and the count 1.
            #expect(unsafe poll(&request, 1, -1) == 1)
            let tick = try #require(try link.dispatch())
            expectOnGrid(tick, link)
            if let last { #expect(tick.dropped == tick.frameIndex - last.frameIndex - 1) }
            last = tick
        }
        #expect(count.load(ordering: .relaxed) == 10)
        link.isPaused = true
        // A paused link's timer is off, so its descriptor does not become readable.
        #expect(unsafe poll(&request, 1, 10) == 0)
        #expect(try link.dispatch() == nil)
        link.isPaused = false
        #expect(unsafe poll(&request, 1, -1) == 1)
        link.invalidate()
        #expect(throws: DisplayLinkError.invalidated) { try link.dispatch() }
    }

    /// Checks that at least 20 links have left no threads and no descriptors. The test's own runtime may open a few
    /// descriptors and start a few threads, so up to 5 are allowed. The last links may end a little later.
    private static func expectFlat(since before: ProcessState) {
        func isFlat(_ after: ProcessState) -> Bool {
            after.fileDescriptors <= before.fileDescriptors + 5 && after.threads <= before.threads + 5
        }
        var after = ProcessState.current
        for _ in 0..<100_000 where !isFlat(after) {
            sched_yield()
            after = ProcessState.current
        }
        #expect(isFlat(after), "\(before); \(after)")
    }

    @Test("a hundred links leave no threads and no descriptors")
    func resources() async {
        // The test runs in a separate process, in which no other test makes threads.
        await #expect(processExitsWith: .success) {
            func use(_ index: Int) async throws {
                let source = DisplayLink.Source.allCases[index % 4]
                let link = try DisplayLink(source, rate: FrameRate(1000), isPaused: index % 3 == 0) { _, _ in }
                switch index % 5 {
                case 0: link.invalidate()
                case 1: link.isPaused.toggle()
                case 2:
                    let task = Task { for await _ in link.ticks.prefix(1) {} }
                    task.cancel()
                    await task.value
                default: break
                }
            }
            for index in 0..<20 { try await use(index) }
            let before = ProcessState.current
            for index in 0..<100 { try await use(index) }
            TimerTests.expectFlat(since: before)
        }
    }

    @Test("links that are released by their own callback end their thread and close their descriptor")
    func releasedByCallback() async {
        await #expect(processExitsWith: .success) {
            let box = Mutex<DisplayLink?>(nil)
            let before = ProcessState.current
            for _ in 0..<20 {
                let done = Atomic<Bool>(false)
                try box.withLock { link in
                    link = try DisplayLink(.timer, rate: FrameRate(1000)) { _, _ in
                        guard !done.load(ordering: .acquiring) else { return }
                        // The link is destroyed when the callback returns.
                        box.withLock { $0 = nil }
                        done.store(true, ordering: .releasing)
                    }
                }
                while !done.load(ordering: .acquiring) { sched_yield() }
            }
            TimerTests.expectFlat(since: before)
        }
    }
}
