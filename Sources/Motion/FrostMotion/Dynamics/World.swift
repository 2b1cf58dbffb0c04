import CBox2D
import Glibc

/// The number of a body in a ``World``.
typealias BodyNumber = Int32

/// The number of a joint in a ``World``.
typealias JointNumber = Int32

/// Box2D's world in points instead of metres. This type alone calls the shim.
///
/// The centre of the animator's reference rectangle is Box2D's origin, where its 32-bit numbers are most precise.
@safe final class World {
    /// One metre of Box2D in points. Box2D is tuned for bodies of 0.1 to 10 m.
    static let pointsPerMeter = 100.0
    /// The duration of a step in seconds.
    static let step = 1.0 / 120

    private let world: OpaquePointer
    private let origin: Point

    init(origin: Point) throws(DynamicsError) {
        guard let world = unsafe frost_box_world_create() else { throw .outOfMemory }
        unsafe self.world = world
        self.origin = origin
    }

    deinit {
        // SAFETY: the world belongs to this object alone, and no method runs during deinit.
        unsafe frost_box_world_destroy(world)
    }

    // MARK: Units

    private static func meters(_ points: Double) -> Float { Float(points / pointsPerMeter) }

    private func meters(_ point: Point) -> (x: Float, y: Float) {
        (World.meters(point.x - origin.x), World.meters(point.y - origin.y))
    }

    private func point(_ x: Float, _ y: Float) -> Point {
        Point(x: origin.x + Double(x) * World.pointsPerMeter, y: origin.y + Double(y) * World.pointsPerMeter)
    }

    private func check(_ status: frost_box_status, _ operation: String) throws(DynamicsError) {
        guard status.rawValue < FROST_BOX_OK.rawValue else { return }
        throw status == FROST_BOX_NO_MEMORY ? .outOfMemory : .refused(operation: operation)
    }

    private func check(number: Int32, _ operation: String) throws(DynamicsError) -> Int32 {
        try check(frost_box_status(rawValue: min(number, 0)), operation)
        return number
    }

    // MARK: Steps

    func advance() throws(DynamicsError) {
        // SAFETY: here and below, the world is alive because this object owns it, and only one thread uses it.
        try check(unsafe frost_box_world_step(world, Float(World.step)), "advance the world")
    }

    var isAwake: Bool { unsafe frost_box_world_is_awake(world) }

    func wake() { unsafe frost_box_world_wake(world) }

    /// A contact of two bodies that began, with its point, or ended.
    struct Event {
        let first, second: BodyNumber
        let point: Point?
    }

    /// Returns the events since the last call in the order in which they happened.
    func takeEvents() -> [Event] {
        let count = unsafe frost_box_world_event_count(world)
        guard count > 0 else { return [] }
        var events: [Event] = []
        events.reserveCapacity(count)
        var event = frost_box_event()
        for index in 0..<count where unsafe frost_box_world_event(world, index, &event) == FROST_BOX_OK {
            events.append(
                Event(
                    first: min(event.body_a, event.body_b), second: max(event.body_a, event.body_b),
                    point: event.began ? point(event.x, event.y) : nil))
        }
        unsafe frost_box_world_clear_events(world)
        return events
    }

    // MARK: Bodies

    func createBody(center: Point, rotation: Double, size: Size) throws(DynamicsError) -> BodyNumber {
        let (x, y) = meters(center)
        return try check(
            number: unsafe frost_box_body_create(
                world, x, y, Float(rotation), World.meters(size.width), World.meters(size.height)), "create a body")
    }

    func createAnchor(at point: Point) throws(DynamicsError) -> BodyNumber {
        let (x, y) = meters(point)
        return try check(number: unsafe frost_box_anchor_create(world, x, y), "create an anchor")
    }

    func createBoundary(_ points: [Point], group: UInt32) throws(DynamicsError) -> BodyNumber {
        let coordinates = points.flatMap { point in
            let (x, y) = meters(point)
            return [x, y]
        }
        return try unsafe coordinates.withUnsafeBufferPointer { buffer throws(DynamicsError) in
            guard let base = buffer.baseAddress else { throw .refused(operation: "create an empty boundary") }
            // SAFETY: the buffer holds two numbers for each point.
            return try check(
                number: unsafe frost_box_boundary_create(world, base, points.count, group), "create a boundary")
        }
    }

    func destroy(body: BodyNumber) throws(DynamicsError) {
        try check(unsafe frost_box_body_destroy(world, body), "destroy a body")
    }

    /// The position and motion of a body. Velocities are per second.
    struct BodyMotion {
        var center: Point
        var rotation: Double
        var velocity: Vector
        var angularVelocity: Double
        var isAwake: Bool
    }

    func state(of body: BodyNumber) throws(DynamicsError) -> BodyMotion {
        var state = frost_box_state()
        try check(unsafe frost_box_body_state(world, body, &state), "read a body")
        return BodyMotion(
            center: point(state.x, state.y), rotation: Double(state.angle),
            velocity: World.pointsPerMeter * Vector(dx: Double(state.velocity_x), dy: Double(state.velocity_y)),
            angularVelocity: Double(state.angular_velocity), isAwake: state.is_awake)
    }

    func mass(of body: BodyNumber) -> Double { Double(unsafe frost_box_body_mass(world, body)) }

    func move(_ body: BodyNumber, to center: Point, rotation: Double = 0) throws(DynamicsError) {
        let (x, y) = meters(center)
        try check(unsafe frost_box_body_move(world, body, x, y, Float(rotation)), "move a body")
    }

    func resize(_ body: BodyNumber, to size: Size) throws(DynamicsError) {
        try check(
            unsafe frost_box_body_resize(world, body, World.meters(size.width), World.meters(size.height)),
            "resize a body")
    }

