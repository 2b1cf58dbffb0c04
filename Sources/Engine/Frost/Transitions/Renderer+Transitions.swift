public import FrostCore
import FrostCPU
import FrostExact
import FrostGPU

/// The extra images of a transition: see ``Transition/extraImages``.
public struct TransitionExtraImages: Sendable {
    /// The mask, which is stretched over the extent.
    public var mask: MaskImage?
    /// The picture of a shaded sphere.
    public var shading: PixelBuffer?
    /// The back of a page.
    public var backside: PixelBuffer?

    /// Creates a set of extra images.
    public init(mask: MaskImage? = nil, shading: PixelBuffer? = nil, backside: PixelBuffer? = nil) {
        self.mask = mask
        self.shading = shading
        self.backside = backside
    }
}

extension Renderer {
    /// Computes one frame of a transition.
    ///
    /// - Parameters:
    ///   - transition: the transition.
    ///   - time: 0 to 1.
    ///   - source: the image at time 0.
    ///   - target: the image at time 1, with the source's sample type. It may have another size.
    ///   - extraImages: the extra images, with the source's sample type.
    ///   - region: the rectangle to compute, in pixels from the images' top left corners; by default the smallest rectangle
    ///     that contains both images.
    ///   - cancellation: cancels the call from another thread.
    /// - Returns: an image of the region's size, in the format of ``Transition/outputFormat(from:to:extraFormats:)``. At time 0 and
    ///   1 it has the bytes of the source or the target.
    /// - Throws: ``FrostError``; in particular ``ParameterError/outOfRange(parameter:value:allowed:)`` for a time outside
    ///   0...1 and ``ParameterError/extraImage(_:needed:)``. With ``Backend/auto`` the CPU renders all transitions.
    public func render(
        _ transition: Transition, at time: Double, from source: PixelBuffer, to target: PixelBuffer,
        extraImages: TransitionExtraImages = TransitionExtraImages(), region: Rect? = nil,
        cancellation: Cancellation? = nil
    ) throws(FrostError) -> Rendered {
        let canvas = source.layout.extent.hull(target.layout.extent)
        let format = try rethrow(
            transition.outputFormat(
                from: source.layout, to: target.layout,
                extraFormats: [extraImages.shading, extraImages.backside].compactMap { $0?.format }),
            as: FrostError.pixels)
        let region = region ?? canvas
        let layout = try rethrow(
            PixelLayout(width: region.width, height: region.height, format: format), as: FrostError.pixels)
        var report: RenderReport?
        // SAFETY: all images have the bytes of their layouts, and are used only during the call.
        let image = try unsafe source.withUnsafeBytes { (from) throws(FrostError) in
            try unsafe target.withUnsafeBytes { (to) throws(FrostError) in
                try unsafe Self.withPixels(of: extraImages.shading) { (shading) throws(FrostError) in
                    try unsafe Self.withPixels(of: extraImages.backside) { (backside) throws(FrostError) in
                        try unsafe PixelBuffer(layout: layout) { (out) throws(FrostError) in
                            guard let from = from.baseAddress, let to = to.baseAddress, let out = out.baseAddress else {
                                return
                            }
                            let images = unsafe TransitionImages(
                                source: PixelSource(from, layout: source.layout),
                                target: PixelSource(to, layout: target.layout), backside: backside, shading: shading)
                            report = try unsafe render(
                                transition, at: time, images, mask: extraImages.mask, region: region,
                                into: PixelTarget(out, layout: layout), cancellation: cancellation)
                        }
                    }
                }
            }
        }
        guard let report else { throw .pixels(.tooFewBytes(have: 0, need: 1)) }
        return Rendered(image: image, report: report)
    }

