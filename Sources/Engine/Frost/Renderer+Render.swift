public import FrostCore
import FrostLog
import FrostThreads

// Effects and plain Gaussian blurs, each in three forms: of an image, without blocking, and in memory that the caller owns.

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
        let call = AwaitedRender(self, image, Effect(effect), mask: nil, region: region, accuracy: accuracy)
        await call.done()
        return try call.result()
    }

    /// Blurs an image with a Gaussian of a standard deviation in pixels: see
    /// ``render(_:_:mask:region:accuracy:cancellation:)``.
    ///
    /// - Throws: ``FrostError``, with ``ParameterError/outOfRange(parameter:value:allowed:)`` for a sigma outside 0...1000.
    public func blur(
        _ image: PixelBuffer, sigma: Double, edge: EdgeMode = .clamp
    ) throws(FrostError) -> Rendered {
        try render(image, rethrow(Effect.gaussian(sigma, edge: edge), as: FrostError.parameter))
    }

    /// Blurs an image with a Gaussian, without blocking a thread of Swift's concurrency pool. Cancelling the task stops the
    /// work.
    ///
    /// - Throws: like ``blur(_:sigma:edge:)``.
    public func blur(
        _ image: PixelBuffer, sigma: Double, edge: EdgeMode = .clamp
    ) async throws(FrostError) -> Rendered {
        let call = try awaited(image, sigma: sigma, edge: edge)
        await call.done()
        return try call.result()
    }

    @inline(never)
    private func awaited(
        _ image: PixelBuffer, sigma: Double, edge: EdgeMode
    ) throws(FrostError) -> AwaitedRender {
        let effect = try rethrow(Effect.gaussian(sigma, edge: edge), as: FrostError.parameter)
        return AwaitedRender(self, image, effect, mask: nil, region: nil, accuracy: nil)
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

extension Renderer {
    /// Applies an effect to an image.
    ///
    /// - Parameters:
    ///   - image: the image to read.
    ///   - effect: the effect to apply.
    ///   - mask: the mask image, for effects whose mask is an image. Frost stretches the mask over the image.
    ///   - region: the region to compute, in the image's pixels. The region may extend outside the image. The default is the
    ///     effect's region, which is the whole image or a larger rectangle.
    ///   - accuracy: the maximum distance from the exact effect; by default the accuracy that suits the image's
    ///     samples.
    ///   - cancellation: cancels the call from another thread.
    /// - Returns: an image of the region's size, in the format of ``Effect/outputFormat(for:)``.
    /// - Throws: ``FrostError``. With ``Backend/auto`` the CPU replaces a GPU that fails, and the report states this.
    public func render(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage? = nil, region: Rect? = nil,
        accuracy: Accuracy? = nil, cancellation: Cancellation? = nil
    ) throws(FrostError) -> Rendered {
        let extent = image.layout.extent
        let region = region ?? effect.region(extent: extent)
        guard !region.isEmpty else { throw .pixels(.emptyImage(width: region.width, height: region.height)) }
        return try render(
            image, effect, mask: mask, from: extent, extent: extent, region: region,
            in: effect.outputFormat(for: image.format), accuracy: accuracy, cancellation: cancellation)
    }

    /// Applies an effect without blocking a thread of Swift's concurrency pool. Cancelling the task stops the work, or ends
    /// the call at once if it has not begun: at most as many calls as there are processors are at work in a process, and the
    /// others wait in their order.
    ///
    /// - Throws: like ``render(_:_:mask:region:accuracy:cancellation:)``.
    public func render(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage? = nil, region: Rect? = nil, accuracy: Accuracy? = nil
    ) async throws(FrostError) -> Rendered {
        let call = AwaitedRender(self, image, effect, mask: mask, region: region, accuracy: accuracy)
        await call.done()
        return try call.result()
    }

    /// Applies an effect to pixels in memory that the caller owns.
    ///
    /// - Parameters:
    ///   - source: the pixels to read. The top left pixel is at the origin.
    ///   - effect: the effect to apply.
    ///   - mask: the mask image, for effects whose mask is an image.
    ///   - region: the rectangle to compute, in the source's pixels; by default the effect's region.
    ///   - target: the memory for the result. It must have the region's size. Its format must have the source's sample type
    ///     and colour channels, alpha if the source has alpha, and colour if the effect tints a grey source. The channel order
    ///     and the alpha mode may differ from the source's. In the format ``Effect/outputFormat(for:)`` no information is lost.
    ///     The target may be the source's memory if the layout is the same and the region is the whole image. Otherwise source
    ///     and target must not share any pixel.
    ///   - accuracy: the maximum distance from the exact effect; by default the accuracy that suits the image's samples.
    ///   - cancellation: cancels the call from another thread.
    /// - Throws: ``FrostError``; the target's contents are undefined after an error.
    @unsafe public func render(
        _ source: PixelSource, _ effect: Effect, mask: MaskImage? = nil, region: Rect? = nil,
        into target: PixelTarget, accuracy: Accuracy? = nil, cancellation: Cancellation? = nil
    ) throws(FrostError) -> RenderReport {
        try unsafe render(
            source, extent: source.layout.extent, effect, mask: mask, region: region, into: target, accuracy: accuracy,
            cancellation: cancellation)
    }

    /// Applies an effect to a part of an image.
    ///
    /// - Parameters:
    ///   - part: the part in the image's pixels. The effect treats it as the whole image.
    ///   - extent: the same rectangle in the coordinates of the effect and of the region.
    func render(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage?, from part: Rect, extent: Rect, region: Rect,
        in format: PixelFormat, accuracy: Accuracy?, cancellation: Cancellation?
    ) throws(FrostError) -> Rendered {
        let source = try rethrow(
            PixelLayout(
                width: part.width, height: part.height, format: image.format, bytesPerRow: image.layout.bytesPerRow),
            as: FrostError.pixels)
        let target = try rethrow(
            PixelLayout(width: region.width, height: region.height, format: format), as: FrostError.pixels)
        let offset = part.y * image.layout.bytesPerRow + part.x * image.format.bytesPerPixel
        var report: RenderReport?
        let result = try unsafe image.withUnsafeBytes { (from) throws(FrostError) in
            try unsafe PixelBuffer(layout: target) { (to) throws(FrostError) in
                guard let base = from.baseAddress, let out = to.baseAddress else { return }
                report = try unsafe render(
                    PixelSource(base + offset, layout: source), extent: extent, effect, mask: mask, region: region,
                    into: PixelTarget(out, layout: target), accuracy: accuracy, cancellation: cancellation)
            }
        }
        guard let report else { throw .pixels(.emptyImage(width: target.width, height: target.height)) }
        return Rendered(image: result, report: report)
    }

    /// Applies an effect to a source in memory.
    ///
    /// - Parameter extent: the source's rectangle. The effect treats it as the whole image, even if the memory contains a
    ///   larger image.
    func render(
        _ source: PixelSource, extent: Rect, _ effect: Effect, mask: MaskImage?, region: Rect?,
        into target: PixelTarget, accuracy: Accuracy?, cancellation: Cancellation?
    ) throws(FrostError) -> RenderReport {
        let clock = ContinuousClock()
        let start = clock.now
        let accuracy = unsafe accuracy ?? .suited(to: source.layout.format.sample)
        let region = region ?? effect.region(extent: extent)
        let effect = try unsafe effect.keyed(by: secretKey, for: .pictures)
            .decidingContent(of: source, extent: extent, region: region)
        guard unsafe target.canReplace(source, isWhole: region == extent) else { throw .pixels(.overlap) }
        if let parts = unsafe shownParts(effect, extent: extent, region: region, source, target) {
            return try unsafe render(
                parts, of: region, source, extent: extent, mask: mask, into: target, accuracy: accuracy,
                cancellation: cancellation)
        }
        let plan = try plans.plan(effect, extent: extent, region: region, accuracy: accuracy, mask: mask)
        var report: RenderReport
        if backend == .exact {
            report = try unsafe exact(
                effect, plan, source: source, mask: mask, target: target, cancellation: cancellation)
        } else {
            report = try unsafe execute(
                effect, plan, accuracy: accuracy, source: source, mask: mask, target: target, cancellation: cancellation
            )
        }
        let total = (clock.now - start).milliseconds
        report.contrast = unsafe effect.reachedContrast(in: target, extent: extent, region: region)
        report.blurMilliseconds = max(0, total - report.uploadMilliseconds - report.readbackMilliseconds)
        Log.write(
            .debug,
            "\(effect.name), \(region.width)x\(region.height): \(report.device ?? "\(report.backend)"), \(report.reason)"
        )
        return report
    }
}
