import Dispatch
import Frost
import FrostCore
import FrostTestSupport
import Glibc
import Synchronization
import Testing

/// Tests rendering in the background: results equal those of the renderer, the number of images in progress is limited, and
/// each result is delivered exactly once.
@Suite struct RenderQueueTests {
    private let effect: Effect
    private let picture: PixelBuffer

    init() throws {
        effect = Effect(try GaussianBlur(sigma: 5, edge: .mirror))
        picture = try TestImage.noise(90, 70)
    }

    /// Returns a queue with one worker. The worker waits in the completion handler of the first image until the gate is
    /// signalled.
    private func heldQueue(depth: Int) throws -> (queue: RenderQueue, gate: DispatchSemaphore) {
        let queue = try RenderQueue(Renderer(backend: .cpu, threads: 1), depth: depth, concurrency: 1)
        let gate = DispatchSemaphore(value: 0)
        let isHeld = DispatchSemaphore(value: 0)
        try queue.submit(picture, effect) { _ in
            isHeld.signal()
            gate.wait()
        }
        isHeld.wait()
        return (queue, gate)
    }

    /// The images differ in size, format and effect. There are more images than can be rendered at the same time, so some
    /// have to wait.
    @Test(arguments: Worker.wanted, [1, nil]) func resultsAreTheRenderers(worker: Worker, concurrency: Int?) throws {
        let renderer = try worker.renderer()
        let queue = try RenderQueue(renderer, depth: 12, concurrency: concurrency)
        let formats = [PixelFormat(.rgba), PixelFormat(.grey), PixelFormat(.rgb, .u16), PixelFormat(.bgra)]
        let images = try (0..<12).map {
            try TestImage.noise(30 + 17 * $0, 80 - 5 * $0, formats[$0 % 4], seed: UInt64($0))
        }
        let effects = try [0.7, 3, 12].map { Effect(try GaussianBlur(sigma: $0, edge: .clamp)) } + [effect]
        let tickets = try images.enumerated().map { n, image in try queue.submit(image, effects[n % 4]) }
        for (n, ticket) in tickets.enumerated() {
            let rendered = try ticket.wait()
            #expect(rendered.image == (try renderer.renderNow(images[n], effects[n % 4])).image, "image \(n)")
            #expect(rendered.report.backend.rawValue == worker.rawValue)
        }
        queue.waitUntilIdle()
        #expect(queue.count == 0)
    }

