import Foundation
@testable import Frost
import FrostCPU
import FrostCore
import FrostGLES
import FrostGPU
import FrostTestSupport
import Synchronization
import Testing

/// Tests what happens to an image if the GPU that renders it fails.
@Suite struct RecoveryTests {
    private static let evidence = GLEvidence(call: "glFoo", code: 0x502)

    /// Errors that would occur again at a second attempt. The CPU takes over, unless a GPU is required.
    private static let lasting: [GPUError] = [
        .imageTooLarge(what: "the source", side: 9, limit: 8), .unsupportedFormat("no float"),
        .unsupportedOutputStages("x"),
        .gl(.libraryMissing(name: "libEGL.so.1", reason: "none")), .gl(.noDevice(wanted: "GPU", tried: [])),
        .gl(.displayFailed(device: "a", evidence)), .gl(.contextFailed(device: "a", evidence)),
        .gl(.shaderCompilation(stage: "fragment", log: "?")), .gl(.link(log: "?")),
        .gl(.framebufferIncomplete(status: 1, format: "rgba16", width: 1, height: 1)), .gl(.outOfMemory(evidence)),
        .gl(.unsupported("x")), .gl(.tooLarge(what: "x", value: 2, limit: 1)), .gl(.callFailed(evidence)),
    ]

    @Test(arguments: lasting) func lastingErrorsGoToTheCPU(error: GPUError) {
        for attempts in 1...3 {
            #expect(Recovery(from: error, demanded: false, attempts: attempts) == .cpu(error.description))
            #expect(Recovery(from: error, demanded: true, attempts: attempts) == .fail)
        }
        #expect(!error.description.isEmpty && !error.description.contains("\n"))
    }

    /// If the GPU blocks, the CPU does all later work too, because each image would wait for the timeout.
    @Test(arguments: [
        GPUError.gl(.timeout(what: "x", seconds: 1)), .gl(.driverBlocked(call: "glFoo", seconds: 1)),
    ]) func aBlockedGPUIsClosed(error: GPUError) {
        for attempts in 1...3 {
            #expect(Recovery(from: error, demanded: false, attempts: attempts) == .close(error.description))
            #expect(Recovery(from: error, demanded: true, attempts: attempts) == .fail)
        }
    }

    /// If the context is lost, it is replaced once.
    @Test func aLostContextIsReopenedOnce() {
        let error = GPUError.gl(.contextLost(reason: "reset"))
        for demanded in [false, true] {
            #expect(Recovery(from: error, demanded: demanded, attempts: 1) == .reopen)
        }
        for attempts in 2...3 {
            #expect(Recovery(from: error, demanded: false, attempts: attempts) == .cpu(error.description))
            #expect(Recovery(from: error, demanded: true, attempts: attempts) == .fail)
        }
    }

    /// A cancellation causes neither a fallback to the CPU nor a failure.
    @Test func cancellationStops() {
        for (demanded, attempts) in [(false, 1), (true, 1), (false, 2), (true, 2)] {
            #expect(Recovery(from: .cancelled, demanded: demanded, attempts: attempts) == .stop)
        }
    }

    /// If Frost itself is at fault, the error is reported. The CPU does not take over.
    @Test func faultsAreTold() {
        for (demanded, attempts) in [(false, 1), (true, 1), (false, 2), (true, 2)] {
            #expect(Recovery(from: .invalidPlan("x"), demanded: demanded, attempts: attempts) == .fail)
        }
    }

    @Test func errorsOfTheCPUKeepTheirMeaning() {
        #expect(FrostError(.cancelled) == .cancelled)
        #expect(FrostError(.pixels(.tooLarge(width: 1, height: 2))) == .pixels(.tooLarge(width: 1, height: 2)))
    }

    /// The description of each error is one line that contains the evidence.
    @Test func descriptions() {
        let errors: [(FrostError, String)] = [
            (.parameter(.outOfRange(parameter: "sigma", value: 1001, allowed: 0...1000)), "1001"),
            (.pixels(.emptyImage(width: 0, height: 5)), "0x5"), (.cancelled, "cancelled"),
            (.deviceUnavailable(reason: "no hardware GPU"), "no hardware GPU"),
            (.deviceFailed(device: "llvmpipe", .unsupportedFormat("no float")), "llvmpipe: no float"),
        ]
        for (error, text) in errors {
            #expect(error.description.contains(text))
            #expect(!error.description.contains("\n"))
        }
    }
}

