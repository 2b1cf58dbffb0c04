extension Effect {
    /// Returns the pixels of a region that only the shadow of shapes can change, in rectangles, each with an effect that draws the
    /// shadow and keeps all other pixels. It needs no blur.
    ///
    /// - Parameters:
    ///   - shapes: the shapes that throw the shadow.
    ///   - region: the pixels that are computed.
    package func shadowParts(of shapes: [RoundedRect], in region: Rect) -> [(rect: Rect, effect: Effect)] {
        guard let shadow = outputStages.shadow, !shadow.isIdentity else { return [] }
        let reaches = shapes.map { outputStages.reach(of: $0, among: shapes) }
        let covered = Region(shapes.map { outputStages.bounds(of: $0, among: shapes) })
        let isJoined = outputStages.join(of: shapes) > 0
        return Region(reaches.compactMap { $0.intersection(region) }).subtracting(covered).cover().map { part in
            // Shapes that are not near cover no pixel of the part, and each pixel would ask all of them. Those that flow
            // together are one.
            let near = zip(shapes, reaches).filter { isJoined || $0.1.intersection(part) != nil }.map(\.0)
            let stages = OutputStages(
                clip: near, opacity: outputStages.opacity, shadow: shadow, dither: outputStages.dither)
            return (part, Effect(name: name, blur: GaussianBlur.none(edge: edge), outputStages: stages))
        }
    }
}
