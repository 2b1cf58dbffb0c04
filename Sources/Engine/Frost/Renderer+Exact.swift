public import FrostCore
import FrostCPU
import FrostExact

extension Renderer {
    func exact(
        _ effect: Effect, _ plan: Plan, source: PixelSource, mask: MaskImage?, target: PixelTarget,
        cancellation: Cancellation?
    ) throws(FrostError) -> RenderReport {
        try unsafe rethrow(plan.check(source: source.layout, target: target.layout), as: FrostError.pixels)
        if let format = unsafe effect.formatWithAlpha(source.layout.format), !plan.isCopy {
            let image = try unsafe copy(source, format: format)
            return try unsafe image.withUnsafeBytes { (bytes) throws(FrostError) in
                guard let base = bytes.baseAddress else { throw .pixels(.tooFewBytes(have: 0, need: 1)) }
                return try unsafe exact(
                    effect, plan, source: PixelSource(base, layout: image.layout), mask: mask, target: target,
                    cancellation: cancellation)
            }
        }
        let report = RenderReport(backend: .exact, reason: "as requested", errorBound: 0)
        if plan.isCopy {
            // An effect that changes nothing must keep even the colour of transparent pixels, so the CPU copies the pixels.
            _ = try unsafe onCPU(
                plan, source: source, mask: nil, target: target, reason: "", cancellation: cancellation)
            return report
        }
        do throws(ExactError) {
            let image = try unsafe ExactEffect.render(
                effect, source: source, extent: plan.extent, region: plan.region, mask: mask, threads: threads,
                cancellation: cancellation)
            try unsafe image.write(to: target, threads: threads, cancellation: cancellation)
        } catch {
            throw FrostError(error)
        }
        return report
    }

    /// Converts an image to another format with the same sample type and the same colour channels, for example to add alpha.
    ///
    /// - Throws: ``FrostError/pixels(_:)`` if the two formats are not compatible, and ``FrostError/outOfMemory(bytes:)``.
    public func copy(_ image: PixelBuffer, format: PixelFormat) throws(FrostError) -> PixelBuffer {
        try unsafe image.withUnsafeBytes { (bytes) throws(FrostError) in
            guard let base = bytes.baseAddress else { throw .pixels(.tooFewBytes(have: 0, need: 1)) }
            return try unsafe copy(PixelSource(base, layout: image.layout), format: format)
        }
    }

    private func copy(_ source: PixelSource, format: PixelFormat) throws(FrostError) -> PixelBuffer {
        let extent = unsafe source.layout.extent
        let plan = Plan(extent: extent, region: extent, work: .copy, errorBound: 0)
        let layout = try rethrow(
            PixelLayout(width: extent.width, height: extent.height, format: format), as: FrostError.pixels)
        return try unsafe PixelBuffer(layout: layout) { (to) throws(FrostError) in
            guard let target = to.baseAddress else { return }
            _ = try unsafe onCPU(
                plan, source: source, mask: nil, target: PixelTarget(target, layout: layout), reason: "",
                cancellation: nil)
        }
    }

    /// Computes the exact result of a Gaussian blur. The result is not rounded to any format. ``Comparison`` compares the
    /// results of backends with this result.
    ///
    /// - Throws: ``FrostError``.
    public func exact(
        _ image: PixelBuffer, _ effect: GaussianBlur, cancellation: Cancellation? = nil
    ) throws(FrostError) -> SampleRows {
        try exact(image, Effect(effect), cancellation: cancellation)
    }

    /// Computes the exact result of an effect. The result is not rounded to any format, and therefore not dithered.
    ///
    /// - Parameters:
    ///   - image: the image to read.
    ///   - effect: the effect to apply.
    ///   - mask: the mask image, for effects whose mask is an image.
    ///   - cancellation: cancels the call from another thread.
    /// - Throws: ``FrostError``.
    public func exact(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage? = nil, cancellation: Cancellation? = nil
    ) throws(FrostError) -> SampleRows {
        try rethrow(effect.check(mask), as: FrostError.parameter)
        let image =
            try effect.formatWithAlpha(image.format).map { (format) throws(FrostError) in
                try copy(image, format: format)
            } ?? image
        let extent = image.layout.extent
        return try exact(
            image, effect, mask: mask, from: extent, extent: extent, region: effect.region(extent: extent),
            cancellation: cancellation)
    }

