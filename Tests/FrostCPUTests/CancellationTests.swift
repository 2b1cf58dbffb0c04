import Dispatch
import FrostCPU
import FrostExact
import FrostCore
import FrostTestSupport
import Testing

struct CancellationTests {
    @Test("work cancelled before it begins throws, for every kind of plan")
    func before() throws {
        let cancellation = Cancellation()
        cancellation.cancel()
        let image = try TestImage.make(.uniformNoise, 64, 64)
        for (sigmaX, sigmaY) in [(0.0, 0.0), (2, 2), (8, 8), (100, 100), (2, 0), (0, 2), (30, 0)] {
            for threads in [1, 3] {
                #expect(throws: CPUError.cancelled) {
                    try Blurring.cpu(
                        GaussianBlur(sigmaX: sigmaX, sigmaY: sigmaY), image, threads: threads,
                        cancellation: cancellation)
                }
            }
        }
    }

    @Test("a cancellation that is never requested changes nothing")
    func never() throws {
        let image = try TestImage.make(.uniformNoise, 64, 64)
        let blur = try GaussianBlur(sigma: 3)
        try expectIdentical(
            Blurring.cpu(blur, image, cancellation: Cancellation()).image, Blurring.cpu(blur, image).image)
    }

    @Test(
        "a large blur stops when another thread cancels it, and the next one succeeds",
        .timeLimit(.minutes(1)))
    func during() throws {
        let image = try PixelBuffer(layout: PixelLayout(width: 6000, height: 4000, format: PixelFormat(.rgba)))
        let clock = ContinuousClock()
        for sigma in [2.0, 20] {
            let cancellation = Cancellation()
            let asked = Stamp()
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) {
                asked.set(clock.now)
                cancellation.cancel()
            }
            // The loop blurs until a run is cancelled. The number of runs until then depends on the machine's speed and
            // load.
            var runs = 0
            #expect(throws: CPUError.cancelled) {
                while true {
                    runs += 1
                    _ = try Blurring.cpu(GaussianBlur(sigma: sigma), image, cancellation: cancellation)
                }
            }
            let latency = try #require(asked.value).duration(to: clock.now)
            // The latency is recorded but not checked, because the machine may be busy.
            Attachment.record("sigma \(sigma): run \(runs) ended \(latency) after it was asked", named: "latency.txt")
        }
        let small = try TestImage.make(.uniformNoise, 64, 64)
        let blur = try GaussianBlur(sigma: 8)
        let exact = try Blurring.exact(blur, small)
        try expectClose(SampleRows(Blurring.cpu(blur, small).image), exact.rows, within: .promise8)
    }
}

/// A time that one thread passes to another.
private final class Stamp: Sendable {
    private let queue = DispatchQueue(label: "stamp")
    // SAFETY: the variable is accessed only on `queue`.
    nonisolated(unsafe) private var time: ContinuousClock.Instant?

    func set(_ time: ContinuousClock.Instant) { queue.sync { unsafe self.time = time } }
    var value: ContinuousClock.Instant? { queue.sync { unsafe time } }
}
