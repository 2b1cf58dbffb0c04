extension Effect {
    /// The effect that draws only the shadow beside shapes, and keeps all other pixels outside them; nil if there is no shadow.
    ///
    /// It needs no blur, so renderers use it for the pixels that only a shadow changes.
    ///
    /// - Parameter shapes: the shapes that throw the shadow.
    package func onlyShadow(of shapes: [RoundedRect]) -> Effect? {
        guard let shadow = outputStages.shadow, !shadow.isIdentity else { return nil }
        let stages = OutputStages(
            clip: shapes, opacity: outputStages.opacity, shadow: shadow, dither: outputStages.dither)
        return Effect(name: name, blur: GaussianBlur.none(edge: edge), outputStages: stages)
    }

    /// Returns the rectangles of whole pixels around shapes that only their shadow can change.
    ///
    /// - Parameters:
    ///   - shapes: the shapes that throw the shadow.
    ///   - region: the pixels that are computed.
    package func shadowRects(of shapes: [RoundedRect], in region: Rect) -> [Rect] {
        let reached = shapes.compactMap { outputStages.reach(of: $0).intersection(region) }
        return Region(reached).subtracting(Region(shapes.map { outputStages.bounds(of: $0) })).cover()
    }
}
