/// Sets how its items react to forces and contacts.
///
/// Only the properties that were set override an item's own. If several behaviours set a property of an item, the one
/// that was added to the animator last applies. The properties are nil until they are set. Without any, an item has
/// elasticity 0.2, friction 0.2, density 1, resistance 0.1 and angular resistance 0.1, is allowed to turn and not
/// anchored.
public final class ItemBehavior: ItemListBehavior {
    private var pending: [(item: any DynamicItem, velocity: Vector, angular: Double)] = []

    /// Creates a behaviour that sets nothing.
    public override init(items: [any DynamicItem] = []) { super.init(items: items) }

    /// How much of the speed is kept in a collision: 0 for nothing to 1 for all. The greater elasticity of the two items
    /// counts. Boundaries have elasticity 0.
    public var elasticity: Double? { didSet { changed(.structure) } }
    /// The coefficient of friction, 0...1000. That of a contact is √(f1·f2). Boundaries have friction 0.2.
    public var friction: Double? { didSet { changed(.structure) } }
    /// The density, 0.001...1000. The mass is density · width · height / 10,000.
    public var density: Double? { didSet { changed(.structure) } }
    /// The rate at which the velocity decays, per second: 0 for none to 1,000,000.
    public var resistance: Double? { didSet { changed(.structure) } }
    /// The rate at which the angular velocity decays, per second: 0 for none to 1,000,000.
    public var angularResistance: Double? { didSet { changed(.structure) } }
    /// Whether the items may turn.
    public var allowsRotation: Bool? { didSet { changed(.structure) } }
    /// Whether the items stay where they are. Others collide with them as with boundaries.
    public var isAnchored: Bool? { didSet { changed(.structure) } }

    /// Adds a velocity to that of an item, at the next tick or when the behaviour becomes part of an animator. Does
    /// nothing if the behaviour does not contain the item.
    ///
    /// - Parameter velocity: in points per second, up to 100,000 along each axis. An item moves at most 200 points per
    ///   step, which is 24,000 points per second.
    /// - Throws: ``DynamicsError/parameter(_:)`` for larger numbers and NaN.
    public func addLinearVelocity(_ velocity: Vector, for item: any DynamicItem) throws(DynamicsError) {
        try DynamicsLimits.check(velocity, "velocity", upTo: DynamicsLimits.velocity)
        addVelocity(velocity, angular: 0, for: item)
    }

    /// Adds an angular velocity to that of an item, like ``addLinearVelocity(_:for:)``.
    ///
    /// - Parameter velocity: in radians per second, clockwise, up to 1000. An item turns by at most a quarter turn per
    ///   step.
    /// - Throws: ``DynamicsError/parameter(_:)`` for larger numbers and NaN.
    public func addAngularVelocity(_ velocity: Double, for item: any DynamicItem) throws(DynamicsError) {
        try DynamicsLimits.check(velocity, "angular velocity", in: -DynamicsLimits.angle...DynamicsLimits.angle)
        addVelocity(.zero, angular: velocity, for: item)
    }

    private func addVelocity(_ velocity: Vector, angular: Double, for item: any DynamicItem) {
        guard contains(item) else { return }
        pending.append((item, velocity, angular))
        changed(.structure)
    }

    /// The velocity of an item in points per second, after the last tick. It is 0 if the behaviour does not contain the
    /// item or is not part of an animator.
    public func linearVelocity(for item: any DynamicItem) -> Vector { state(of: item)?.velocity ?? .zero }

    /// The angular velocity of an item in radians per second, clockwise, like ``linearVelocity(for:)``.
    public func angularVelocity(for item: any DynamicItem) -> Double { state(of: item)?.angularVelocity ?? 0 }

    private func state(of item: any DynamicItem) -> World.BodyMotion? {
        contains(item) ? animator?.state(of: item) : nil
    }

    // MARK: For the animator

    override func didRemove(_ item: any DynamicItem) { pending.removeAll { $0.item === item } }

    override func checkValues(for animator: Animator) throws(DynamicsError) {
        for (name, value, allowed) in [
            ("elasticity", elasticity, 0...1), ("friction", friction, 0...1000), ("density", density, 0.001...1000),
            ("resistance", resistance, 0...1_000_000), ("angular resistance", angularResistance, 0...1_000_000),
        ] {
            if let value { try DynamicsLimits.check(value, name, in: allowed) }
        }
    }

    /// Replaces the properties of a material that were set.
    func override(_ material: inout Material) {
        if let elasticity { material.elasticity = elasticity }
        if let friction { material.friction = friction }
        if let density { material.density = density }
        if let resistance { material.resistance = resistance }
        if let angularResistance { material.angularResistance = angularResistance }
        if let allowsRotation { material.allowsRotation = allowsRotation }
        if let isAnchored { material.isAnchored = isAnchored }
    }

    /// Returns the velocities to add, and forgets them.
    func takeVelocities() -> [(item: any DynamicItem, velocity: Vector, angular: Double)] {
        defer { pending = [] }
        return pending
    }
}
