/// A plan that is cut in two between its passes. The image between the two parts, called the *level*, can be kept from
/// one frame to the next. It serves every result that the same passes compute.
///
/// The plan of such a result has the same passes and slots, and any region and output stages. The passes after the cut
/// are executed as the result's own plan describes them.
public struct LayeredPlan: Sendable, Hashable {
    /// The plan for the whole extent, without output stages.
    public private(set) var plan: Plan
    /// The number of passes that compute the level; 0 if no level is kept.
    public let cut: Int

    /// Cuts a plan.
    ///
    /// - Parameters:
    ///   - plan: the plan of one of the results.
    ///   - cut: the number of passes before the cut; less than the number of all passes.
    public init(_ plan: Plan, cut: Int) {
        self.plan = plan
        self.plan.outputStages = OutputStages()
        self.cut = cut
    }

    /// The place of the level; nil if no level is kept.
    public var place: Place? {
        switch plan.work {
        case .passes(let passes): cut == 0 ? nil : passes.list[cut - 1].to
        case .copy, .kernel2D, .blend: nil
        }
    }

    /// The rectangle of the level's samples; empty if no level is kept.
    public var window: Rect { place.map { plan.window(of: $0) } ?? Rect(x: 0, y: 0, width: 0, height: 0) }

    /// Returns the level's samples that a rectangle of the result needs.
    public func samples(for result: Rect) -> Rect {
        place.map { plan.restricted(to: result).window(of: $0) } ?? window
    }

    /// Returns the level's samples that change when a rectangle of the image changes.
    public func affectedSamples(by damage: Rect) -> Region {
        place.map { plan.affected(by: damage, at: $0) } ?? Region()
    }

    /// Returns a plan in which the passes before the cut compute only a rectangle of the level.
    public func first(_ samples: Rect) -> Plan { place.map { plan.restricted(to: samples, at: $0) } ?? plan }

    /// Whether another plan can use the same level.
    public func serves(_ other: Plan) -> Bool {
        plan.work == other.work && plan.decoding == other.decoding && plan.extent == other.extent
    }
}
