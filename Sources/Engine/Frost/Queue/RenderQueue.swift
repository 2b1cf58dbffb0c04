public import Dispatch
public import FrostCore

/// Renders images in the background. Submitting an image returns immediately, and several images are in progress at the same
/// time.
///
/// Images are begun in the order of submission, and may finish in another order. On a GPU one image is drawn while the next
/// is uploaded and the previous one is read back. On the CPU several images are computed at the same time. The resulting
/// pixels are the same as those of ``Renderer``.
///
/// Results are available by `await`, completion handler, waiting or polling: see ``render(_:_:mask:region:accuracy:)`` and
/// ``RenderTicket``. Submitted images are finished even if the program releases the queue and the tickets.
///
/// A queue belongs to the process that created it. In the child of a fork it accepts no images.
///
/// Thread safety: may be used from any thread, including completion handlers.
///
/// ```swift
/// let queue = try RenderQueue(renderer, depth: 4)
/// let result = try await queue.render(picture, effect)  // waits if four images are not done
/// let ticket = try queue.submit(picture, effect)        // throws FrostError.busy if four images are not done
/// ```
///
/// Cost: submitting takes microseconds. At most ``depth`` images are in memory.
public final class RenderQueue: Sendable {
    /// The renderer that the queue was created with.
    public let renderer: Renderer
    /// A copy of the renderer that is set up for several images at a time.
    private let worker: Renderer
    private let line: RenderLine

    /// The range of allowed values for ``depth``.
    public static let allowedDepths = 1...1024

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - renderer: the renderer for all images of the queue.
    ///   - depth: the maximum number of images that are submitted and not done. This number limits the memory use and the
    ///     delay.
    ///   - concurrency: the number of images in progress at a time; by default the number that suits the renderer's backend.
    ///     With 1, images are finished in the order of submission.
    /// - Throws: ``FrostError/parameter(_:)`` if the depth is outside 1...1024, or if the concurrency is outside the range
    ///   from 1 to the depth; ``FrostError/noThread(_:)`` if the system makes no thread.
    public init(_ renderer: Renderer, depth: Int = 8, concurrency: Int? = nil) throws(FrostError) {
        func check(_ name: String, _ value: Int, _ allowed: ClosedRange<Int>) throws(FrostError) {
            guard !allowed.contains(value) else { return }
            throw .parameter(
                .outOfRange(
                    parameter: name, value: Double(value),
                    allowed: Double(allowed.lowerBound)...Double(allowed.upperBound)))
        }
        try check("depth", depth, Self.allowedDepths)
        let concurrency = concurrency ?? min(depth, renderer.concurrency)
        try check("concurrency", concurrency, 1...depth)
        self.renderer = renderer
        worker = renderer.overlapping
        line = try RenderLine(depth: depth, concurrency: concurrency)
    }

    deinit { line.close() }

    /// The maximum number of images that are submitted and not done.
    public var depth: Int { line.depth }
    /// The maximum number of images in progress at a time. If the system refuses threads, fewer images are in progress.
    public var concurrency: Int { line.concurrency }
    /// The number of images that are submitted and not done.
    public var count: Int { line.count }

    /// Submits an image. The parameters are those of ``Renderer/render(_:_:mask:region:accuracy:cancellation:)``; the ticket
    /// throws the errors of that method.
    ///
    /// - Parameters:
    ///   - image: the image to read.
    ///   - effect: the effect to apply.
    ///   - mask: the mask, for effects whose mask is an image.
    ///   - region: the rectangle to compute, in the image's pixels; by default the effect's region.
    ///   - accuracy: the maximum distance from the exact effect; by default the accuracy that suits the image's samples.
    ///   - cancellation: cancels the call from another thread.
    ///   - queue: the dispatch queue that calls the completion handler. By default, a thread of the render queue calls the
    ///     handler, before any caller that waits for the ticket continues. When the handler is called, the image's place in
    ///     the render queue is already free.
    ///   - completion: a handler that receives the result.
    /// - Throws: ``FrostError/busy(depth:)``, or ``FrostError/forked`` in the child of a fork.
    @discardableResult
    public func submit(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage? = nil, region: Rect? = nil, accuracy: Accuracy? = nil,
        cancellation: Cancellation? = nil, on queue: DispatchQueue? = nil,
        completion: (@Sendable (Result<Rendered, FrostError>) -> Void)? = nil
    ) throws(FrostError) -> RenderTicket<Rendered> {
        let worker = worker
        return try add(cancellation, queue, completion) { cancellation throws(FrostError) in
            try worker.render(
                image, effect, mask: mask, region: region, accuracy: accuracy, cancellation: cancellation)
        }
    }

