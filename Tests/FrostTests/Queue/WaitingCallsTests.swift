import FrostCore
import FrostTestSupport
import FrostThreads
import Testing

@testable import Frost

/// Tests the bound on the asynchronous calls at work.
struct WaitingCallsTests {
    /// The state that the calls of a test share.
    private struct Counts {
        var working = 0
        var most = 0
        var order: [Int] = []
        var isOpen = false
    }

    @Test("no more calls than the limit are at work, and all are made", arguments: [1, 3])
    func bounded(_ limit: Int) {
        let (calls, counts) = (WaitingCalls(limit: limit), Monitor(Counts()))
        for index in 0..<1000 {
            _ = calls.add { isCancelled in
                counts.update { counts in
                    counts.working += 1
                    counts.most = max(counts.most, counts.working)
                }
                counts.update { counts in
                    counts.working -= 1
                    if !isCancelled { counts.order.append(index) }
                }
            }
        }
        let done = counts.wait { $0.order.count == 1000 ? $0 : nil }
        #expect(done.most <= limit)
        #expect(done.order.sorted() == Array(0..<1000))
        // With one call at a time, the order is that of the calls.
        if limit == 1 { #expect(done.order == Array(0..<1000)) }
    }

    @Test("a waiting call is cancelled at once, on the thread that cancels it") func cancelled() {
        let (calls, counts) = (WaitingCalls(limit: 1), Monitor(Counts()))
        _ = calls.add { _ in _ = counts.wait { $0.isOpen ? true : nil } }
        let numbers = (0..<500).map { index in
            calls.add { isCancelled in counts.update { $0.order.append(isCancelled ? index : -1) } }
        }
        for number in numbers.dropFirst(10) { calls.cancel(number) }
        #expect(counts.withLock { $0.order } == Array(10..<500))
        // A number that is cancelled twice, or whose call has ended, changes nothing.
        calls.cancel(numbers[20])
        counts.update { $0.isOpen = true }
        #expect(
            counts.wait { $0.order.count == 500 ? $0.order : nil } == Array(10..<500) + [Int](repeating: -1, count: 10))
        calls.cancel(numbers[0])
        #expect(counts.withLock { $0.order.count } == 500)
    }

    @Test("tasks of one renderer give the pixels of single calls, and cancelled ones end") func tasks() async throws {
        let renderer = try Renderer(backend: .cpu)
        let image = try TestImage.make(.photograph, 61, 43, PixelFormat(.rgba))
        let effect = Effect(try GaussianBlur(sigma: 3))
        let expected = try renderer.renderNow(image, effect).image
        let (done, ended) = await withTaskGroup(of: Bool?.self) { group in
            for index in 0..<400 {
                group.addTask {
                    if index % 4 == 3 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
                    do throws(FrostError) {
                        return try await renderer.render(image, effect).image == expected
                    } catch {
                        guard case .cancelled = error else { return false }
                        return nil
                    }
                }
            }
            var counts = (0, 0)
            for await isRight in group {
                if isRight == true { counts.0 += 1 }
                if isRight == nil { counts.1 += 1 }
            }
            return counts
        }
        #expect(done == 300 && ended == 100)
    }
}
