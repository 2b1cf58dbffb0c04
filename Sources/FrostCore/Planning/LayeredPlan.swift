/// A plan cut in two between its passes. The image between the halves, the *level*, can be kept from one frame to the next
/// and serves every result that is made by the same passes.
///
/// The plan of such a result has the same passes and slots, and any region and output stages; its passes after the cut are
/// carried out as it says.
public struct LayeredPlan: Sendable, Hashable {
    /// For the whole extent, without output stages.
    public private(set) var plan: Plan
    /// How many passes make the level; 0 if none is kept.
    public let cut: Int

    /// - Parameters:
    ///   - plan: of one of the results.
    ///   - cut: less than the number of passes.
    public init(_ plan: Plan, cut: Int) {
        self.plan = plan
        self.plan.outputStages = OutputStages()
        self.cut = cut
    }

    /// Where the level lies; nil if none is kept.
    public var place: Place? {
        switch plan.work {
        case .passes(let passes): cut == 0 ? nil : passes.list[cut - 1].to
        case .copy, .kernel2D, .blend: nil
        }
    }

    /// The level's samples; empty if none is kept.
    public var window: Rect { place.map { plan.window(of: $0) } ?? Rect(x: 0, y: 0, width: 0, height: 0) }

    /// The level's samples that a rectangle of the result is made of.
    public func samples(for result: Rect) -> Rect {
        place.map { plan.restricted(to: result).window(of: $0) } ?? window
    }

    /// The level's samples that change when a rectangle of the image changes.
    public func affectedSamples(by damage: Rect) -> Region {
        place.map { plan.affected(by: damage, at: $0) } ?? Region()
    }

    /// The plan whose first passes make a rectangle of the level.
    public func first(_ samples: Rect) -> Plan { place.map { plan.restricted(to: samples, at: $0) } ?? plan }

    /// Whether another plan reads the same level.
    public func serves(_ other: Plan) -> Bool {
        plan.work == other.work && plan.decoding == other.decoding && plan.extent == other.extent
    }
}
