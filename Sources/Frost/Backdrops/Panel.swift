public import FrostCore

/// A part of a picture that is covered by an effect, like frosted glass over it.
///
/// Panels do not affect each other: each is computed from the picture, and where two overlap only the later one is
/// visible. Outside its rounded corners the picture is unchanged.
public struct Panel: Sendable, Hashable {
    /// In the picture's pixels. A part outside the picture is invisible and has no influence on the rest.
    public var rect: Rect
    /// 0 to half the shorter side.
    public var cornerRadius: Double
    /// Its clip is replaced by the panel's shape. Its mask and its content's bounds are relative to the panel's
    /// rectangle.
    public var effect: Effect
    /// The strength of the effect, stretched over the rectangle: for effects whose mask is an image, or that have no
    /// mask.
    public var mask: MaskImage?
    /// Drawn over the effect's own content, from bottom to top. Bounds count from the rectangle's top left corner; a
    /// layer without bounds is placed in the rectangle.
    public var content: [ContentLayer]

    public init(
        _ rect: Rect, effect: Effect, cornerRadius: Double = 0, mask: MaskImage? = nil, content: [ContentLayer] = []
    ) {
        self.rect = rect
        self.effect = effect
        self.cornerRadius = cornerRadius
        self.mask = mask
        self.content = content
    }

    /// The effect at the panel's position: the panel shows the result of
    /// ``Renderer/render(_:_:mask:region:accuracy:cancellation:)`` for it within ``rect``.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for coordinates beyond 2^30, sides below 0 and
    ///   a corner radius beyond half the shorter side; ``ParameterError/maskImage(needed:)``; and
    ///   ``ParameterError/coordinatesTooLarge(_:limit:)`` for the content's bounds.
    public func placedEffect() throws(ParameterError) -> Effect {
        let shape = try RoundedRect(rect, radius: cornerRadius)
        var effect = effect
        effect.outputStages.clip = cornerRadius > 0 ? [shape] : []
        effect.maskBounds = rect
        if mask != nil, effect.mask == nil { effect.outputStages.mask = .image }
        try effect.check(mask)
        let layers = effect.outputStages.content + content
        // The assignment makes the effect compute its error bound again.
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