    func setMaterial(_ material: Material, of body: BodyNumber) throws(DynamicsError) {
        var raw = frost_box_material(
            density: Float(material.density), friction: Float(material.friction),
            elasticity: Float(material.elasticity), resistance: Float(material.resistance),
            angular_resistance: Float(material.angularResistance), allows_rotation: material.allowsRotation,
            is_anchored: material.isAnchored)
        try check(unsafe frost_box_body_set_material(world, body, &raw), "set a material")
    }

    /// Sets the collision groups of a body. Both lists must be in ascending order.
    func setGroups(_ groups: CollisionGroups, of body: BodyNumber) throws(DynamicsError) {
        let status = unsafe groups.items.withUnsafeBufferPointer { items in
            unsafe groups.boundaries.withUnsafeBufferPointer { boundaries in
                // SAFETY: the shim copies the lists.
                unsafe frost_box_body_set_groups(
                    world, body, items.baseAddress, items.count, boundaries.baseAddress, boundaries.count)
            }
        }
        try check(status, "set collision groups")
    }

    // MARK: Forces

    func addVelocity(_ velocity: Vector, angular: Double, to body: BodyNumber) throws(DynamicsError) {
        try check(
            unsafe frost_box_body_add_velocity(
                world, body, World.meters(velocity.dx), World.meters(velocity.dy), Float(angular)), "add a velocity")
    }

    /// Applies a force in newtons and a torque in newton metres during the next step.
    func apply(force: Vector, torque: Double = 0, to body: BodyNumber) throws(DynamicsError) {
        try check(
            unsafe frost_box_body_apply_force(world, body, Float(force.dx), Float(force.dy), Float(torque)),
            "apply a force")
    }

    func apply(impulse: Vector, angular: Double, to body: BodyNumber) throws(DynamicsError) {
        try check(
            unsafe frost_box_body_apply_impulse(world, body, Float(impulse.dx), Float(impulse.dy), Float(angular)),
            "apply an impulse")
    }

    /// Accelerates a body like a damped spring that pulls its centre to a point and its angle to a full turn.
    func pull(_ body: BodyNumber, to point: Point, frequency: Double, dampingRatio: Double) throws(DynamicsError) {
        let (x, y) = meters(point)
        try check(
            unsafe frost_box_body_pull(
                world, body, x, y, Float(frequency), Float(dampingRatio), Float(World.step)), "pull a body")
    }

    // MARK: Joints

    func createJoint(
        _ joint: Joint, from first: BodyNumber, to second: BodyNumber
    ) throws(DynamicsError) -> JointNumber {
        var raw = frost_box_joint()
        raw.body_a = first
        raw.body_b = second
        (raw.anchor_a_x, raw.anchor_a_y) = (World.meters(joint.firstAnchor.dx), World.meters(joint.firstAnchor.dy))
        (raw.anchor_b_x, raw.anchor_b_y) = (World.meters(joint.secondAnchor.dx), World.meters(joint.secondAnchor.dy))
        raw.reference_angle = Float(joint.referenceAngle)
        switch joint.kind {
        case .distance(let length, let frequency, let damping):
            raw.kind = FROST_BOX_DISTANCE
            raw.length = World.meters(length)
            raw.frequency = Float(frequency)
            raw.damping_ratio = Float(damping)
        case .rope(let length):
            raw.kind = FROST_BOX_ROPE
            raw.length = World.meters(length)
        case .pin(let range, let friction):
            raw.kind = FROST_BOX_PIN
            if let range {
                (raw.has_range, raw.lower, raw.upper) = (true, Float(range.lowerBound), Float(range.upperBound))
            }
            raw.friction = Float(friction)
        case .fixed: raw.kind = FROST_BOX_FIXED
        case .sliding(let axis, let range, let friction):
            raw.kind = FROST_BOX_SLIDING
            (raw.axis_x, raw.axis_y) = (Float(axis.dx), Float(axis.dy))
            if let range {
                (raw.has_range, raw.lower, raw.upper) = (
                    true, World.meters(range.lowerBound), World.meters(range.upperBound)
                )
            }
            raw.friction = Float(friction)
        }
        return try check(number: unsafe frost_box_joint_create(world, &raw), "create a joint")
    }

    func destroy(joint: JointNumber) throws(DynamicsError) {
        try check(unsafe frost_box_joint_destroy(world, joint), "destroy a joint")
    }
}

/// How an item reacts to forces and contacts. The defaults are those of items without an ``ItemBehavior``.
struct Material: Equatable {
    var elasticity = 0.2
    var friction = 0.2
    var density = 1.0
    var resistance = 0.1
    var angularResistance = 0.1
    var allowsRotation = true
    var isAnchored = false
}

/// The collision behaviours that an item belongs to, by number and in ascending order: those that make it collide with
/// items, and those that make it collide with boundaries.
struct CollisionGroups: Equatable {
    var items: [UInt32] = []
    var boundaries: [UInt32] = []
}

/// A joint between two bodies.
struct Joint: Equatable {
    enum Kind: Equatable {
        /// A distance in points. It is rigid if the frequency is 0.
        case distance(length: Double, frequency: Double, damping: Double)
        /// The largest distance in points.
        case rope(length: Double)
        /// The range is in radians.
        case pin(range: ClosedRange<Double>?, friction: Double)
        case fixed
        /// The axis has length 1 and turns with the first body. The range is in points.
        case sliding(axis: Vector, range: ClosedRange<Double>?, friction: Double)
    }

    var kind: Kind
    /// The anchors in points from the centre of each body, in the axes of the body.
    var firstAnchor, secondAnchor: Vector
    /// The angle of the second body minus that of the first one which counts as 0.
    var referenceAngle: Double
}
