// What the shapes of a clip cover, and where their shadow falls.

extension OutputStages {
    /// Returns the radius within which shapes flow together: ``join``, but 0 for a shape alone.
    package func join(of shapes: [RoundedRect]) -> Double { shapes.count > 1 ? join : 0 }

    /// Returns the pixels that the result covers partly, or on which a shadow falls, for one of the shapes of a clip.
    package func reach(of shape: RoundedRect, among shapes: [RoundedRect]) -> Rect {
        let bounds = bounds(of: shape, among: shapes)
        guard let shadow, !shadow.isIdentity else { return bounds }
        return bounds.hull(shadow.bounds(of: shape))
    }

    /// Returns the pixels that the result may cover, for one of the shapes of a clip.
    package func bounds(of shape: RoundedRect, among shapes: [RoundedRect]) -> Rect {
        shape.bounds.grown(by: ShapeGroup.margin(join(of: shapes)) + clipRule.margin)
    }

    /// The area that the result covers.
    package var clipArea: ClipArea { ClipArea(clip, join: join, rule: clipRule) }

    /// The shadow of the clip in a region; nil if no pixel of it can have a shadow.
    package func shadowField(in region: Rect) -> ShadowField? {
        shadow.flatMap { ShadowField($0, of: clip, under: clipArea, opacity: opacity, in: region) }
    }

    /// Checks the numbers of the final mixture, and that its parts can be combined.
    package func checkClip() throws(ParameterError) {
        for (name, value, allowed) in [
            ("opacity", opacity, 0...1), ("join", join, Self.joinRange),
            ("feather", clipRule.feather, ClipRule.featherRange),
        ] where !allowed.contains(value) {
            throw .outOfRange(parameter: name, value: value, allowed: allowed)
        }
        if clipRule.coversTouched, clipRule.feather > 0 {
            throw .malformed(
                parameter: "feather", value: "\(clipRule.feather)", expected: "0, because a redaction hides everything")
        }
        guard let part = outlinePart else { return }
        if clipRule.isInverted { throw .conflict("inverted shapes", part) }
        if clipRule.feather > 0 { throw .conflict("feather", part) }
        if (clip + shapes).contains(where: \.isEllipse) { throw .conflict("an ellipse", part) }
    }

    /// The first part that needs the distance to a sharp outline of rounded rectangles, so that soft and inverted shapes
    /// and ellipses cannot be combined with it; nil if there is none.
    package var outlinePart: String? {
        if join > 0 { return "join" }
        if lens != nil { return "a lens" }
        if shadow?.isIdentity == false { return "a shadow" }
        return edge == nil ? nil : "edge light"
    }
}
