import Glibc

/// Connects an item with an anchor or with another item.
///
/// A plain attachment keeps its two points at a distance: rigidly, or like a spring if `frequency` is above 0. The other
/// kinds are created by static methods. Distances, positions and angles are measured when the attachment is created.
/// A point of attachment may lie outside its item: up to 100 times the item's diagonal and up to 10,000 points from the
/// centre along each axis.
/// Attached items still collide with each other if a ``CollisionBehavior`` contains both.
public final class AttachmentBehavior: DynamicBehavior {
    /// What an item is attached to.
    public enum AttachedType: Sendable {
        /// Another item.
        case items
        /// A point of the reference rectangle.
        case anchor
    }

    private enum Kind {
        case distance, limit, pin, fixed
        /// The axis has length 1 and turns with the second item, if there is one.
        case sliding(Vector)
    }

    private let kind: Kind
    private let item: any DynamicItem
    private let other: (any DynamicItem)?
    /// The points of attachment, as the distance from the centre of each item in the axes of the item.
    private let offset, otherOffset: Vector
    /// The angle of the item minus that of the other item.
    private let angle: Double

    /// Attaches the centre of an item to an anchor.
    public convenience init(item: any DynamicItem, attachedToAnchor anchor: Point) {
        self.init(item: item, offsetFromCenter: .zero, attachedToAnchor: anchor)
    }

    /// Attaches a point of an item to an anchor.
    ///
    /// - Parameter offset: the distance of the point from the item's centre, in points and in the axes of the item.
    public convenience init(item: any DynamicItem, offsetFromCenter offset: Vector, attachedToAnchor anchor: Point) {
        self.init(kind: .distance, item, offset, to: nil, .zero, anchor: anchor)
    }

    /// Attaches the centre of an item to the centre of another item.
    public convenience init(item: any DynamicItem, attachedTo other: any DynamicItem) {
        self.init(item: item, offsetFromCenter: .zero, attachedTo: other, offsetFromCenter: .zero)
    }

    /// Attaches a point of an item to a point of another item.
    ///
    /// - Parameters:
    ///   - item: the first item.
    ///   - offset: the distance of the point from the first item's centre, in points and in the axes of the item.
    ///   - other: the second item.
    ///   - otherOffset: the same for the second item.
    public convenience init(
        item: any DynamicItem, offsetFromCenter offset: Vector, attachedTo other: any DynamicItem,
        offsetFromCenter otherOffset: Vector
    ) {
        self.init(kind: .distance, item, offset, to: other, otherOffset, anchor: .zero)
    }

    /// Returns an attachment that lets two items turn around a common point. `attachmentRange` limits the angle.
    public static func pinAttachment(
        with item: any DynamicItem, attachedTo other: any DynamicItem, attachmentAnchor anchor: Point
    ) -> AttachmentBehavior { joining(.pin, item, other, at: anchor) }

    /// Returns an attachment that keeps two items as if they were one.
    public static func fixedAttachment(
        with item: any DynamicItem, attachedTo other: any DynamicItem, attachmentAnchor anchor: Point
    ) -> AttachmentBehavior { joining(.fixed, item, other, at: anchor) }

    /// Returns an attachment like a rope: `length` is the largest distance of the two points.
    public static func limitAttachment(
        with item: any DynamicItem, offsetFromCenter offset: Vector, attachedTo other: any DynamicItem,
        offsetFromCenter otherOffset: Vector
    ) -> AttachmentBehavior {
        AttachmentBehavior(kind: .limit, item, offset, to: other, otherOffset, anchor: .zero)
    }

    /// Returns an attachment that lets an item slide along an axis of another item. The items keep their relative angle.
    /// `attachmentRange` limits the position along the axis.
    ///
    /// - Parameter axis: the direction at the time of the call. It turns with the other item.
    public static func slidingAttachment(
        with item: any DynamicItem, attachedTo other: any DynamicItem, attachmentAnchor anchor: Point,
        axisOfTranslation axis: Vector
    ) -> AttachmentBehavior {
        joining(.sliding(normalized(axis).rotated(by: -other.rotation)), item, other, at: anchor)
    }

    /// Returns an attachment that lets an item slide along a line through an anchor. The item keeps its angle.
    /// `attachmentRange` limits the position along the line.
    public static func slidingAttachment(
        with item: any DynamicItem, attachmentAnchor anchor: Point, axisOfTranslation axis: Vector
    ) -> AttachmentBehavior { joining(.sliding(normalized(axis)), item, nil, at: anchor) }

    private static func joining(
        _ kind: Kind, _ item: any DynamicItem, _ other: (any DynamicItem)?, at anchor: Point
    ) -> AttachmentBehavior {
        func offset(in item: any DynamicItem) -> Vector { (anchor - item.center).rotated(by: -item.rotation) }
        return AttachmentBehavior(
            kind: kind, item, offset(in: item), to: other, other.map(offset(in:)) ?? .zero, anchor: anchor)
    }

    /// Returns a vector of length 1. The zero vector and vectors that are not finite become NaN, which is an error later.
    private static func normalized(_ vector: Vector) -> Vector {
        Vector(dx: vector.dx / vector.length, dy: vector.dy / vector.length)
    }

