public import FrostCore

/// A part of a picture that an effect is seen in: frosted glass over what lies beneath.
///
/// Panels do not see each other: each is made of the picture, and where two overlap the later one alone is seen. Between
/// rounded corners and the rectangle the picture shows as it is.
public struct Panel: Sendable, Hashable {
    /// In the picture's pixels. What reaches beyond the picture is not seen, and changes nothing of the rest.
    public var rect: Rect
    /// 0 to half the shorter side.
    public var cornerRadius: Double
    /// Its clip is the panel's; its mask, and its content's bounds, are in the panel's rectangle.
    public var effect: Effect
    /// How much of the effect shows, stretched over the rectangle: for effects whose mask is an image, or that have none.
    public var mask: MaskImage?
    /// Over that of the effect, from bottom to top. Bounds count from the rectangle's top left corner; without any a layer is
    /// placed in the rectangle.
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

    /// The effect as it is at the panel's place: what ``Renderer/render(_:_:mask:region:accuracy:cancellation:)`` makes of it
    /// within ``rect`` is what the panel shows.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for coordinates beyond 2^30, sides below 0 and a
    ///   corner radius beyond half the shorter side; ``ParameterError/maskImage(needed:)``, and
    ///   ``ParameterError/coordinatesTooLarge(_:limit:)`` for content's bounds.
    public func placedEffect() throws(ParameterError) -> Effect {
        let shape = try RoundedRect(rect, radius: cornerRadius)
        var effect = effect
        effect.outputStages.clip = cornerRadius > 0 ? [shape] : []
        effect.maskBounds = rect
        if mask != nil, effect.mask == nil { effect.outputStages.mask = .image }
        try effect.check(mask)
        let layers = effect.outputStages.content + content
        // Setting it is what makes the effect count its error anew.
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
