public import FrostCore
public import FrostGPU

/// An area of a picture that is covered by an effect, like frosted glass.
///
/// Each panel is computed from the picture, and only the top panel is visible if two overlap; with
/// ``Backdrop/Layering/stacked``, from the picture with all panels below. The picture is unchanged outside a panel's rounded
/// corners.
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
    /// How far the panel's edges lie inside ``rect``, for edges between pixels. The pixels at an edge show the effect by the part
    /// of their area that is inside. A redaction ignores the insets, and hides these pixels.
    public var insets: Insets
    /// The part of ``rect`` that shows the effect, relative to the top left corner of ``rect``; nil for all of it. Elsewhere
    /// the panel does not exist: it hides no other panel, and Frost writes nothing. Parts outside ``rect`` are ignored.
    public var region: Region?
    /// The radius of the panel's rounded corners in pixels, from 0 to ``CornerCurve/maximumRadius(width:height:)``
    /// of the rectangle within the insets.
    public var cornerRadius: Double
    /// The curve of the rounded corners.
    public var corners: CornerCurve
    /// The outline of a panel that is turned, which takes the place of the insets, the corner radius and the curve: see
    /// ``place(_:)``; nil for a panel that is upright. It lies within ``rect``. A redaction ignores it, and hides all of ``rect``.
    /// The mask and the content are upright, and relative to ``rect``.
    public var shape: RoundedRect?
    /// The effect that the panel shows. The panel's shape replaces the effect's clip. The effect's mask and the bounds of
    /// its content are relative to the panel's rectangle.
    public var effect: Effect
    /// How much of the finished panel, content included, is mixed with the picture, from 0 to 1. Animating it fades the panel
    /// in and out; over other panels use ``Backdrop/Layering/stacked``, because a panel hides those below it. A panel with the opacity 0 does not exist: it hides no other panel, and costs nothing.
    public var opacity: Double
    /// The part of the effect that the panel shows, from 0 to 1: see ``Effect/weakened(to:)``. A panel with the strength 0 and
    /// without content does not exist, like one with the opacity 0.
    public var strength: Double
    /// An image that contains the strength of the effect at each pixel. It is stretched over the panel's rectangle. Such an
    /// image is possible for effects whose mask is an image, and for effects that have no mask.
    public var mask: MaskImage?
    /// Where the mask image and the effect's own mask lie: in ``rect``, or in the whole picture.
    public var maskPlacement: MaskPlacement
    /// The layers to draw over the effect's own content, from bottom to top. The bounds of the layers are relative to the
    /// top left corner of the panel's rectangle. A layer without bounds fills this rectangle.
    public var content: [ContentLayer]
    /// A texture that is drawn over the effect, one texel a pixel from the top left corner of ``rect``: a window. It takes the
    /// place of other content. Colours are converted to sRGB, and cut to 0…1. Only a ``TextureBackdrop`` draws it, and copies
    /// what ``TextureBackdrop/invalidateTexture(_:ofPanelAt:)`` reports as changed.
    ///
    /// A window that blurs nothing is a panel with a Gaussian blur of sigma 0.
    public var texture: HostImage?

    /// Creates a panel. ``placedEffect()`` checks the values.
    public init(
        _ rect: Rect, effect: Effect, cornerRadius: Double = 0, corners: CornerCurve = .circular,
        mask: MaskImage? = nil, maskPlacement: MaskPlacement = .rect, content: [ContentLayer] = [],
        texture: HostImage? = nil, opacity: Double = 1, strength: Double = 1,
        id: UInt64? = nil, region: Region? = nil, insets: Insets = Insets(), shape: RoundedRect? = nil
    ) {
        self.id = id
        self.rect = rect
        self.insets = insets
        self.region = region
        self.effect = effect
        self.cornerRadius = cornerRadius
        self.corners = corners
        self.shape = shape
        self.opacity = opacity
        self.strength = strength
        self.mask = mask
        self.maskPlacement = maskPlacement
        self.content = content
        self.texture = texture
    }

    /// Returns the effect at the panel's position. The panel shows the result of
    /// ``Renderer/render(_:_:mask:region:accuracy:cancellation:)`` for this effect within ``rect``.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` if a coordinate is beyond 2^30, if a side is below
    ///   0, if the corner radius is too large, or if a parameter of the corner curve, the opacity, the strength or an inset is
    ///   out of range; ``ParameterError/malformed(parameter:value:expected:)`` if a redaction is not opaque or not of full
    ///   strength, or if the panel has a texture, which only a ``TextureBackdrop`` draws;
    ///   ``ParameterError/maskImage(needed:)`` if the effect needs a mask image but the panel has none, or if the panel has a
    ///   mask image but the effect has a mask of another kind; ``ParameterError/conflict(_:_:)`` if a redaction has a mask image;
    ///   and ``ParameterError/coordinatesTooLarge(_:limit:)`` if the
    ///   bounds of the content are too large.
    public func placedEffect() throws(ParameterError) -> Effect {
        guard texture == nil else {
            throw .malformed(
                parameter: "panel texture", value: "a texture", expected: "none, except in a backdrop of textures")
        }
        let shape = try outline()
        guard (0...1).contains(opacity) else {
            throw .outOfRange(parameter: "panel opacity", value: opacity, allowed: 0...1)
        }
        if effect.isRedaction, opacity < 1 || strength < 1 {
            throw .malformed(
                parameter: opacity < 1 ? "panel opacity" : "panel strength", value: "\(min(opacity, strength))",
                expected: "1, because a redaction hides everything")
        }
        if mask != nil, effect.isRedaction { try effect.checkMaskImage() }
        var effect = try effect.weakened(to: strength)
        effect.outputStages.opacity *= opacity
        effect.outputStages.clip = isClipped ? [shape] : []
        // A panel changes no pixel outside its rectangle.
        effect.outputStages.shadow = nil
        if effect.outputStages.followsShapes { effect.outputStages.shapes = [shape] }
        switch maskPlacement {
        case .rect: effect.maskBounds = rect
        case .picture: effect.maskBounds = nil
        }
        if mask != nil { effect = effect.masked() }
        try effect.check(mask)
        let layers = effect.outputStages.content + content
        // The content is assigned only if there is any, because the assignment makes the effect recompute its error bound.
        if !layers.isEmpty {
            effect.outputStages.content = try layers.map { (layer) throws(ParameterError) in
                var layer = layer
                layer.bounds =
                    try layer.bounds.map { (bounds) throws(ParameterError) in
                        _ = try RoundedRect(bounds)
                        return bounds.moved(x: rect.x, y: rect.y)
                    } ?? rect
                return layer
            }
        }
        return effect
    }
}

