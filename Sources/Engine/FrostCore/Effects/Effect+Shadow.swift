extension Effect {
    /// Returns the pixels of a region that only the shadow of shapes can change, in rectangles, each with an effect that draws the
    /// shadow and keeps all other pixels. It needs no blur.
    ///
    /// - Parameters:
    ///   - shapes: the shapes that throw the shadow.
    ///   - region: the pixels that are computed.
    package func shadowParts(of shapes: [RoundedRect], in region: Rect) -> [(rect: Rect, effect: Effect)] {
        guard let shadow = outputStages.shadow, !shadow.isIdentity else { return [] }
        let stages = OutputStages(
            clip: shapes, opacity: outputStages.opacity, shadow: shadow, dither: outputStages.dither)
        let effect = Effect(name: name, blur: GaussianBlur.none(edge: edge), outputStages: stages)
        let reached = shapes.compactMap { outputStages.reach(of: $0, among: shapes).intersection(region) }
        let covered = Region(shapes.map { outputStages.bounds(of: $0, among: shapes) })
        return Region(reached).subtracting(covered).cover().map { ($0, effect) }
    }
}
