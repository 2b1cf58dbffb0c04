import FrostCore

/// A behaviour of a scene's dynamics, and the time during which it acts.
public struct SceneBehavior: Sendable, Hashable {
    /// The names of the items that it acts on; nil for all items.
    public let items: [String]?
    /// The time in seconds during which it acts. The end is nil if it stays.
    public let from: Double, to: Double?
    /// The contact with which it begins to act, and which must not be before ``from``; nil if it begins at ``from``.
    public let contact: Contact?
    /// The seconds that it acts after the contact; nil if it stays until ``to``.
    public let length: Double?
    /// What it does.
    public let kind: Kind
    let path: ScenePath

    /// The beginning of a contact of two items, or of an item with a boundary.
    public struct Contact: Sendable, Hashable {
        /// The name of the item.
        public let item: String
        /// The name of the other item; nil for anything that the item touches.
        public let other: String?
        let path: ScenePath
    }

    /// What a behaviour does. Lengths are in pixels, which count as points; angles are in degrees, clockwise.
    public enum Kind: Sendable, Hashable {
        /// A ``GravityBehavior``.
        case gravity(magnitude: Double, angle: Double)
        /// A ``PushBehavior``.
        case push(magnitude: Double, angle: Double, isInstantaneous: Bool, offset: SIMD2<Double>)
        /// A ``CollisionBehavior``.
        ///
        /// - Parameters:
        ///   - insets: the distances of the boundary from the frame's top, left, bottom and right edge; nil for no boundary
        ///     around the frame.
        ///   - boundaries: lines of points.
        case collision(CollisionBehavior.Mode, insets: [Double]?, boundaries: [[SIMD2<Double>]])
        /// A ``SnapBehavior`` of one item.
        case snap(SIMD2<Double>, damping: Double)
        /// An ``AttachmentBehavior`` of one item to a point, or of two items to each other.
        case attachment(Attachment)
        /// An ``ItemBehavior``.
        case properties(Properties)
        /// A ``FieldBehavior``.
        case field(ForceField)
    }

    /// The numbers of a field.
    public struct ForceField: Sendable, Hashable {
        /// What the field does to items.
        public enum Form: String, Sendable, Hashable, CaseIterable {
            /// Slows them; accelerates them in a direction, towards a point, around a point, or like a spring.
            case drag, vortex, spring
            case linearGravity = "linear-gravity"
            case radialGravity = "radial-gravity"
        }

        /// What the field does.
        public let form: Form
        /// The centre, and the direction of a linear gravity field.
        public let position, direction: SIMD2<Double>
        /// The strength, and how fast it decreases with the distance.
        public let strength, falloff: Double
        /// The distance within which the strength does not decrease, and the distance beyond which the field does not act; nil
        /// for no such distance.
        public let minimumRadius: Double, regionRadius: Double?
    }

    /// The numbers of an attachment.
    public struct Attachment: Sendable, Hashable {
        /// How the item is attached.
        public enum Form: String, Sendable, Hashable, CaseIterable {
            /// At a distance, stiff or like a spring; no farther than a distance; turning around a point; rigidly; along an
            /// axis.
            case distance, limit, pin, fixed, sliding
        }

        /// How the item is attached.
        public let form: Form
        /// The point to which one item is attached, or at which two are joined; nil where none is needed.
        public let anchor: SIMD2<Double>?
        /// The points of the items that are attached, from their centres.
        public let offset, otherOffset: SIMD2<Double>
        /// The distance; nil for the distance at the beginning.
        public let length: Double?
        /// The spring's damping and its frequency in Hz; frequency 0 for a stiff bar.
        public let damping, frequency: Double
        /// The direction of a sliding attachment.
        public let axis: SIMD2<Double>
    }

    /// The properties that an ``ItemBehavior`` sets. Nil keeps a property.
    public struct Properties: Sendable, Hashable {
        /// The material's numbers.
        public let elasticity, friction, density, resistance, angularResistance: Double?
        /// Whether the items may turn, and whether they stay where they are.
        public let allowsRotation, isAnchored: Bool?
        /// The velocity to add in pixels per second, and the angular velocity in degrees per second.
        public let velocity: SIMD2<Double>, angularVelocity: Double
    }
}