    /// The result is written into memory that belongs to the caller.
    @Test(arguments: Worker.wanted) func writesWhereItIsTold(worker: Worker) throws {
        let renderer = try worker.renderer()
        let queue = try RenderQueue(renderer)
        var target = PixelBuffer(layout: picture.layout)
        let (from, to) = (picture.layout, target.layout)
        try unsafe picture.withUnsafeBytes { source in
            try unsafe target.withUnsafeMutableBytes { bytes in
                let ticket = try unsafe queue.submit(
                    PixelSource(#require(source.baseAddress), layout: from), effect,
                    into: PixelTarget(#require(bytes.baseAddress), layout: to))
                #expect(try ticket.wait().errorBound > 0)
            }
        }
        #expect(target == (try renderer.renderNow(picture, effect)).image)
    }

    @Test func oneAtATimeComesInOrder() throws {
        let queue = try RenderQueue(Renderer(backend: .cpu), depth: 40, concurrency: 1)
        let order = Mutex<[Int]>([])
        for n in 0..<40 {
            // Each image is smaller than the image before it, and so takes less time to render.
            let image = try TestImage.noise(200 - 4 * n, 100)
            try queue.submit(image, effect) { _ in order.withLock { $0.append(n) } }
        }
        queue.waitUntilIdle()
        #expect(order.withLock { $0 } == Array(0..<40))
    }

    /// A full queue refuses images. An image gives up its slot as soon as its result is available, even before its
    /// completion handler returns.
    @Test func aFullQueueIsBusy() throws {
        let (queue, gate) = try heldQueue(depth: 3)
        // The first image already has its result, so it no longer occupies a slot.
        #expect(queue.count == 0)
        let waiting = try (0..<3).map { _ in try queue.submit(picture, effect) }
        #expect(queue.count == 3)
        #expect(throws: FrostError.busy(depth: 3)) { try queue.submit(picture, effect) }
        #expect(FrostError.busy(depth: 3).description == "the queue is full: 3 images are in progress")
        gate.signal()
        for ticket in waiting { _ = try ticket.wait() }
        let second = Mutex<RenderTicket<Rendered>?>(nil)
        try queue.submit(picture, effect) { _ in
            let ticket = try? queue.submit(self.picture, self.effect)
            second.withLock { $0 = ticket }
        }
        queue.waitUntilIdle()
        #expect(
            try second.withLock { $0 }?.wait().image == (try Renderer(backend: .cpu).renderNow(picture, effect)).image)
    }

    @Test(arguments: [(0, nil), (1025, nil), (4, 0), (4, 5)] as [(Int, Int?)])
    func refusesNumbers(depth: Int, concurrency: Int?) throws {
        let renderer = try Renderer(backend: .cpu)
        #expect {
            try RenderQueue(renderer, depth: depth, concurrency: concurrency)
        } throws: { error in
            guard case .parameter(.outOfRange) = error as? FrostError else { return false }
            return true
        }
    }

    /// If an image is cancelled before a worker has begun it, it ends immediately. The other images are rendered.
    @Test func cancelsWhatIsWaiting() throws {
        let (queue, gate) = try heldQueue(depth: 8)
        let calls = Mutex<[Int: Int]>([:])
        let tickets = try (0..<3).map { n in
            try queue.submit(picture, effect) { result in
                let isCancelled = if case .failure(.cancelled) = result { 100 } else { 1 }
                calls.withLock { $0[n, default: 0] += isCancelled }
            }
        }
        tickets[1].cancel()
        #expect(throws: FrostError.cancelled) { try tickets[1].wait() }
        #expect(!tickets[0].isDone && !tickets[2].isDone)
        #expect(try tickets[0].wait(for: .milliseconds(1)) == nil)
        gate.signal()
        queue.waitUntilIdle()
        #expect(tickets[0].isDone && tickets[2].isDone)
        #expect(calls.withLock { $0 } == [0: 1, 1: 100, 2: 1])
        // The result is already available, so cancelling has no effect.
        tickets[0].cancel()
        #expect(try tickets[0].wait().image.width == picture.width)
    }

    /// Work that would take minutes ends soon after it is cancelled. It can be cancelled by its ticket, by the caller's own
    /// `Cancellation`, or together with the whole queue.
    @Test(arguments: 0..<3) func cancelsWhatIsUnderWay(way: Int) throws {
        let queue = try RenderQueue(Renderer(backend: .exact, threads: 1), depth: 2, concurrency: 1)
        let own = Cancellation()
        let wide = Effect(try GaussianBlur(sigma: 300))
        let ticket = try queue.submit(TestImage.noise(1500, 1500), wide, cancellation: own)
        #expect(try ticket.wait(for: .milliseconds(30)) == nil)
        switch way {
        case 0: ticket.cancel()
        case 1: own.cancel()
        default: queue.cancelAll()
        }
        #expect(throws: FrostError.cancelled) { try ticket.wait() }
        #expect(try queue.submit(TestImage.noise(5, 5), wide).wait().report.backend == .exact)
    }

    @Test func allWaysToTheResultAgree() async throws {
        let queue = try RenderQueue(Renderer(backend: .cpu))
        let expected = try Renderer(backend: .cpu).renderNow(picture, effect).image
        let handlers = DispatchQueue(label: "handlers")
        let key = DispatchSpecificKey<Bool>()
        handlers.setSpecific(key: key, value: true)
        let handled = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            let ticket = try? queue.submit(picture, effect, on: handlers) { result in
                let isRight = (try? result.get().image) == expected
                continuation.resume(returning: isRight && DispatchQueue.getSpecific(key: key) == true)
            }
            #expect(ticket != nil)
        }
        #expect(handled)
        let ticket = try queue.submit(picture, effect)
        #expect(try await ticket.value.image == expected)
        #expect(try ticket.result?.get().image == expected)
        #expect(try ticket.wait().image == expected)
        #expect(try ticket.wait(for: .zero)?.image == expected)
        let failing = try queue.submit(picture, effect, region: Rect(x: 0, y: 0, width: 0, height: 3))
        await #expect(throws: FrostError.pixels(.emptyImage(width: 0, height: 3))) { try await failing.value }
    }