    /// Computes the exact result of an effect within rectangles; all other pixels of the image are unchanged. Tests compare
    /// ``render(_:_:within:isBounded:mask:maskPlacement:accuracy:cancellation:)`` with this result.
    ///
    /// - Parameter isBounded: whether the effect treats each rectangle as the whole image, as if the image ended at the
    ///   rectangle's edges. If such rectangles overlap, each of them is computed from the image, not from the results of
    ///   earlier rectangles.
    package func exact(
        _ image: PixelBuffer, _ effect: Effect, within rects: [RoundedRect], isBounded: Bool, mask: MaskImage?,
        maskPlacement: MaskPlacement = .rect
    ) throws(FrostError) -> SampleRows {
        try rethrow(effect.check(mask), as: FrostError.parameter)
        let extent = image.layout.extent
        let channels = effect.outputFormat(for: image.format).channels.canonical
        let original = SampleRows(image).expanded(to: channels)
        var rows = (0..<image.height).map { original[$0] }
        func add(_ effect: Effect, of whole: Rect, in place: Rect) throws(FrostError) {
            let placed = PlacedEffect(effect, in: place)
            let result = try exact(
                image, placed.effect, mask: mask, from: whole, extent: placed.moved(whole), region: placed.moved(place)
            ).expanded(to: channels)
            for run in placed.runs {
                let first = (run.x - place.x) * channels.count
                for y in run.rows {
                    let row = result[y - place.y]
                    rows[y].replaceSubrange(
                        run.x * channels.count..<(run.x + run.width) * channels.count,
                        with: row[first..<first + run.width * channels.count])
                }
            }
        }
        let isInverted = effect.outputStages.clipRule.isInverted
        for rect in rects {
            guard let inside = rect.bounds.intersection(extent) else {
                throw .parameter(.outsideImage(rect.bounds, image: extent))
            }
            guard !isInverted else { continue }
            let panel = effect.panel(rect, of: isBounded ? [rect] : rects, maskPlacement)
                .keyed(by: secretKey, for: .pictures).keyed(at: rect.bounds)
            try add(panel, of: isBounded ? inside : extent, in: inside)
        }
        if isInverted {
            let outside = effect.outside(rects).keyed(by: secretKey, for: .pictures).keyed(at: extent)
            try add(outside, of: extent, in: extent)
        }
        for shapes in isInverted ? [] : isBounded ? rects.map({ [$0] }) : [rects] {
            for (rect, effect) in effect.partsBeside(shapes, in: extent, maskPlacement) {
                let result = try exact(
                    image, effect, mask: effect.mask == nil ? nil : mask, from: extent, extent: extent, region: rect
                ).expanded(to: channels)
                for y in rect.rows {
                    let samples = rect.x * channels.count..<(rect.x + rect.width) * channels.count
                    rows[y].replaceSubrange(samples, with: result[y - rect.y])
                }
            }
        }
        let result = rows
        return SampleRows(width: image.width, height: image.height, channels: channels) { result[$0] }
    }

    /// Computes the exact result for a part of an image; see ``render(_:_:mask:from:extent:region:in:accuracy:cancellation:)``.
    private func exact(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage?, from part: Rect, extent: Rect, region: Rect,
        cancellation: Cancellation? = nil
    ) throws(FrostError) -> SampleRows {
        let layout = try rethrow(
            PixelLayout(
                width: part.width, height: part.height, format: image.format, bytesPerRow: image.layout.bytesPerRow),
            as: FrostError.pixels)
        let offset = part.y * image.layout.bytesPerRow + part.x * image.format.bytesPerPixel
        return try unsafe image.withUnsafeBytes { (bytes) throws(FrostError) in
            guard let base = bytes.baseAddress else { throw .pixels(.tooFewBytes(have: 0, need: 1)) }
            do throws(ExactError) {
                return try unsafe ExactEffect.render(
                    effect, source: PixelSource(base + offset, layout: layout), extent: extent, region: region,
                    mask: mask, threads: threads, cancellation: cancellation
                ).rows
            } catch {
                throw FrostError(error)
            }
        }
    }
}

extension Effect {
    /// Returns the format with alpha that a source needs whose result is larger and transparent beside it, because a blur that
    /// copies every pixel adds no alpha by itself; nil if it needs none.
    fileprivate func formatWithAlpha(_ format: PixelFormat) -> PixelFormat? {
        guard growth > 0, !format.channels.hasAlpha, outputFormat(for: format).channels.hasAlpha else { return nil }
        var format = format
        format.channels = format.channels.addingAlpha
        return format
    }
}

extension FrostError {
    init(_ error: ExactError) {
        switch error {
        case .cancelled: self = .cancelled
        case .pixels(let error): self = .pixels(error)
        case .parameter(let error): self = .parameter(error)
        }
    }
}
