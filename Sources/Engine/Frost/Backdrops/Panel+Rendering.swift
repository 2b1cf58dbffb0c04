public import FrostCore
public import FrostGPU

extension Renderer {
    /// Draws a panel into a picture: the panel's rectangle, corners, effect, mask and content at once.
    ///
    /// - Parameters:
    ///   - source: the picture behind the panel.
    ///   - panel: the panel. Its parts outside the picture are cut off.
    ///   - target: pixels of the picture's size. Only the panel's pixels are written.
    ///   - accuracy: the maximum distance from the exact effect; by default the accuracy that suits the picture's samples.
    ///   - cancellation: cancels the call from another thread.
    /// - Returns: a report that sums up all parts; nil if the panel has no pixel in the picture.
    /// - Throws: ``FrostError``.
    @unsafe public func render(
        _ source: PixelSource, _ panel: Panel, into target: PixelTarget, accuracy: Accuracy? = nil,
        cancellation: Cancellation? = nil
    ) throws(FrostError) -> RenderReport? {
        try unsafe target.checkSize(of: source)
        return try panel.draw(in: unsafe source.layout.extent) { (effect, region) throws(FrostError) in
            try unsafe render(
                source, effect, mask: panel.mask, region: region, into: target.part(region), accuracy: accuracy,
                cancellation: cancellation)
        }
    }
}

extension TextureRenderer {
    /// Draws a panel into a texture: the panel's rectangle, corners, effect, mask and content at once.
    ///
    /// - Parameters:
    ///   - source: the picture behind the panel.
    ///   - panel: the panel. Its parts outside the picture are cut off.
    ///   - target: the texture or framebuffer. The picture's top left pixel lies at the target's `x` and `y`. Only the panel's
    ///     pixels are written.
    ///   - accuracy: the maximum distance from the exact effect; by default it suits the target's sample type.
    ///   - cancellation: cancels the call from another thread.
    /// - Returns: a report that sums up all parts; nil if the panel has no pixel in the picture.
    /// - Throws: the errors of ``render(_:_:mask:region:into:accuracy:cancellation:)``.
    public func render(
        _ source: HostImage, _ panel: Panel, into target: HostTarget, accuracy: Accuracy? = nil,
        cancellation: Cancellation? = nil
    ) throws(FrostError) -> RenderReport? {
        try panel.draw(in: source.extent) { (effect, region) throws(FrostError) in
            try render(
                source, effect, mask: panel.mask, region: region, into: target.moved(to: region), accuracy: accuracy,
                cancellation: cancellation)
        }
    }
}

extension Panel {
    /// Calls `body` with the panel's effect for each rectangle of the picture that the panel covers.
    ///
    /// - Returns: a report that sums up all rectangles; nil if there are none.
    fileprivate func draw(
        in extent: Rect, _ body: (Effect, Rect) throws(FrostError) -> RenderReport
    ) throws(FrostError) -> RenderReport? {
        let effect = try rethrow(placedEffect(), as: FrostError.parameter)
        var total: RenderReport?
        for region in pixels(in: extent).cover() {
            total.append(try body(effect, region))
        }
        return total
    }
}

extension PixelTarget {
    /// Throws if the picture behind a panel has another size.
    func checkSize(of source: PixelSource) throws(FrostError) {
        let (from, to) = unsafe (source.layout, layout)
        guard (from.width, from.height) == (to.width, to.height) else {
            throw .pixels(
                .mismatch(
                    property: "size", first: "\(from.width)x\(from.height) of the picture",
                    second: "\(to.width)x\(to.height) of the target"))
        }
    }

    /// Returns the part of the pixels that a rectangle covers.
    func part(_ region: Rect) throws(FrostError) -> PixelTarget {
        let layout = unsafe layout
        let offset = region.y * layout.bytesPerRow + region.x * layout.format.bytesPerPixel
        let part = try rethrow(
            PixelLayout(
                width: region.width, height: region.height, format: layout.format, bytesPerRow: layout.bytesPerRow),
            as: FrostError.pixels)
        return unsafe PixelTarget(base + offset, layout: part)
    }
}

extension HostTarget {
    /// Returns the target for a rectangle of a picture whose top left pixel lies at this target's `x` and `y`.
    func moved(to region: Rect) -> HostTarget {
        var target = self
        target.x += region.x
        target.y += region.y
        return target
    }
}
