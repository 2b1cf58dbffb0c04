/// Accelerates its items equally, whatever their mass. Several gravity behaviours add up.
///
/// A magnitude of 1 is 1000 points per second squared.
public final class GravityBehavior: ItemListBehavior, ForceBehavior {
    private var direction = DirectedMagnitude(Vector(dx: 0, dy: 1)) { didSet { changed(.value) } }

    /// Creates a gravity of magnitude 1 that points downwards.
    public override init(items: [any DynamicItem] = []) { super.init(items: items) }

    /// The direction and strength: (0, 1) by default. Its length is the magnitude.
    public var gravityDirection: Vector {
        get { direction.vector }
        set { direction.vector = newValue }
    }

    /// The angle in radians, clockwise from the x axis: π/2 by default.
    public var angle: Double {
        get { direction.angle }
        set { direction.angle = newValue }
    }

    /// The strength: 1 by default, up to ±1000.
    public var magnitude: Double {
        get { direction.magnitude }
        set { direction.magnitude = newValue }
    }

    override func checkValues(for animator: Animator) throws(DynamicsError) {
        try DynamicsLimits.check(gravityDirection, "gravity's direction", upTo: 1000)
    }

    func applyForces(in world: World) throws(DynamicsError) {
        // 1000 points per second squared.
        let acceleration = 1000 / World.pointsPerMeter * gravityDirection
        for body in targets { try world.apply(force: world.mass(of: body) * acceleration, to: body) }
    }
}
