public import FrostCore

/// How a picture is written. What does not concern the format is not looked at.
public struct ImageWriteOptions: Sendable, Hashable {
    /// What lies behind transparent pixels where the format has no alpha; nil: such a picture is refused.
    public var background: Color?
    /// Bits a sample, 8 or 16, where the picture has more than that; nil: a picture that has more than the format can
    /// hold is refused.
    public var depth: Int?
    /// For PNG.
    public var png: PNGWriteOptions

    /// Loses nothing: what a format cannot hold is refused.
    public init(background: Color? = nil, depth: Int? = nil, png: PNGWriteOptions = PNGWriteOptions()) {
        self.background = background
        self.depth = depth
        self.png = png
    }
}
