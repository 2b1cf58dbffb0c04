/// Blurs of one image between which a mask chooses, pixel by pixel: the plan of a ``VariableBlur``.
///
/// What counts is the share of the variance at a pixel: the square of the mask's value there, at most 1.
public struct Blend: Sendable, Hashable {
    /// A blur, and the shares at which it is seen.
    public struct Level: Sendable, Hashable {
        /// In pixels of the image; 0 is the image itself.
        public var sigma: Double
        /// The share at which a pixel is this level's alone.
        public var share: Double
        /// The shares of its neighbours, at which nothing of it is left; its part is linear on the way. -1 and 2, which no
        /// share reaches, where there is none.
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

    /// Two neighbours, or twice a level that is alone, and a rectangle that has all pixels whose share is between theirs.
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
    /// How the image is continued outside.
    public var edge: EdgeMode
    /// Those that the mask asks for, upwards.
    public var levels: [Level]
    /// Together they cover the plan's region.
    public var spans: [Span]

    public init(mask: Mask, edge: EdgeMode, levels: [Level], spans: [Span]) {
        self.mask = mask
        self.edge = edge
        self.levels = levels
        self.spans = spans
    }

    /// The share of the variance at a pixel where the mask has a value.
    public static func share(_ mask: Double) -> Double { min(mask * mask, 1) }
}
