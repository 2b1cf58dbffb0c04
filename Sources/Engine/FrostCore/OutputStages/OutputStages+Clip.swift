// What the shapes of a clip cover, and where their shadow falls.

extension OutputStages {
    /// The pixels that the result covers partly, or on which a shadow falls, for shapes of ``clip``.
    package func reach(of shape: RoundedRect) -> Rect {
        let bounds = bounds(of: shape)
        guard let shadow, !shadow.isIdentity else { return bounds }
        return bounds.hull(shadow.bounds(of: shape))
    }

    /// The pixels that the result may cover, for one of several shapes.
    package func bounds(of shape: RoundedRect) -> Rect { shape.bounds.grown(by: ShapeGroup.margin(join)) }

    /// The area that the result covers.
    package var clipArea: ClipArea { ClipArea(clip, join: join) }

    /// The shadow of the clip in a region; nil if no pixel of it can have a shadow.
    package func shadowField(in region: Rect) -> ShadowField? {
        shadow.flatMap { ShadowField($0, of: clip, join: join, opacity: opacity, in: region) }
    }
}
