import Dispatch
import Frost
import FrostCore
import FrostTestSupport
import Synchronization
import Testing

/// Tests sixteen threads, each with its own renderer. `Tests/acceptance/library.py` runs the same test in C, with a thousand
/// images per thread.
@Suite struct ManyRenderersTests {
    @Test func mixedBackendsSideBySide() throws {
        let image = try TestImage.noise(64, 48)
        let effects = try [1, 4, 11].map { Effect(try GaussianBlur(sigma: $0, edge: .mirror)) }
        let backends = Backends.wanted(.cpu, .gpu)
        let expected = try backends.map { backend in
            let renderer = try backend == .gpu ? TestGPU.renderer() : Renderer(backend: backend)
            return try effects.map { try renderer.renderNow(image, $0).image }
        }
        let wrong = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 16) { n in
            // Only one of four renderers uses the GPU, because opening a software context takes 50 ms.
            let which = n % 4 == 3 ? backends.count - 1 : 0
            do {
                let renderer = try Renderer(backend: backends[which], threads: 1 + n % 3)
                let queue = try RenderQueue(renderer, depth: 4)
                var tickets: [RenderTicket<Rendered>] = []
                for job in 0..<24 {
                    if tickets.count == 4 {
                        let rendered = try tickets.removeFirst().wait()
                        guard rendered.image == expected[which][(job - 4) % 3] else { throw FrostError.cancelled }
                    }
                    tickets.append(try queue.submit(image, effects[job % 3]))
                }
                for (job, ticket) in zip(20..<24, tickets) {
                    guard try ticket.wait().image == expected[which][job % 3] else { throw FrostError.cancelled }
                }
            } catch {
                wrong.withLock { $0.append("thread \(n): \(error)") }
            }
        }
        #expect(wrong.withLock { $0 } == [])
    }
}