extension Panel {
    /// The distances between the edges of a panel and those of its rectangle of whole pixels, from 0 to 1 pixel each.
    public struct Insets: Sendable, Hashable {
        /// The distance of the left edge, in pixels.
        public var left: Double
        /// The distance of the top edge, in pixels.
        public var top: Double
        /// The distance of the right edge, in pixels.
        public var right: Double
        /// The distance of the bottom edge, in pixels.
        public var bottom: Double

        /// Creates insets. ``Panel/placedEffect()`` checks the values.
        public init(left: Double = 0, top: Double = 0, right: Double = 0, bottom: Double = 0) {
            (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
        }

        var values: [Double] { [left, top, right, bottom] }
    }

    /// Sets ``rect`` and ``insets`` to a rectangle whose edges may lie between pixels, as on an output with the scale 1.25.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for coordinates beyond 2^30 and sides below 0.
    public mutating func place(x: Double, y: Double, width: Double, height: Double) throws(ParameterError) {
        let (radius, curve) = (cornerRadius, corners)
        place(try RoundedRect(x: x, y: y, width: width, height: height))
        (cornerRadius, corners) = (radius, curve)
    }

    /// Sets ``rect`` to the pixels of an outline, which may be turned, and the outline of the panel to it.
    public mutating func place(_ shape: RoundedRect) {
        rect = shape.bounds
        self.shape = nil
        guard shape.rotation == 0 else {
            (insets, cornerRadius, corners) = (Insets(), 0, .circular)
            self.shape = shape
            return
        }
        (cornerRadius, corners) = (shape.radius, shape.corners)
        insets = Insets(
            left: shape.x - Double(rect.x), top: shape.y - Double(rect.y),
            right: Double(rect.columns.upperBound) - (shape.x + shape.width),
            bottom: Double(rect.rows.upperBound) - (shape.y + shape.height))
    }

    /// The insets, as they are drawn: a redaction hides all of each pixel that it touches.
    var drawnInsets: Insets { effect.isRedaction ? Insets() : insets }

    /// The outline of a panel that is turned, as it is drawn.
    var drawnShape: RoundedRect? { effect.isRedaction ? nil : shape }

    /// Whether pixels at the edges or corners show only a part of the effect.
    var isClipped: Bool { drawnShape != nil || cornerRadius > 0 || drawnInsets != Insets() }

    /// The outline of the panel.
    private func outline() throws(ParameterError) -> RoundedRect {
        if let shape = drawnShape {
            guard rect.contains(shape.bounds) else {
                throw .malformed(
                    parameter: "panel shape", value: "\(shape)", expected: "an outline within the panel's rect")
            }
            return shape
        }
        for (side, inset) in zip(["left", "top", "right", "bottom"], insets.values) where !(0...1).contains(inset) {
            throw .outOfRange(parameter: "panel's \(side) inset", value: inset, allowed: 0...1)
        }
        let insets = drawnInsets
        let (width, height) = (
            Double(rect.width) - insets.left - insets.right, Double(rect.height) - insets.top - insets.bottom
        )
        // The size is rounded, so the radius of a pill may exceed the limit by a few of the last bits.
        let limit = corners.maximumRadius(width: width, height: height)
        let radius = cornerRadius > limit && cornerRadius < limit + 1e-6 ? limit : cornerRadius
        return try RoundedRect(
            x: Double(rect.x) + insets.left, y: Double(rect.y) + insets.top, width: width, height: height,
            radius: radius, corners: corners)
    }
}