    /// Submits an image as soon as the queue has a place, and returns its result. Cancelling the task cancels the image, or ends
    /// the wait for a place. The parameters are those of ``Renderer/render(_:_:mask:region:accuracy:cancellation:)``.
    ///
    /// - Throws: the errors of that method, and ``FrostError/forked``.
    public func render(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage? = nil, region: Rect? = nil, accuracy: Accuracy? = nil
    ) async throws(FrostError) -> Rendered {
        var hasWaited = false
        while true {
            if Task.isCancelled {
                // A place that this task was offered is for the next one.
                line.admit()
                throw .cancelled
            }
            var ticket: RenderTicket<Rendered>?
            do throws(FrostError) {
                ticket = try submit(image, effect, mask: mask, region: region, accuracy: accuracy)
            } catch {
                guard case .busy = error else { throw error }
            }
            if let ticket { return try await ticket.value }
            await line.waitForRoom(isFirst: hasWaited)
            hasWaited = true
        }
    }

    /// Submits pixels in memory that the caller owns. Until the ticket is done, the memory must stay valid, the source must
    /// stay unchanged, and the target must not be used. Apart from this, the call is like
    /// ``submit(_:_:mask:region:accuracy:cancellation:on:completion:)`` and
    /// ``Renderer/render(_:_:mask:region:into:accuracy:cancellation:)``.
    @unsafe @discardableResult
    public func submit(
        _ source: PixelSource, _ effect: Effect, mask: MaskImage? = nil, region: Rect? = nil, into target: PixelTarget,
        accuracy: Accuracy? = nil, cancellation: Cancellation? = nil, on queue: DispatchQueue? = nil,
        completion: (@Sendable (Result<RenderReport, FrostError>) -> Void)? = nil
    ) throws(FrostError) -> RenderTicket<RenderReport> {
        let worker = worker
        let pixels = unsafe LentPixels(source: source, target: target)
        return try add(cancellation, queue, completion) { cancellation throws(FrostError) in
            try unsafe worker.render(
                pixels.source, effect, mask: mask, region: region, into: pixels.target, accuracy: accuracy,
                cancellation: cancellation)
        }
    }

    private func add<Value>(
        _ cancellation: Cancellation?, _ queue: DispatchQueue?,
        _ completion: (@Sendable (Result<Value, FrostError>) -> Void)?,
        _ work: @escaping @Sendable (Cancellation) throws(FrostError) -> Value
    ) throws(FrostError) -> RenderTicket<Value> {
        let job = RenderJob(Cancellation(under: cancellation))
        let ticket = RenderTicket<Value>(job, line)
        job.prepare { isWanted in
            let result = Result { () throws(FrostError) in
                guard isWanted else { throw .cancelled }
                return try work(job.cancellation)
            }
            return {
                ticket.finish(result) {
                    guard let completion else { return }
                    if let queue { queue.async { completion(result) } } else { completion(result) }
                }
            }
        }
        do throws(FrostError) {
            try line.add(job)
        } catch {
            job.drop()
            ticket.finish(.failure(error)) {}
            throw error
        }
        return ticket
    }

    /// Cancels all images that are not done: see ``RenderTicket/cancel()``.
    public func cancelAll() { line.cancelAll() }

    /// Whether this process is a child of a fork, in which the queue has no threads.
    package var isForked: Bool { line.isForked }

    /// Waits until all images are done and all completion handlers of the render queue have returned. Returns immediately if
    /// the method is called from such a handler, or in the child of a fork, which has none of the queue's threads.
    public func waitUntilIdle() { line.waitUntilIdle() }
}

/// SAFETY: the caller of ``RenderQueue/submit(_:_:mask:region:into:accuracy:cancellation:on:completion:)`` lends source and
/// target until the ticket is done, and only one worker uses them.
@safe private struct LentPixels: @unchecked Sendable {
    let source: PixelSource
    let target: PixelTarget
}
