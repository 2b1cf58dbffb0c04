/// Blurs of one image that a mask mixes pixel by pixel: the plan of a ``VariableBlur``.
///
/// The mask gives each pixel a *share*: the square of the mask's value, at most 1. The pixel is blurred with this
/// fraction of the largest variance.
public struct Blend: Sendable, Hashable {
    /// One of the blurs with a fixed sigma that are mixed to a variable blur. A pixel shows it if the pixel's share (the
    /// wanted variance as a fraction of the largest variance) lies between ``below`` and ``above``.
    public struct Level: Sendable, Hashable {
        /// The standard deviation in pixels of the image; 0 is the image itself.
        public var sigma: Double
        /// The share of the variance at which a pixel shows only this level.
        public var share: Double
        /// The share of the next lower level. Between `below` and ``share``, the weight of the level described here
        /// rises linearly from 0 to 1. For the first level `below` is -1, which the share of a pixel never reaches.
        public var below: Double
        /// The share of the next higher level. Between ``share`` and `above`, the weight of the level described here
        /// falls linearly from 1 to 0. For the last level `above` is 2, which the share of a pixel never reaches.
        public var above: Double
        /// The plan that computes the level by passes and without output stages. Its region contains every pixel that
        /// shows the level.
        public var plan: Plan
        /// The image that contains the result of the plan's first passes, as an index of ``Blend/decimations``; nil if no
        /// other level needs these passes.
        public var decimation: Int?

        /// The passes of the level's plan. Traps if the plan is not made of passes.
        public var passes: Passes { plan.filters }

        /// Creates a level from its parts.
        public init(sigma: Double, share: Double, below: Double, above: Double, plan: Plan) {
            self.sigma = sigma
            self.share = share
            self.below = below
            self.above = above
            self.plan = plan
        }
    }

    /// Two adjacent levels, and a rectangle that contains all pixels whose share lies between the shares of the two
    /// levels. If the plan has only one of the two levels, ``lower`` and ``upper`` both refer to this level.
    public struct Span: Sendable, Hashable {
        /// The indices of the two levels in ``Blend/levels``.
        public var lower, upper: Int
        /// The rectangle in which the two levels are mixed, in absolute pixels.
        public var window: Rect

        /// Creates a span from its parts.
        public init(lower: Int, upper: Int, window: Rect) {
            self.lower = lower
            self.upper = upper
            self.window = window
        }
    }

    /// A part of the region, and the levels between which the mask varies in it.
    public struct Part: Sendable, Hashable {
        /// The part in absolute pixels.
        public var window: Rect
        /// The indices of the levels in ``Blend/levels``.
        public var levels: ClosedRange<Int>

        /// Creates a part from its rectangle and its levels.
        public init(window: Rect, levels: ClosedRange<Int>) {
            self.window = window
            self.levels = levels
        }
    }

    /// The mask that mixes the levels.
    public var mask: Mask
    /// The edge mode, which defines the pixels that the levels read outside the image.
    public var edge: EdgeMode
    /// The levels that the mask needs, in order of increasing sigma.
    public var levels: [Level]
    /// Images of lower resolution from which several levels are computed. Each image comes after the image from which it
    /// is computed. A backend may ignore them and compute each level by all passes of its plan.
    public var decimations: [Decimation] = []
    /// The spans between the levels. Together they cover the plan's region.
    public var spans: [Span]
    /// The parts of the plan's region, which cover it without overlap. They are ordered by their first row, and parts that
    /// overlap in their rows have the same rows.
    public var parts: [Part]

    /// Creates a blend from its parts.
    public init(mask: Mask, edge: EdgeMode, levels: [Level], spans: [Span], parts: [Part]) {
        self.mask = mask
        self.edge = edge
        self.levels = levels
        self.spans = spans
        self.parts = parts
    }

    /// Returns for each level the rectangle of the pixels in `rect` for which the mask may need the level; nil if it needs
    /// the level for no pixel.
    public func windows(in rect: Rect) -> [Rect?] {
        var windows = [Rect?](repeating: nil, count: levels.count)
        var (first, end) = (0, parts.count)
        while first < end {
            let middle = (first + end) / 2
            if parts[middle].window.rows.upperBound <= rect.y { first = middle + 1 } else { end = middle }
        }
        for part in parts[first...].prefix(while: { $0.window.y < rect.rows.upperBound }) {
            guard let window = part.window.intersection(rect) else { continue }
            for level in part.levels { windows[level] = windows[level]?.hull(window) ?? window }
        }
        return windows
    }

    /// Returns the image from which a level is computed; nil for the source.
    public func decimation(of level: Level) -> Decimation? { level.decimation.map { decimations[$0] } }

    /// Returns the variance of the blur at a mask value, as a share of the largest variance.
    public static func share(_ mask: Double) -> Double { min(mask * mask, 1) }
}

extension Plan {
    /// The passes of the plan of a level or of a shared decimation. Traps if the plan is not made of passes.
    package var filters: Passes {
        switch work {
        case .passes(let passes): passes
        case .copy, .kernel2D, .blend: preconditionFailure("a part of a blend has no passes")
        }
    }
}
