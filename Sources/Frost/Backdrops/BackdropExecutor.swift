import FrostCore

/// Does the work of a ``BackdropScene`` on the picture and target of one frame.
protocol BackdropExecutor {
    associatedtype Level: BackdropLevel

    /// The overhead of computing one part of a level, as the number of samples that take the same time to compute.
    static var partCost: Int { get }

    /// Checks that a panel's plan matches the formats of picture and target.
    ///
    /// - Throws: ``FrostError/pixels(_:)`` if the formats do not match.
    func check(_ plan: Plan) throws(FrostError)

    /// Creates the low-resolution level to keep for a panel's plan, for the whole extent. Returns nil if the plan has to be
    /// computed from the picture each time.
    func makeLevel(of plan: Plan) throws(FrostError) -> Level?

    /// Frees a level that no panel needs any more.
    func drop(_ level: Level)

    /// Computes samples of a level.
    func update(_ level: Level, in samples: Rect) throws(FrostError)

    /// Writes the plan's region to its position in the target.
    ///
    /// - Parameter level: the level that is kept for the plan, or nil. With a level, the passes before the level's cut do
    ///   not run.
    func draw(_ plan: Plan, from level: Level?, mask: MaskImage?) throws(FrostError)
}

/// The stored samples of a ``LayeredPlan``.
protocol BackdropLevel: AnyObject {
    /// The split of the plan into passes that compute the level and passes that draw from the level.
    var layers: LayeredPlan { get }
    /// Whether a panel's plan needs the same samples, bit for bit.
    func serves(_ plan: Plan) -> Bool
}
