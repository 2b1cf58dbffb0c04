import FrostCore
import FrostThreads

/// An asynchronous call of a renderer: its arguments, and its result when it is there.
///
/// It is an object, so that a call that waits takes little memory. The frame of an asynchronous function lives while it waits, and
/// would hold several copies of an effect and of a result, 2.5 KB. For the same reason, the functions that make a call and take
/// its result are not inlined.
final class AwaitedRender: Sendable {
    private let renderer: Renderer
    private let image: PixelBuffer
    private let effect: Effect
    private let mask: MaskImage?
    private let region: Rect?
    private let accuracy: Accuracy?
    private let cancellation = Cancellation()
    private let state = Lock(State())

    private struct State {
        /// The number of the call; nil before it is added.
        var number: UInt64?
        var result: Result<Rendered, FrostError>?
    }

    @inline(never)
    init(
        _ renderer: Renderer, _ image: PixelBuffer, _ effect: Effect, mask: MaskImage?, region: Rect?,
        accuracy: Accuracy?
    ) {
        (self.renderer, self.image, self.effect) = (renderer, image, effect)
        (self.mask, self.region, self.accuracy) = (mask, region, accuracy)
    }

    /// Makes the call, and waits without a thread until it is done. Cancelling the task cancels it.
    func done() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in start(continuation) }
        } onCancel: {
            cancellation.cancel()
            if let number = state.withLock({ $0.number }) { WaitingCalls.shared.cancel(number) }
        }
    }

    /// Returns the result of a call that is done.
    @inline(never)
    func result() throws(FrostError) -> Rendered {
        guard let result = state.withLock({ $0.result }) else { throw .cancelled }
        return try result.get()
    }

    private func start(_ continuation: CheckedContinuation<Void, Never>) {
        let number = WaitingCalls.shared.add { [self] isCancelled in
            let result = Result { () throws(FrostError) in
                if isCancelled { throw .cancelled }
                return try renderer.render(
                    image, effect, mask: mask, region: region, accuracy: accuracy, cancellation: cancellation)
            }
            state.withLock { $0.result = result }
            continuation.resume()
        }
        state.withLock { $0.number = number }
        // A cancellation that came before did not find the number.
        if cancellation.isCancelled { WaitingCalls.shared.cancel(number) }
    }
}
