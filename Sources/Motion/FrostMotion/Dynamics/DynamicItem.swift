import FrostCore
import Glibc

/// A rectangle that an ``Animator`` moves: a panel, or whatever a host draws at a position.
///
/// The animator reads an item once, when the first behaviour that contains it is added, and then writes its `center`
/// and `rotation` after each tick in which the item moved. It ignores later changes of the item until
/// ``Animator/updateItem(usingCurrentState:)``.
///
/// Thread-safety: the animator accesses its items on the thread that calls the animator.
public protocol DynamicItem: AnyObject {
    /// The centre in points, in the coordinates of the reference rectangle.
    var center: Point { get set }
    /// The size in points, before the rotation. Each side must be within 0.1...100,000.
    var bounds: Size { get }
    /// The angle in radians, clockwise. It is not reduced to one turn.
    var rotation: Double { get set }
}

extension DynamicItem {
    /// Throws an error if the item cannot be simulated.
    ///
    /// - Parameter origin: the point from which coordinates are limited.
    func check(origin: Point) throws(DynamicsError) {
        let allowed = DynamicsLimits.side
        guard allowed.contains(bounds.width), allowed.contains(bounds.height) else {
            throw .itemSize(bounds, allowed: allowed)
        }
        try DynamicsLimits.check(center, "item's centre", from: origin)
        try DynamicsLimits.check(rotation, "item's rotation", in: -DynamicsLimits.angle...DynamicsLimits.angle)
    }

    /// Half of the size of the upright rectangle that contains the rotated item.
    var halfExtent: Vector {
        let (sine, cosine) = (abs(sin(rotation)), abs(cos(rotation)))
        return Vector(
            dx: (bounds.width * cosine + bounds.height * sine) / 2,
            dy: (bounds.width * sine + bounds.height * cosine) / 2)
    }

    /// Whether the upright rectangle that contains the item overlaps a rectangle.
    func overlaps(_ rect: Placement) -> Bool {
        let half = halfExtent
        return center.x + half.dx > rect.x && center.x - half.dx < rect.x + rect.width
            && center.y + half.dy > rect.y && center.y - half.dy < rect.y + rect.height
    }
}

/// A dynamic item that is nothing but a rectangle.
///
/// Thread-safety: one thread at a time.
public final class DynamicBox: DynamicItem {
    /// The centre in points.
    public var center: Point
    /// The size in points.
    public var bounds: Size
    /// The angle in radians, clockwise.
    public var rotation: Double

    /// Creates a rectangle. The values are checked when the rectangle is added to an animator.
    public init(center: Point, bounds: Size, rotation: Double = 0) {
        self.center = center
        self.bounds = bounds
        self.rotation = rotation
    }
}
