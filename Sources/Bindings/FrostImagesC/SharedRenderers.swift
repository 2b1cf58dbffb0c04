import Frost
import FrostCSupport
import FrostThreads

/// The renderers that all calls share, one for each number of threads. A renderer remembers its recent plans.
enum SharedRenderers {
    private static let renderers = Lock<[Int: Renderer]>([:])

    /// Returns the renderer for a number of threads, 1 to 256; 0 for the default.
    static func renderer(threads: Int) throws(Failure) -> Renderer {
        if let known = renderers.withLock({ $0[threads] }) { return known }
        let renderer = try failing { () throws(FrostError) in
            try Renderer(backend: .cpu, threads: threads == 0 ? nil : threads)
        }
        renderers.withLock { $0[threads] = renderer }
        return renderer
    }
}
