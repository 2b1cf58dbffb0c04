/// Blurs of one image that a mask mixes pixel by pixel: the plan of a ``VariableBlur``.
///
/// The mask gives each pixel its *share* of the largest variance: the square of the mask's value, at most 1.
public struct Blend: Sendable, Hashable {
    /// A blur, and the shares at which it is visible.
    public struct Level: Sendable, Hashable {
        /// In pixels of the image; 0 is the image itself.
        public var sigma: Double
        /// The share at which a pixel shows only this level.
        public var share: Double
        /// The shares of the next levels below and above, at which this level's weight is 0; it is linear in between. -1
        /// and 2, which no share reaches, for the first and the last level.
        public var below: Double
        public var above: Double
        /// Makes the pixels of its region, which is all that is asked for, by passes and without output stages.
        public var plan: Plan

        /// The plan's passes.
        public var passes: Passes {
            switch plan.work {
            case .passes(let passes): passes
            case .copy, .kernel2D, .blend: preconditionFailure("a level of a blend that is not made by passes")
            }
        }

        public init(sigma: Double, share: Double, below: Double, above: Double, plan: Plan) {
            self.sigma = sigma
            self.share = share
            self.below = below
            self.above = above
            self.plan = plan
        }
    }

    /// Two neighbouring levels (or twice the same, if it is the only one) and a rectangle that contains all pixels whose
    /// share lies between theirs.
    public struct Span: Sendable, Hashable {
        /// Indices of ``Blend/levels``.
        public var lower, upper: Int
        public var window: Rect

        public init(lower: Int, upper: Int, window: Rect) {
            self.lower = lower
            self.upper = upper
            self.window = window
        }
    }

    public var mask: Mask
    /// What lies outside the image.
    public var edge: EdgeMode
    /// The levels that the mask needs, by rising sigma.
    public var levels: [Level]
    /// Together they cover the plan's region.
    public var spans: [Span]

    public init(mask: Mask, edge: EdgeMode, levels: [Level], spans: [Span]) {
        self.mask = mask
        self.edge = edge
        self.levels = levels
        self.spans = spans
    }

    /// The share of the variance where the mask has this value.
    public static func share(_ mask: Double) -> Double { min(mask * mask, 1) }
}