    /// Submitted images are rendered even if nobody waits for them. When they are finished, the queue keeps no reference to
    /// them.
    @Test func dropsNothingAndKeepsNothing() throws {
        final class Witness: Sendable {}
        weak var witness: Witness?
        weak var ticket: RenderTicket<Rendered>?
        let calls = Atomic(0)
        let done = DispatchGroup()
        let gate: DispatchSemaphore
        do {
            let held = try heldQueue(depth: 4)
            gate = held.gate
            let one = Witness()
            witness = one
            for n in 0..<4 {
                done.enter()
                let submitted = try held.queue.submit(picture, effect) { _ in
                    withExtendedLifetime(one) {}
                    calls.add(1, ordering: .relaxed)
                    done.leave()
                }
                if n == 0 { ticket = submitted } else if n == 3 { submitted.cancel() }
            }
        }
        #expect(witness != nil && ticket != nil)
        gate.signal()
        done.wait()
        #expect(calls.load(ordering: .relaxed) == 4)
        // `done` is left inside the last completion handler, so this handler may still be running.
        for _ in 0..<1000 where witness != nil || ticket != nil { usleep(1000) }
        #expect(witness == nil && ticket == nil)
    }

    @Test("more tasks than places get their results, and cancelled ones leave their places to others")
    func waitsForRoom() async throws {
        let renderer = try Renderer(backend: .cpu, threads: 1)
        let (queue, picture, effect) = (try RenderQueue(renderer, depth: 2, concurrency: 1), picture, effect)
        let expected = try renderer.renderNow(picture, effect).image
        let counts = await withTaskGroup(of: Bool?.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let task = Task { () throws -> Bool? in
                        do throws(FrostError) {
                            return try await queue.render(picture, effect).image == expected
                        } catch {
                            guard case .cancelled = error else { return false }
                            return nil
                        }
                    }
                    if index % 2 == 1 {
                        if index % 4 == 1 { await Task.yield() }
                        task.cancel()
                    }
                    return (try? await task.value) ?? nil
                }
            }
            var counts = [0, 0, 0]
            for await isRight in group { counts[isRight == nil ? 2 : isRight == true ? 1 : 0] += 1 }
            return counts
        }
        #expect(counts[0] == 0 && counts[1] >= 100, "\(counts)")
        queue.waitUntilIdle()
        #expect(queue.count == 0)
    }

    @Test("cancelling a task that waits for a place, or for its ticket, ends it while another image is in progress")
    func cancelledWhileWaiting() async throws {
        let (queue, gate) = try heldQueue(depth: 1)
        let (picture, effect) = (picture, effect)
        // The held image has its result, so this one takes the place and waits for the thread.
        let ticket = try queue.submit(picture, effect)
        let waiting = [
            Task { try await queue.render(picture, effect) }, Task { try await ticket.value },
            Task { try await queue.render(picture, effect) },
        ]
        for task in waiting {
            task.cancel()
            await #expect(throws: FrostError.self) { try await task.value }
        }
        gate.signal()
        queue.waitUntilIdle()
        #expect(queue.count == 0)
    }
}
