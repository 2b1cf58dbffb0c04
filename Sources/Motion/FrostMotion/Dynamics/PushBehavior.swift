/// Pushes its items, continuously or once.
///
/// The mass of an item is density · width · height / 10,000. A magnitude of 1 accelerates an item of 100x100 points and
/// density 1 by 100 points per second squared, or changes its velocity by 100 points per second if the push is
/// instantaneous.
public final class PushBehavior: ItemListBehavior, ForceBehavior {
    /// How long a push lasts.
    public enum Mode: Sendable {
        /// A force that acts as long as the push is active.
        case continuous
        /// An impulse. The push is inactive afterwards.
        case instantaneous
    }

    /// How long the push lasts.
    public let mode: Mode
    private var offsets: [ObjectIdentifier: Vector] = [:]
    private var direction = DirectedMagnitude(.zero) { didSet { changed(.value) } }

    /// Creates an active push of magnitude 0.
    public init(items: [any DynamicItem] = [], mode: Mode) {
        self.mode = mode
        super.init(items: items)
    }

    /// Whether the push acts. An instantaneous push becomes inactive when it has acted; set it to true to push again.
    public var active = true { didSet { if active { changed(.value) } } }

    /// The direction and strength. Its length is the magnitude.
    public var pushDirection: Vector {
        get { direction.vector }
        set { direction.vector = newValue }
    }

    /// The angle in radians, clockwise from the x axis.
    public var angle: Double {
        get { direction.angle }
        set { direction.angle = newValue }
    }

    /// The strength, up to ±1,000,000.
    public var magnitude: Double {
        get { direction.magnitude }
        set { direction.magnitude = newValue }
    }

    /// Sets the point at which an item is pushed, as the distance from its centre in points. The distance is in the axes
    /// of the reference rectangle, so it does not turn with the item. A push beside the centre turns the item. Does
    /// nothing if the behaviour does not contain the item.
    public func setTargetOffsetFromCenter(_ offset: Vector, for item: any DynamicItem) {
        guard contains(item) else { return }
        offsets[ObjectIdentifier(item)] = offset
        changed(.value)
    }

    /// The point at which an item is pushed, as the distance from its centre in points.
    public func targetOffsetFromCenter(for item: any DynamicItem) -> Vector { offsets[ObjectIdentifier(item)] ?? .zero }

    override func didRemove(_ item: any DynamicItem) { offsets[ObjectIdentifier(item)] = nil }

    override func checkValues(for animator: Animator) throws(DynamicsError) {
        try DynamicsLimits.check(pushDirection, "push's direction", upTo: DynamicsLimits.force)
        for item in items {
            guard let offset = offsets[ObjectIdentifier(item)] else { continue }
            try DynamicsLimits.check(offset, "push's offset", upTo: DynamicsLimits.anchor)
        }
    }

    func applyOnce(in world: World) throws(DynamicsError) {
        guard mode == .instantaneous, active else { return }
        active = false
        for (item, body) in zip(items, targets) {
            try world.apply(impulse: pushDirection, angular: torque(on: item), to: body)
        }
    }

    func applyForces(in world: World) throws(DynamicsError) {
        guard mode == .continuous, active, magnitude != 0 else { return }
        for (item, body) in zip(items, targets) {
            try world.apply(force: pushDirection, torque: torque(on: item), to: body)
        }
    }

    /// The cross product of the offset in metres and the force.
    private func torque(on item: any DynamicItem) -> Double {
        guard let offset = offsets[ObjectIdentifier(item)] else { return 0 }
        return (offset.dx * pushDirection.dy - offset.dy * pushDirection.dx) / World.pointsPerMeter
    }
}
