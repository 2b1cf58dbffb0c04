@testable import Frost
import FrostCore
import FrostTestSupport
import Testing

/// Tests a renderer that many tasks share, and tasks that are cancelled.
@Suite struct ConcurrencyTests {
    private struct Case: Sendable {
        let image: PixelBuffer
        let effect: GaussianBlur
        let expected: PixelBuffer
    }

    /// Returns cases whose images differ in size and format. If a renderer reuses memory of the wrong size, the tests detect
    /// this.
    private static func cases(_ renderer: Renderer) throws -> [Case] {
        let formats = [PixelFormat(.rgba), PixelFormat(.grey), PixelFormat(.rgb, .u16), PixelFormat(.greyAlpha)]
        return try (0..<8).map { n in
            let image = try TestImage.noise(20 + 37 * n, 90 - 9 * n, formats[n % 4], seed: UInt64(n))
            let effect = try GaussianBlur(
                sigma: [0.8, 2, 5, 17][(n + n / 4) % 4], edge: EdgeMode.allCases[n % EdgeMode.allCases.count])
            return Case(image: image, effect: effect, expected: try renderer.blurNow(image, effect).image)
        }
    }

    @Test(arguments: Worker.wanted) func eightTasksShareARenderer(worker: Worker) async throws {
        let renderer = try worker.renderer()
        let cases = try Self.cases(renderer)
        await withTaskGroup(of: Void.self) { group in
            for (n, one) in cases.enumerated() {
                group.addTask {
                    for round in 0..<6 {
                        do {
                            let rendered = try await renderer.blur(one.image, one.effect)
                            #expect(rendered.image == one.expected, "task \(n), round \(round)")
                            #expect(rendered.report.backend.rawValue == worker.rawValue)
                        } catch {
                            Issue.record("task \(n), round \(round): \(error)")
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: Backends.wanted(.cpu, .gpu, .exact)) func theAsynchronousResultIsTheSame(backend: Backend)
        async throws
    {
        let renderer = try backend == .gpu ? TestGPU.renderer() : Renderer(backend: backend)
        let image = try TestImage.noise(70, 50)
        let effect = try GaussianBlur(sigma: 4, edge: .clear)
        let region = Rect(x: -5, y: 3, width: 60, height: 60)
        let expected = try now(renderer, image, effect, region)
        let rendered = try await renderer.blur(image, effect, region: region)
        #expect(rendered.image == expected.image)
        #expect(rendered.report.backend == backend)
        #expect(rendered.report.reason == expected.report.reason)
    }

    @Test func theAsynchronousErrorIsTheSame() async throws {
        let renderer = try Renderer(backend: .cpu)
        let image = try TestImage.noise(7, 5)
        let effect = try GaussianBlur(sigma: 4)
        await #expect(throws: FrostError.pixels(.emptyImage(width: 0, height: 1))) {
            try await renderer.blur(image, effect, region: Rect(x: 0, y: 0, width: 0, height: 1))
        }
    }

    @Test(arguments: Backends.wanted(.cpu, .gpu, .exact)) func aCancelledTaskThrows(backend: Backend) async throws {
        let renderer = try backend == .gpu ? TestGPU.renderer() : Renderer(backend: backend)
        let image = try TestImage.noise(300, 300)
        let effect = try GaussianBlur(sigma: 9)
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await renderer.blur(image, effect).report
        }
        await #expect(throws: FrostError.cancelled) { try await task.value }
        // The next blur after a cancellation succeeds.
        #expect(try await renderer.blur(image, effect).report.backend == backend)
    }

    @Test(arguments: Backends.wanted(.cpu, .gpu, .exact)) func cancellationBeforehand(backend: Backend) throws {
        let renderer = try backend == .gpu ? TestGPU.renderer() : Renderer(backend: backend)
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(throws: FrostError.cancelled) {
            try renderer.blurNow(TestImage.noise(300, 300), GaussianBlur(sigma: 9), cancellation: cancellation)
        }
    }

    /// The work takes a minute, so the error shows that a task's cancellation reaches work that has begun. `CancellationTests`
    /// counts how much work follows.
    @Test func cancellingStopsTheWork() async throws {
        let renderer = try Renderer(backend: .exact, threads: 1)
        let image = try TestImage.noise(1500, 1500)
        let effect = try GaussianBlur(sigma: 300)
        let task = Task { try await renderer.blur(image, effect).report }
        try await Task.sleep(for: .milliseconds(60))
        task.cancel()
        await #expect(throws: FrostError.cancelled) { try await task.value }
    }

    private func now(_ renderer: Renderer, _ image: PixelBuffer, _ effect: GaussianBlur, _ region: Rect) throws
        -> Rendered
    {
        try renderer.blurNow(image, effect, region: region)
    }
}
