import FrostCore

// A clipped effect changes only the pixels of its shapes. If they are a small part of the picture, only they are computed.

extension Renderer {
    /// Returns the parts of a region in which a clipped effect changes pixels, each with the effect that does; nil if the whole region is to be computed.
    ///
    /// The exact backend computes everything, so that the other backends are compared with a result that does not depend on
    /// this choice.
    func shownParts(
        _ effect: Effect, extent: Rect, region: Rect, _ source: PixelSource, _ target: PixelTarget
    ) -> [(rect: Rect, effect: Effect)]? {
        let clip = effect.outputStages.clip
        guard !clip.isEmpty, !effect.outputStages.clipRule.isInverted, backend != .exact,
            unsafe source.layout.format == target.layout.format,
            region.intersection(extent) == region
        else { return nil }
        // The bounds contain every pixel that a shape covers partly.
        var parts = clip.compactMap { shape in
            effect.outputStages.bounds(of: shape, among: clip).intersection(region).map { (rect: $0, effect: effect) }
        }
        parts += effect.shadowParts(of: clip, in: region)
        // Each part has its own cost, and reads pixels around it.
        let area = parts.reduce(0) { $0 + $1.rect.width * $1.rect.height }
        return 2 * area <= region.width * region.height ? parts : nil
    }

    /// Renders the given parts of a region, and copies all other pixels. The target may be the source's memory.
    func render(
        _ parts: [(rect: Rect, effect: Effect)], of region: Rect, _ source: PixelSource, extent: Rect,
        mask: MaskImage?, into target: PixelTarget, accuracy: Accuracy, cancellation: Cancellation?
    ) throws(FrostError) -> RenderReport {
        // All parts are computed before one is written, because the effect reads the original around each of them.
        var results: [(place: Rect, image: PixelBuffer)] = []
        var total: RenderReport?
        for (part, effect) in parts {
            var report: RenderReport?
            let layout = try rethrow(
                PixelLayout(width: part.width, height: part.height, format: unsafe target.layout.format),
                as: FrostError.pixels)
            let image = try unsafe PixelBuffer(layout: layout) { (memory) throws(FrostError) in
                guard let base = memory.baseAddress else { return }
                report = try unsafe render(
                    source, extent: extent, effect, mask: effect.mask == nil ? nil : mask, region: part,
                    into: PixelTarget(base, layout: layout), accuracy: accuracy, cancellation: cancellation)
            }
            results.append((part, image))
            guard let report else { continue }
            // The passes are those of the effect's plan. Each part runs them for its own pixels.
            let passes = max(report.passes, total?.passes ?? 0)
            total.append(report)
            total?.passes = passes
        }
        let size = unsafe target.layout.format.bytesPerPixel
        func copy(_ rows: UnsafeRawPointer, _ stride: Int, to place: Rect) {
            for y in 0..<place.height {
                let to = unsafe target.row(place.y - region.y + y) + (place.x - region.x) * size
                // The memory of source and target may be the same.
                unsafe to.copyMemory(from: rows + y * stride, byteCount: place.width * size)
            }
        }
        let origin = unsafe source.row(region.y - extent.y) + (region.x - extent.x) * size
        if unsafe UnsafeRawPointer(target.base) != origin { unsafe copy(origin, source.layout.bytesPerRow, to: region) }
        for (place, image) in results {
            unsafe image.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                unsafe copy(base, image.layout.bytesPerRow, to: place)
            }
        }
        return total ?? .nothing
    }
}
