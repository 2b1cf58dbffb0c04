import FrostCore
import FrostThreads

/// One image in a render queue.
///
/// Thread safety: may be used from any thread.
final class RenderJob: Sendable {
    /// A function that renders the image, or only reports a cancellation if the image is no longer wanted. It returns a
    /// function that delivers the result.
    typealias Body = @Sendable (_ isWanted: Bool) -> Delivery
    typealias Delivery = @Sendable () -> Void

    let cancellation: Cancellation
    /// The work, until a worker takes it. This property is then set to nil, which frees the pixels and the ticket that the
    /// work holds.
    private let work = Lock<Body?>(nil)

    init(_ cancellation: Cancellation) { self.cancellation = cancellation }

    func prepare(_ work: @escaping Body) { self.work.withLock { $0 = work } }

    /// Renders the image. Call this method only once.
    func run() -> Delivery {
        let taken = work.withLock { work in
            defer { work = nil }
            return work
        }
        guard let taken else { return {} }
        return delayingForks { taken(!cancellation.isCancelled) }
    }

    /// Releases the work without doing it, because nobody will request its result.
    func drop() { work.withLock { $0 = nil } }
}