    /// Computes one frame of a transition from pixels in memory that the caller owns: see
    /// ``render(_:at:from:to:extraImages:region:cancellation:)``.
    ///
    /// - Parameters:
    ///   - transition: the transition.
    ///   - time: 0 to 1.
    ///   - images: the images, which have the same sample type.
    ///   - mask: the mask, for transitions that use one.
    ///   - region: the rectangle to compute; by default the smallest rectangle that contains both images.
    ///   - output: the memory for the result. It must have the region's size and the images' sample type. Channels that it
    ///     does not have are dropped; in the format ``Transition/outputFormat(from:to:extraFormats:)`` no information is lost. It
    ///     must not share memory with an image.
    ///   - cancellation: cancels the call from another thread.
    /// - Throws: ``FrostError``; the output's contents are undefined after an error.
    @unsafe public func render(
        _ transition: Transition, at time: Double, _ images: TransitionImages, mask: MaskImage? = nil,
        region: Rect? = nil, into output: PixelTarget, cancellation: Cancellation? = nil
    ) throws(FrostError) -> RenderReport {
        let clock = ContinuousClock()
        let start = clock.now
        try unsafe check(transition, images, mask)
        let plan = try unsafe rethrow(
            transition.plan(
                at: time, from: images.source.layout.extent, to: images.target.layout.extent, region: region),
            as: FrostError.parameter)
        // The exact backend and the layers allocate memory for the region, so the output is checked before.
        try unsafe rethrow(plan.check(images, target: output), as: FrostError.pixels)
        var report = try unsafe execute(
            transition, at: time, plan, images: images, mask: mask, target: output, cancellation: cancellation)
        let total = (clock.now - start).milliseconds
        report.blurMilliseconds = max(0, total - report.uploadMilliseconds - report.readbackMilliseconds)
        return report
    }

    /// Executes a plan on the requested backend. The automatic choice is the CPU, because a transition needs little more time
    /// than a copy of its images, and a GPU would have to upload both.
    private func execute(
        _ transition: Transition, at time: Double, _ plan: TransitionPlan, images: TransitionImages,
        mask: MaskImage?, target output: PixelTarget, cancellation: Cancellation?
    ) throws(FrostError) -> RenderReport {
        var reason = "as requested"
        if backend == .exact, case .drawing = plan.work {
            do throws(ExactError) {
                let image = try unsafe ExactTransition.render(
                    transition, at: time, images: images, mask: mask, region: plan.region, threads: threads,
                    cancellation: cancellation)
                try unsafe image.write(to: output, threads: threads, cancellation: cancellation)
            } catch {
                throw FrostError(error)
            }
            return RenderReport(backend: .exact, reason: reason, errorBound: 0)
        }
        let layers = try unsafe rethrow(
            cpu.layers(of: plan, images: images, mask: mask, cancellation: cancellation),
            as: { (error: CPUError) in FrostError(error) })
        switch backend {
        case .cpu, .exact: break
        case .auto: reason = "a transition takes little longer than a copy of its images"
        case .gpu:
            guard case .drawing = plan.work else {
                reason = "the frame is a copy of an image"
                break
            }
            let attempt = try onGPU { (executor) throws(GPUError) in
                let tiles = unsafe TiledTransition(plan, images: images, side: executor.maximumTextureSize)
                let report = try unsafe tiles.execute(
                    on: executor, images: images, layers: layers, target: output, cancellation: cancellation)
                return gpuReport(report, executor, plan.errorBound, reason: reason)
            }
            switch attempt {
            case .done(let report): return report
            case .cpu(let why): throw gpu.isForked ? .forked : .deviceUnavailable(reason: why)
            }
        }
        try unsafe rethrow(
            cpu.execute(plan, images: images, layers: layers, target: output, cancellation: cancellation),
            as: { (error: CPUError) in FrostError(error) })
        // At the ends of a transition, the exact backend copies an image too, so that transparent pixels keep their colours.
        var report = RenderReport(
            backend: backend == .exact ? .exact : .cpu, reason: reason, errorBound: plan.errorBound)
        report.passes = backend == .exact ? 0 : 1
        return report
    }

    /// Checks that exactly those extra images are given that the transition can use, and that a mask is given if it needs
    /// one.
    private func check(
        _ transition: Transition, _ images: TransitionImages, _ mask: MaskImage?
    ) throws(FrostError) {
        let used = transition.extraImages
        let given: [(Transition.ExtraImage, Bool)] = unsafe [
            (.mask, mask != nil), (.shading, images.shading != nil), (.backside, images.backside != nil),
        ]
        for (image, isGiven) in given where isGiven && !used.contains(image) {
            throw .parameter(.extraImage(image.rawValue, needed: false))
        }
        if used.contains(.mask), mask == nil { throw .parameter(.extraImage("mask", needed: true)) }
    }

    /// Calls `body` with the pixels of an image, or with nil if there is no image.
    private static func withPixels<Result>(
        of image: PixelBuffer?, _ body: (PixelSource?) throws(FrostError) -> Result
    ) throws(FrostError) -> Result {
        guard let image else { return try body(nil) }
        return try unsafe image.withUnsafeBytes { (bytes) throws(FrostError) in
            try unsafe body(bytes.baseAddress.map { unsafe PixelSource($0, layout: image.layout) })
        }
    }
}
