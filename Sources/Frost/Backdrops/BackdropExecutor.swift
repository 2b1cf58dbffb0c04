import FrostCore

/// What a ``BackdropScene`` has done for it, on one frame's picture and target.
protocol BackdropExecutor {
    associatedtype Level: BackdropLevel

    /// So many cells take as long as it does to begin with a part.
    static var partCost: Int { get }

    /// - Throws: ``FrostError/pixels(_:)`` if a panel's plan does not go together with the picture's and the target's formats.
    func check(_ plan: Plan) throws(FrostError)

    /// What is worth keeping of a panel's plan, for the whole extent; nil for what has to be made of the picture each time.
    func makeLevel(of plan: Plan) throws(FrostError) -> Level?

    /// No panel needs a level any more.
    func drop(_ level: Level)

    /// Computes cells of a level.
    func update(_ level: Level, in cells: Rect) throws(FrostError)

    /// Writes the plan's region to where it lies in the target.
    ///
    /// - Parameter level: what the plan is made of, if any is kept for it: passes before its cut are not carried out.
    func draw(_ plan: Plan, from level: Level?, mask: MaskImage?) throws(FrostError)
}

/// The cells of a ``LayeredPlan`` in some memory.
protocol BackdropLevel: AnyObject {
    var layers: LayeredPlan { get }
    /// Whether a panel's plan is made of the same cells, to the bit.
    func serves(_ plan: Plan) -> Bool
}