/// Tests what happens if a context is lost while a renderer uses it.
@Suite(.serialized, .enabled(if: TestGPU.isWanted, TestGPU.skipReason))
struct LostContextTests {
    @Test func aRendererOutlivesItsContext() throws {
        let renderer = try Renderer(backend: .gpu)
        let image = try TestImage.noise(50, 40)
        let effect = try GaussianBlur(sigma: 5)
        let before = try renderer.blurNow(image, effect)
        let first = try #require(renderer.slot.executor)
        first.shutdown()
        let after = try renderer.blurNow(image, effect)
        #expect(after.report.backend == .gpu)
        #expect(after.report.device == before.report.device)
        #expect(after.report.reason == "as requested")
        #expect(after.image == before.image)
        let second = try #require(renderer.slot.executor)
        #expect(second !== first)
    }

    /// If several images lose the same context, the context is replaced once. Images on the new context are not disturbed.
    /// The test starts its own threads, because Swift's thread pool has only one thread per processor.
    @Test func aResetHitsManyImages() throws {
        let renderer = try Renderer(backend: .gpu)
        let image = try TestImage.noise(24, 24)
        let effect = try GaussianBlur(sigma: 2)
        let expected = try renderer.blurNow(image, effect).image
        let failures = Mutex<[String]>([])
        for _ in 0..<5 {
            // The previous round may have reset the context after its last image. The image that is rendered here then
            // gets the new context. Without it, one image below could lose two contexts, to the reset of the previous
            // round and to the reset of this round. This would exceed the limit of attempts.
            _ = try renderer.blurNow(image, effect)
            let threads = DispatchGroup()
            for _ in 0..<12 {
                threads.enter()
                Thread.detachNewThread {
                    defer { threads.leave() }
                    do {
                        // The loop runs so long that the reset happens while it runs.
                        for _ in 0..<30 {
                            let rendered = try renderer.blurNow(image, effect)
                            if rendered.image != expected { failures.withLock { $0.append("another image") } }
                            if rendered.report.backend != .gpu { failures.withLock { $0.append("not the GPU") } }
                        }
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                }
            }
            usleep(10_000)
            let slot = try renderer.slot
            var seen = [try #require(slot.executor)]
            seen[0].shutdown()
            while threads.wait(timeout: .now() + .milliseconds(1)) == .timedOut {
                guard let executor = slot.executor, !seen.contains(where: { $0 === executor }) else { continue }
                seen.append(executor)
            }
            #expect(seen.count <= 2, "the context was replaced \(seen.count - 1) times")
        }
        #expect(failures.withLock { $0 } == [])
    }

    /// If a GPU is required and cannot be replaced, this call and all later calls throw an error. They never fall back to
    /// the CPU. The test runs in a separate process that cannot start threads, so that the context cannot be replaced.
    @Test func aDemandIsNeverMetByTheCPU() async {
        await #expect(processExitsWith: .success) {
            let renderer = try Renderer(backend: .gpu, threads: 1)
            let image = try TestImage.noise(24, 24)
            let effect = try GaussianBlur(sigma: 2)
            _ = try renderer.blurNow(image, effect)
            try renderer.slot.executor?.shutdown()
            // The system caches the stacks of threads for reuse. These threads use up the cached stacks.
            for _ in 0..<8 { Thread.detachNewThread { sleep(60) } }
            usleep(50_000)
            var all = rlimit()
            unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &all)
            var none = rlimit(rlim_cur: 1 << 20, rlim_max: all.rlim_max)
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &none)
            let results = (0..<2).map { _ in
                Result { () throws(FrostError) in try renderer.blurNow(image, effect).report }
            }
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &all)
            for result in results {
                guard case .failure(.deviceUnavailable(let reason)) = result else {
                    print(result)
                    exit(1)
                }
                print(reason)
            }
        }
    }
}
