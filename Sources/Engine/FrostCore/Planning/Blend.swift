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
        /// The passes that compute the level. Their region contains every pixel that shows the level.
        public var plan: LevelPlan
        /// The image that contains the result of the plan's first passes, as an index of ``Blend/decimations``; nil if no
        /// other level needs these passes.
        public var decimation: Int?

        /// Creates a level from its parts.
        public init(sigma: Double, share: Double, below: Double, above: Double, plan: LevelPlan) {
            self.sigma = sigma
            self.share = share
            self.below = below
            self.above = above
            self.plan = plan
        }
    }

    /// The part of a plan that computes a level, or an image from which levels are computed, by passes.
    public struct LevelPlan: Sendable, Hashable {
        /// The rectangle that the passes compute, in absolute pixels.
        public var region: Rect
        /// The passes, from the image to the region.
        public var passes: Passes
        /// The maximum error of the passes; see ``Plan/errorBound``.
        public var errorBound: Double

        /// Takes the passes of a plan. If the plan only copies, a pass that copies replaces it.
        init(_ plan: Plan, edge: EdgeMode) {
            region = plan.region
            passes = plan.isCopy ? .copy(edge) : Passes(plan.passes, slots: plan.slots)
            errorBound = plan.errorBound
        }

        /// Returns a plan that computes only the region, without output stages.
        ///
        /// - Parameter whole: the plan of the blend.
        package func standalone(in whole: Plan) -> Plan {
            var plan = Plan(extent: whole.extent, region: region, work: .passes(passes), errorBound: errorBound)
            plan.decoding = whole.decoding
            return plan
        }
    }

    /// An image of lower resolution from which several levels are computed.
    public struct Decimation: Sendable, Hashable {
        /// The index in ``Blend/decimations`` of the image from which this image is computed; nil for the source.
        public var from: Int?
        /// The passes that compute this image from the source. The windows of their slots contain all samples that the
        /// levels need. The passes after ``passes`` and their slots have no meaning.
        public var plan: LevelPlan
        /// The passes of the plan that compute this image from the image ``from``.
        public var passes: Range<Int>

        /// The image's samples.
        public var window: Rect { plan.passes.slots[passes.upperBound - 1].window }
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
    /// The levels that the mask does not need in the plan's region, each planned for one pixel. A backend chooses its arithmetic
    /// by all levels, so that a part of an image has the bits of the whole.
    public var otherLevels: [LevelPlan] = []
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

extension Blend: PlanWork {
    package func taps(in plan: Plan) -> Double { levels.reduce(0) { $0 + $1.plan.passes.taps(in: plan) } }
    package var passCount: Int { levels.reduce(0) { $0 + $1.plan.passes.list.count } }
    /// The levels read far along y.
    package var canStream: Bool { false }

    /// The levels read more than the region; each has a rectangle of its own.
    package func sourceRead(in plan: Plan) -> Rect { plan.region }

    package func sourceReads(along axis: Axis, in plan: Plan) -> [Range<Int>] {
        plans(in: plan).map { $0.sourceRead[axis] }
            + [edge.window(of: plan.region[axis], in: plan.extent[axis])]
    }

    package func imageSides(along axis: Axis, in plan: Plan) -> [Int] {
        plans(in: plan).flatMap {
            [$0.region[axis].count, $0.sourceRead[axis].count] + $0.work.kind.imageSides(along: axis, in: $0)
        }
    }

    package func affected(by damage: Rect, at place: Place, in plan: Plan) -> Region {
        plans(in: plan).reduce(Region()) { $0.union($1.affected(by: damage)) }
    }

    package func damageExpansion(along axis: Axis, in plan: Plan) -> Int {
        plans(in: plan).reduce(0) { max($0, $1.work.kind.damageExpansion(along: axis, in: $1)) }
    }

    package func samples(in plan: Plan) -> (read: Double, written: Double) {
        let own =
            decimations.map { ($0.plan, $0.passes) }
            + levels.map { ($0.plan, (decimation(of: $0)?.passes.upperBound ?? 0)..<$0.plan.passes.list.count) }
        let mixed = 2 * spans.reduce(0) { $0 + $1.window.area }
        return own.reduce((mixed, plan.region.area)) { sum, own in
            let (level, passes) = own
            let samples = level.passes.samples(level.passes.list[passes], in: level.standalone(in: plan))
            return (sum.read + samples.read, sum.written + samples.written)
        }
    }

    package func steps(in plan: Plan) -> [PlanStep] {
        decimations.map { PlanStep(words($0), .decimation($0)) } + levels.map { PlanStep(words($0), .level($0)) }
            + [PlanStep("blended by the square of the mask", .mixture)]
    }

    private func plans(in plan: Plan) -> [Plan] { levels.map { $0.plan.standalone(in: plan) } }

    private func words(_ image: Decimation) -> String {
        "decimate \(image.from.map { "step \($0 + 1)" } ?? "the image"), \(image.passes.count) passes -> "
            + "\(image.window.width)x\(image.window.height) at 1/\(1 << (image.passes.upperBound / 2))"
    }

    private func words(_ level: Level) -> String {
        let (region, passes) = (level.plan.region, level.plan.passes)
        let lowest = passes.slots.map { max($0.levelX, $0.levelY) }.max() ?? 0
        let done = decimation(of: level)?.passes.upperBound ?? 0
        let work =
            level.sigma == 0
            ? "the image"
            : "sigma \(numberText(level.sigma, decimals: 3)), \(passes.list.count - done) passes"
        return work + (level.decimation.map { " from step \($0 + 1)" } ?? "")
            + (lowest > 0 ? " down to 1/\(1 << lowest)" : "")
            + " -> \(region.width)x\(region.height) at \(region.x),\(region.y)"
    }
}
