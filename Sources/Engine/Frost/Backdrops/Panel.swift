public import FrostCore

/// An area of a picture that is covered by an effect, like frosted glass.
///
/// Panels do not affect each other. Each panel is computed from the picture, and only the top panel is visible if two
/// overlap. The picture is unchanged outside a panel's rounded corners.
///
/// ```swift
/// let glass = try EffectCatalog.effect("material-thick-dark").make()
/// let panel = Panel(Rect(x: 40, y: 40, width: 300, height: 200), effect: glass, cornerRadius: 20, corners: .continuous())
/// backdrop.panels = [panel]  // a Backdrop, or: try textureRenderer.render(scene, panel, into: screen)
/// ```
///
/// Cost: an effect is computed for the panel's rectangle only, and reads the pixels around it.
public struct Panel: Sendable, Hashable {
    /// Identifies the panel from frame to frame, whatever its index. No two panels of a frame may have the same number. A
    /// panel without a number continues the one of the same index in the last frame, if that has no number either.
    public var id: UInt64?
    /// The panel's rectangle, in the picture's pixels. The parts outside the picture are invisible and do not affect the
    /// rest.
    public var rect: Rect
    /// The part of ``rect`` that shows the effect, relative to the top left corner of ``rect``; nil for all of it. Elsewhere
    /// the panel does not exist: it hides no other panel, and Frost writes nothing. Parts outside ``rect`` are ignored.
    public var region: Region?
    /// The radius of the panel's rounded corners in pixels, from 0 to ``CornerCurve/maximumRadius(width:height:)``.
    public var cornerRadius: Double
    /// The curve of the rounded corners.
    public var corners: CornerCurve
    /// The effect that the panel shows. The panel's shape replaces the effect's clip. The effect's mask and the bounds of
    /// its content are relative to the panel's rectangle.
    public var effect: Effect
    /// An image that contains the strength of the effect at each pixel. It is stretched over the panel's rectangle. Such an
    /// image is possible for effects whose mask is an image, and for effects that have no mask.
    public var mask: MaskImage?
    /// The layers to draw over the effect's own content, from bottom to top. The bounds of the layers are relative to the
    /// top left corner of the panel's rectangle. A layer without bounds fills this rectangle.
    public var content: [ContentLayer]

    /// Creates a panel. ``placedEffect()`` checks the values.
    public init(
        _ rect: Rect, effect: Effect, cornerRadius: Double = 0, corners: CornerCurve = .circular,
        mask: MaskImage? = nil,
        content: [ContentLayer] = [], id: UInt64? = nil, region: Region? = nil
    ) {
        self.id = id
        self.rect = rect
        self.region = region
        self.effect = effect
        self.cornerRadius = cornerRadius
        self.corners = corners
        self.mask = mask
        self.content = content
    }

    /// Returns the effect at the panel's position. The panel shows the result of
    /// ``Renderer/render(_:_:mask:region:accuracy:cancellation:)`` for this effect within ``rect``.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` if a coordinate is beyond 2^30, if a side is below
    ///   0, if the corner radius is too large, or if a parameter of the corner curve is out of range;
    ///   ``ParameterError/maskImage(needed:)`` if the effect needs a mask image but the panel has none, or if the panel has a
    ///   mask image but the effect has a mask of another kind; and ``ParameterError/coordinatesTooLarge(_:limit:)`` if the
    ///   bounds of the content are too large.
    public func placedEffect() throws(ParameterError) -> Effect {
        let shape = try RoundedRect(rect, radius: cornerRadius, corners: corners)
        var effect = effect
        effect.outputStages.clip = cornerRadius > 0 ? [shape] : []
        effect.maskBounds = rect
        if mask != nil, effect.mask == nil { effect.outputStages.mask = .image }
        try effect.check(mask)
        let layers = effect.outputStages.content + content
        // The content is assigned only if there is any, because the assignment makes the effect recompute its error bound.
        if !layers.isEmpty {
            effect.outputStages.content = try layers.map { (layer) throws(ParameterError) in
                var layer = layer
                layer.bounds =
                    try layer.bounds.map { (bounds) throws(ParameterError) in
                        _ = try RoundedRect(bounds)
                        return Rect(
                            x: rect.x + bounds.x, y: rect.y + bounds.y, width: bounds.width, height: bounds.height)
                    } ?? rect
                return layer
            }
        }
        return effect
    }
}
