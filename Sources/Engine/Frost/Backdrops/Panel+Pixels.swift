import FrostCore

extension Panel {
    /// Returns the pixels of the panel within the picture, corners included.
    func pixels(in extent: Rect) -> Region {
        guard !isInvisible, let visible = rect.clipped(to: extent) else { return Region() }
        guard let region else { return Region(visible) }
        let own = Rect(x: 0, y: 0, width: rect.width, height: rect.height)
        let parts = region.rects.compactMap { $0.clipped(to: own)?.moved(x: rect.x, y: rect.y) }
        return Region(parts).intersection(Region(visible))
    }

    /// Returns pixels that both panels show alike, if their regions contain them. Panels that differ only in their regions
    /// show all pixels alike. A panel that moves shows the effect of the picture at the same place, except in its corners.
    func commonPixels(with other: Panel) -> Region {
        var same = other
        same.region = region
        if same == self { return Region(rect) }
        // A plan with a clip may round differently from one without.
        guard effect == other.effect, mask == other.mask, maskPlacement == other.maskPlacement,
            opacity == other.opacity, strength == other.strength,
            isClipped == other.isClipped, showsOnlyThePicture,
            other.showsOnlyThePicture
        else { return Region() }
        return unmoved.intersection(other.unmoved)
    }

    /// Whether the panel shows the picture as it is, so that it need not be drawn.
    private var isInvisible: Bool {
        let isWithoutContent = content.isEmpty && effect.outputStages.content.isEmpty
        return opacity == 0 || effect.outputStages.opacity == 0 || strength == 0 && isWithoutContent
    }

    /// Whether no pixel depends on the place of the panel's rectangle: nothing is stretched over the rectangle or placed in it.
    private var showsOnlyThePicture: Bool {
        (maskPlacement == .picture || mask == nil && effect.mask == nil) && content.isEmpty
            && effect.outputStages.content.isEmpty
    }

    /// The pixels that show the picture at their own place: those that the shape covers wholly, no lens moves and no edge lights.
    private var unmoved: Region {
        let stages = effect.outputStages
        guard stages.followsShapes else { return betweenCorners }
        // Farther inside than one and a half bands, corners that become rounder do not matter either: see ``ShapeField``.
        let band = max(stages.lens?.band ?? 0, stages.edge?.band ?? 0)
        let distance = Int((1.5 * band).rounded(.up)) + 1
        let inside = rect.grown(by: -distance)
        return inside.isEmpty ? Region() : betweenCorners.intersection(Region(inside))
    }

    /// The rectangle without the squares of its corners and the pixels that its edges cut.
    private var betweenCorners: Region {
        // Of a panel that turns, all is drawn again.
        guard drawnShape == nil else { return Region() }
        let inset = drawnInsets.values.reduce(0, max)
        let (edge, reach) = (Int(inset.rounded(.up)), Int((inset + cornerRadius * corners.reach).rounded(.up)))
        return Region([
            Rect(x: rect.x + reach, y: rect.y + edge, width: rect.width - 2 * reach, height: rect.height - 2 * edge),
            Rect(x: rect.x + edge, y: rect.y + reach, width: rect.width - 2 * edge, height: rect.height - 2 * reach),
        ])
    }
}
