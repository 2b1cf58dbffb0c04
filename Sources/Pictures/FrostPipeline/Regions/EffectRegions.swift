package import Frost

/// The regions of a picture to which an effect is applied. All other pixels keep their exact bytes. If the effect has
/// content, the content is drawn into each rectangle.
package struct EffectRegions {
    /// The shapes; nil for the whole picture.
    private let rects: [RoundedRect]?
    private let rule: ClipRule
    package let isBounded: Bool
    private let maskPlacement: MaskPlacement
    /// The pixels that the effect may change because of each shape; nil if only the shapes are known.
    private var reaches: [Rect]?

    /// Whether the effect is applied to the whole picture, because no rectangles are given.
    package var isEmpty: Bool { rects == nil }

    /// Whether the effect changes no pixel, because there is no rectangle in this picture.
    package var isNothing: Bool { rects?.isEmpty == true && !rule.isInverted }

    /// Whether the effect may change every pixel.
    package var coverAll: Bool { rects == nil || rule.isInverted }

    /// Whether distances across the edges count, so that the shapes are not the same in an image with another ratio of sides.
    package var isFeathered: Bool { rule.feather > 0 }

    init(_ rects: [RoundedRect]?, rule: ClipRule, isBounded: Bool, _ maskPlacement: MaskPlacement) {
        self.rects = rects
        self.rule = rule
        self.maskPlacement = maskPlacement
        self.isBounded = isBounded
    }

    /// Returns the effect with the rule by which the shapes cover pixels.
    private func ruled(_ effect: Effect) -> Effect {
        var effect = effect
        effect.outputStages.clipRule.feather = rule.feather
        effect.outputStages.clipRule.isInverted = rule.isInverted
        return effect
    }

    /// Returns the regions for a picture whose width is smaller by the factor `x` and whose height is smaller by the
    /// factor `y`. Radii are divided by the larger factor, so that corners stay round.
    package func divided(by x: Double, _ y: Double) throws(ParameterError) -> EffectRegions {
        var rule = rule
        rule.feather /= max(x, y)
        let rects = try rects?.map { (rect) throws(ParameterError) in
            try RoundedRect(
                x: rect.x / x, y: rect.y / y, width: rect.width / x, height: rect.height / y,
                radius: rect.radius / max(x, y), corners: rect.corners)
        }
        return EffectRegions(rects, rule: rule, isBounded: isBounded, maskPlacement)
    }

    /// Returns the regions for ``bounds(shiftedBy:_:in:)`` of an effect, which may change pixels beside its shapes: by its shadow, and
    /// where shapes flow together.
    package func reaching(by effect: Effect) -> EffectRegions {
        let stages = ruled(effect).outputStages
        var regions = self
        regions.reaches = rects.map { rects in rects.map { stages.reach(of: $0, among: rects) } }
        return regions
    }

    /// Returns the rectangles that the effect may change, in a plane that has one sample for 2^x columns and 2^y rows of the
    /// picture.
    ///
    /// - Parameter plane: the rectangle of the plane.
    package func bounds(shiftedBy x: Int, _ y: Int, in plane: Rect) -> [Rect] {
        guard let rects, !rule.isInverted else { return [plane] }
        let margin = Int(rule.feather.rounded(.up))
        return (reaches ?? rects.map { $0.bounds.grown(by: margin) }).map { bounds in
            let (left, top) = (bounds.x >> x, bounds.y >> y)
            return Rect(
                x: left, y: top, width: (bounds.x + bounds.width - 1) >> x + 1 - left,
                height: (bounds.y + bounds.height - 1) >> y + 1 - top)
        }
    }

    /// The first two rectangles that overlap; nil if there are none.
    package var overlap: (Rect, Rect)? {
        let rects = rects ?? []
        for (index, rect) in rects.enumerated() {
            let other = rects[..<index].first { $0.bounds.intersection(rect.bounds) != nil }
            if let other { return (other.bounds, rect.bounds) }
        }
        return nil
    }

    /// Returns the exact result of ``render(_:_:mask:with:)``, for comparison.
    package func exact(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage?, with renderer: Renderer
    ) throws(FrostError) -> SampleRows {
        guard let rects else { return try renderer.exact(image, effect, mask: mask) }
        return try renderer.exact(
            image, ruled(effect), within: rects, isBounded: isBounded, mask: mask, maskPlacement: maskPlacement)
    }

    /// Renders the effect on the whole picture, or on the rectangles if there are any.
    package func render(
        _ image: PixelBuffer, _ effect: Effect, mask: MaskImage?, with renderer: Renderer,
        cancellation: Cancellation? = nil
    ) throws(FrostError) -> Rendered {
        guard let rects else { return try renderer.render(image, effect, mask: mask, cancellation: cancellation) }
        return try renderer.render(
            image, ruled(effect), within: rects, isBounded: isBounded, mask: mask, maskPlacement: maskPlacement,
            cancellation: cancellation)
    }

    /// Returns a picture that shows a result in the regions, in every pixel that they touch.
    ///
    /// - Parameter image: a picture of the size and format of the result.
    package func showing(_ result: Rendered, in image: PixelBuffer) throws(FrostError) -> Rendered {
        guard let rects else { return result }
        return try rethrow(
            result.shown(within: rects, isInverted: rule.isInverted, in: image), as: FrostError.parameter)
    }

    /// Returns the effect with the colour of its content decided for the regions of a picture: see
    /// ``OutputStages/automaticContrast``.
    package func decidingContent(of effect: Effect, on image: PixelBuffer) throws(FrostError) -> Effect {
        let rects = coverAll ? [image.layout.extent] : rects?.map(\.bounds) ?? []
        return try effect.decidingContent(of: image, within: rects)
    }

    /// Measures the contrast of a picture's pixels in the regions: see
    /// ``ContrastReport/init(of:content:minimum:within:rule:)``.
    package func contrast(of image: PixelBuffer, to content: Color, minimum: Double) -> ContrastReport {
        ContrastReport(of: image, content: content, minimum: minimum, within: rects ?? [], rule: rule)
    }
}