    private init(
        kind: Kind, _ item: any DynamicItem, _ offset: Vector, to other: (any DynamicItem)?, _ otherOffset: Vector,
        anchor: Point
    ) {
        self.kind = kind
        self.item = item
        self.other = other
        self.offset = offset
        self.otherOffset = otherOffset
        angle = item.rotation - (other?.rotation ?? 0)
        anchorPoint = anchor
        let end = other.map { $0.center + otherOffset.rotated(by: $0.rotation) } ?? anchor
        length = (item.center + offset.rotated(by: item.rotation) - end).length
    }

    // MARK: Properties

    /// The items: one, or two if the attachment is between items.
    public var items: [any DynamicItem] { other.map { [item, $0] } ?? [item] }
    /// What the item is attached to.
    public var attachedBehaviorType: AttachedType { other == nil ? .anchor : .items }
    /// The anchor, for attachments to an anchor. An anchor that moves takes the item along.
    public var anchorPoint: Point { didSet { changed(.structure) } }
    /// The distance of the two points of a plain attachment, or the largest distance of a rope, in points.
    public var length: Double { didSet { changed(.structure) } }
    /// The damping of a spring: 0 by default for none, 1 for critical damping, at most 1000.
    public var damping = 0.0 { didSet { changed(.structure) } }
    /// The frequency of a plain attachment's spring in Hz: 0 by default for a rigid attachment, at most 1000.
    ///
    /// The stiffness follows from the frequency and the masses alone, so it does not account for rotation if a point of
    /// attachment is not at the centre. The motion is exact up to 9 Hz, and for critical damping at any frequency. Faster
    /// springs with little damping are damped more than `damping` says, so that several of them on one item stay stable.
    /// The two points do not pass through each other: a spring that reaches length 0 stops there.
    public var frequency = 0.0 { didSet { changed(.structure) } }
    /// The resistance of a pin to turning in newton metres, or of a sliding attachment to sliding in newtons: 0 by
    /// default. 1 N accelerates an item of 100x100 points and density 1 by 100 points per second squared.
    public var frictionTorque = 0.0 { didSet { changed(.structure) } }
    /// The range of a pin's angle in radians or of a sliding attachment's position in points, relative to where the items
    /// were when the attachment was created. A bound may be infinite. The whole range is infinite by default.
    public var attachmentRange = -Double.infinity...Double.infinity { didSet { changed(.structure) } }

    // MARK: For the animator

    override var allItems: [any DynamicItem] { items }

    /// The bounds that stand for infinity: more than the extent of the world, and more turns than a 32-bit number counts.
    private static let unlimited = 3_000_000.0

    private var range: ClosedRange<Double>? {
        let limit = AttachmentBehavior.unlimited
        guard attachmentRange.lowerBound > -limit || attachmentRange.upperBound < limit else { return nil }
        return attachmentRange.clamped(to: -limit...limit)
    }

    /// The joint to create. Its first body is the other item or the anchor, because the axis belongs to it.
    var joint: Joint {
        Joint(kind: jointKind, firstAnchor: otherOffset, secondAnchor: offset, referenceAngle: angle)
    }

    private var jointKind: Joint.Kind {
        switch kind {
        case .distance: .distance(length: length, frequency: frequency, damping: damping)
        case .limit: .rope(length: length)
        case .pin: .pin(range: range.map { $0.clamped(to: -10_000...10_000) }, friction: frictionTorque)
        case .fixed: .fixed
        case .sliding(let axis): .sliding(axis: axis, range: range, friction: frictionTorque)
        }
    }

    /// The largest offset from the centre of an item. A long lever on a small item is too ill-conditioned for Box2D's
    /// 32-bit numbers: the inverse masses that it adds up differ by 12 times the square of lever / diagonal.
    private func limit(of item: any DynamicItem) -> Double {
        let diagonal = Vector(dx: item.bounds.width, dy: item.bounds.height).length
        return diagonal.isFinite ? min(DynamicsLimits.anchor, 100 * diagonal) : DynamicsLimits.anchor
    }

    override func checkValues(for animator: Animator) throws(DynamicsError) {
        if let other, other === item { throw .itemAttachedToItself(center: item.center) }
        try DynamicsLimits.check(offset, "attachment's offset", upTo: limit(of: item))
        if let other { try DynamicsLimits.check(otherOffset, "attachment's second offset", upTo: limit(of: other)) }
        try DynamicsLimits.check(angle, "attachment's angle", in: -2 * DynamicsLimits.angle...2 * DynamicsLimits.angle)
        if other == nil { try DynamicsLimits.check(anchorPoint, "attachment's anchor", from: animator.origin) }
        try DynamicsLimits.check(length, "attachment's length", in: 0...3 * DynamicsLimits.coordinate)
        try DynamicsLimits.check(damping, "attachment's damping", in: 0...1000)
        try DynamicsLimits.check(frequency, "attachment's frequency", in: 0...1000)
        try DynamicsLimits.check(frictionTorque, "attachment's friction", in: 0...DynamicsLimits.force)
        switch kind {
        case .distance, .limit, .pin, .fixed: break
        case .sliding(let axis): try DynamicsLimits.check(axis, "attachment's axis", upTo: 1.001)
        }
    }
}
