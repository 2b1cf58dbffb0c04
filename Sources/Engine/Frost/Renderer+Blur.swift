public import FrostCore

// Gaussian blurs, in the three forms in which the renderer applies effects.

extension Renderer {
    /// Blurs an image: see ``render(_:_:mask:region:accuracy:cancellation:)``. The default region is the whole image.
    ///
    /// - Throws: ``FrostError``. With ``Backend/auto`` the CPU replaces a GPU that fails, and the report states this.
    public func blur(
        _ image: PixelBuffer, _ effect: GaussianBlur, region: Rect? = nil, accuracy: Accuracy? = nil,
        cancellation: Cancellation? = nil
    ) throws(FrostError) -> Rendered {
        try render(image, Effect(effect), region: region, accuracy: accuracy, cancellation: cancellation)
    }

    /// Blurs an image without blocking a thread of Swift's concurrency pool. Cancelling the task stops the work.
    ///
    /// - Throws: like ``blur(_:_:region:accuracy:cancellation:)``.
    public func blur(
        _ image: PixelBuffer, _ effect: GaussianBlur, region: Rect? = nil, accuracy: Accuracy? = nil
    ) async throws(FrostError) -> Rendered {
        try await render(image, Effect(effect), region: region, accuracy: accuracy)
    }

    /// Blurs pixels in memory that the caller owns: see ``render(_:_:mask:region:into:accuracy:cancellation:)``.
    ///
    /// - Throws: ``FrostError``; the target's contents are undefined after an error.
    @unsafe public func blur(
        _ source: PixelSource, _ effect: GaussianBlur, region: Rect? = nil, into target: PixelTarget,
        accuracy: Accuracy? = nil, cancellation: Cancellation? = nil
    ) throws(FrostError) -> RenderReport {
        try unsafe render(
            source, Effect(effect), region: region, into: target, accuracy: accuracy, cancellation: cancellation)
    }
}
