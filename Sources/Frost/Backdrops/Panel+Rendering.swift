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
        let (from, to) = unsafe (source.layout, target.layout)
        guard (from.width, from.height) == (to.width, to.height) else {
            throw .pixels(
                .mismatch(
                    property: "size", first: "\(from.width)x\(from.height) of the picture",
                    second: "\(to.width)x\(to.height) of the target"))
        }
        let effect = try panel.checked()
        var total: RenderReport?
        for region in panel.pixels(in: from.extent).cover() {
            var report = try unsafe render(
                source, effect, mask: panel.mask, region: region, into: target.part(region), accuracy: accuracy,
                cancellation: cancellation)
            report.add(total)
            total = report
        }
        return total
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
        let effect = try panel.checked()
        var total: RenderReport?
        for region in panel.pixels(in: source.extent).cover() {
            var report = try render(
                source, effect, mask: panel.mask, region: region, into: target.moved(to: region), accuracy: accuracy,
                cancellation: cancellation)
            report.add(total)
            total = report
        }
        return total
    }
}

extension Panel {
    fileprivate func checked() throws(FrostError) -> Effect {
        do throws(ParameterError) { return try placedEffect() } catch { throw .parameter(error) }
    }
}

extension PixelTarget {
    /// Returns the part of the pixels that a rectangle covers.
    func part(_ region: Rect) throws(FrostError) -> PixelTarget {
        let layout = unsafe layout
        let offset = region.y * layout.bytesPerRow + region.x * layout.format.bytesPerPixel
        do throws(PixelError) {
            return unsafe PixelTarget(
                base + offset,
                layout: try PixelLayout(
                    width: region.width, height: region.height, format: layout.format, bytesPerRow: layout.bytesPerRow))
        } catch {
            throw .pixels(error)
        }
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
