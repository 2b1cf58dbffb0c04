import Glibc

/// Accelerates its items as a field says at the place where they are, whatever their mass.
///
/// Beyond `minimumRadius` from `position`, the acceleration of every kind falls off by
/// (`minimumRadius` / distance)^`falloff`. It is 0 beyond `regionRadius`. The static methods create the kinds. UIKit does
/// not document the laws or units of its fields; those given here are Frost's.
public final class FieldBehavior: ItemListBehavior, ForceBehavior {
    private enum Kind {
        case drag, linearGravity, radialGravity, vortex, spring

        /// The largest strength, up to which steps of 1/120 s are stable.
        var limit: Double {
            switch self {
            case .drag: 100
            case .linearGravity, .radialGravity, .vortex: 1000
            case .spring: 10_000
            }
        }
    }

    private let kind: Kind

    private init(_ kind: Kind) {
        self.kind = kind
        super.init(items: [])
    }

    /// Returns a field that slows items: the acceleration is -`strength` per second times the velocity.
    public static func dragField() -> FieldBehavior { FieldBehavior(.drag) }

    /// Returns a field that accelerates items in a direction: by 1000 points per second squared for a strength of 1 and a
    /// vector of length 1.
    public static func linearGravityField(direction: Vector) -> FieldBehavior {
        let field = FieldBehavior(.linearGravity)
        field.direction = direction
        return field
    }

    /// Returns a field that accelerates items towards a point: by 1000 points per second squared for a strength of 1.
    public static func radialGravityField(position: Point) -> FieldBehavior {
        let field = FieldBehavior(.radialGravity)
        field.position = position
        return field
    }

    /// Returns a field that accelerates items clockwise around its position: by 1000 points per second squared for a
    /// strength of 1.
    public static func vortexField() -> FieldBehavior { FieldBehavior(.vortex) }

    /// Returns a field that accelerates items like a spring: towards its position by `strength` per second squared times
    /// the distance.
    public static func springField() -> FieldBehavior { FieldBehavior(.spring) }

    /// The centre of the field: (0, 0) by default.
    public var position = Point.zero { didSet { changed(.value) } }
    /// The direction of a linear gravity field. Its components are at most 1000.
    public var direction = Vector.zero { didSet { changed(.value) } }
    /// The strength: 1 by default. It is limited to ±1000, for drag to ±100 and for springs to ±10,000.
    public var strength = 1.0 { didSet { changed(.value) } }
    /// How fast the acceleration decreases with the distance: 0 by default for not at all, at most 10.
    public var falloff = 0.0 { didSet { changed(.value) } }
    /// The distance in points within which the acceleration does not fall off: 100 by default, above 0.1.
    public var minimumRadius = 100.0 { didSet { changed(.value) } }
    /// The distance in points beyond which the field does not act: infinite by default.
    public var regionRadius = Double.infinity { didSet { changed(.value) } }

    override func checkValues(for animator: Animator) throws(DynamicsError) {
        try DynamicsLimits.check(position, "field's position", from: animator.origin)
        try DynamicsLimits.check(direction, "field's direction", upTo: 1000)
        try DynamicsLimits.check(strength, "field's strength", in: -kind.limit...kind.limit)
        try DynamicsLimits.check(falloff, "field's falloff", in: 0...10)
        try DynamicsLimits.check(minimumRadius, "field's minimum radius", in: 0.1...DynamicsLimits.coordinate)
        try DynamicsLimits.check(regionRadius, "field's region radius", in: 0...Double.infinity)
    }

    func applyForces(in world: World) throws(DynamicsError) {
        for body in targets {
            let acceleration = acceleration(of: try world.state(of: body))
            try world.apply(force: world.mass(of: body) / World.pointsPerMeter * acceleration, to: body)
        }
    }

    /// The acceleration in points per second squared.
    private func acceleration(of state: World.BodyMotion) -> Vector {
        let offset = state.center - position
        let distance = offset.length
        guard distance <= regionRadius else { return .zero }
        let factor = strength * pow(minimumRadius / max(distance, minimumRadius), falloff)
        switch kind {
        case .drag: return -factor * state.velocity
        case .linearGravity: return 1000 * factor * direction
        case .radialGravity: return distance > 0 ? -1000 * factor / distance * offset : .zero
        case .vortex:
            // A quarter turn clockwise of the offset.
            return distance > 0 ? 1000 * factor / distance * Vector(dx: -offset.dy, dy: offset.dx) : .zero
        case .spring: return -factor * offset
        }
    }
}
