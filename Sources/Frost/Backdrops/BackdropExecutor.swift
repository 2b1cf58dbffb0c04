import FrostCore

/// Does the work of a ``BackdropScene`` on the picture and target of one frame.
protocol BackdropExecutor {
    associatedtype Level: BackdropLevel

    /// Starting a part takes as long as computing this many samples.
    static var partCost: Int { get }

    /// - Throws: ``FrostError/pixels(_:)`` if a panel's plan does not match the formats of picture and target.
    func check(_ plan: Plan) throws(FrostError)

    /// The level of a panel's plan that is worth keeping, for the whole extent; nil if the plan has to be computed from
    /// the picture each time.
    func makeLevel(of plan: Plan) throws(FrostError) -> Level?

    /// Frees a level that no panel needs any more.
    func drop(_ level: Level)

    /// Computes samples of a level.
    func update(_ level: Level, in samples: Rect) throws(FrostError)

    /// Writes the plan's region to its position in the target.
    ///
    /// - Parameter level: the level that is kept for the plan, if there is one: passes before its cut do not run.
    func draw(_ plan: Plan, from level: Level?, mask: MaskImage?) throws(FrostError)
}

/// The samples of a ``LayeredPlan`` in some memory.
protocol BackdropLevel: AnyObject {
    var layers: LayeredPlan { get }
    /// Whether a panel's plan needs the same samples, bit for bit.
    func serves(_ plan: Plan) -> Bool
}
