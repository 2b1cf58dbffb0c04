/// A plan whose passes are divided into two parts. The first part computes an intermediate image, which is called the
/// *level*. The level can be kept from one frame to the next, and several results can be computed from it.
///
/// The plans of these results must have the same passes and slots. Their regions, lenses and output stages may differ. After
/// the cut between the two parts, each result is computed as its own plan describes.
public struct LayeredPlan: Sendable, Hashable {
    /// The plan for the whole extent, without a lens and output stages.
    public private(set) var plan: Plan
    /// The number of passes that compute the level; 0 if no level is kept.
    public let cut: Int

    /// Cuts a plan.
    ///
    /// - Parameters:
    ///   - plan: the plan of one of the results.
    ///   - cut: the number of passes before the cut; less than the number of all passes.
    public init(_ plan: Plan, cut: Int) {
        self.plan = plan.withoutLens
        self.plan.outputStages = OutputStages()
        self.cut = cut
    }

    /// The place to which the first part writes the level; nil if no level is kept.
    public var place: Place? { cut == 0 ? nil : plan.passes[cut - 1].to }

    /// The rectangle of the level's samples; empty if no level is kept.
    public var window: Rect { place.map { plan.window(of: $0) } ?? Rect(x: 0, y: 0, width: 0, height: 0) }

    /// Returns the level's samples that are needed to compute a rectangle of a result.
    ///
    /// - Parameter whole: the plan of the result.
    public func samples(for rect: Rect, of whole: Plan) -> Rect {
        place.map { plan.restricted(to: whole.work.kind.lastRead(for: rect)).window(of: $0) } ?? window
    }

    /// Returns the pixels of a result that read some pixels of the blurred image, which ``plan`` computes.
    ///
    /// - Parameter whole: the plan of the result.
    public func pixels(reading blurred: Region, of whole: Plan) -> Region {
        whole.work.kind.readers(ofLast: blurred)
    }

    /// Returns the level's samples that change when a rectangle of the image changes.
    public func affectedSamples(by damage: Rect) -> Region {
        place.map { plan.affected(by: damage, at: $0) } ?? Region()
    }

    /// Returns a plan in which the passes before the cut compute only a rectangle of the level.
    public func first(_ samples: Rect) -> Plan { place.map { plan.restricted(to: samples, at: $0) } ?? plan }

    /// Whether another plan can use the same level.
    public func serves(_ other: Plan) -> Bool {
        plan.work == other.withoutLens.work && plan.decoding == other.decoding && plan.extent == other.extent
    }
}
