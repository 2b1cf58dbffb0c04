import FrostCore

/// Hears when items of a ``CollisionBehavior`` begin or cease to touch. Each method is called after the positions of a
/// tick, first for all contacts that began, then for all that ended. A contact that breaks and begins again within a
/// tick is not reported. The methods of the default implementation do nothing.
public protocol CollisionBehaviorDelegate: AnyObject {
    /// Two items began to touch at a point.
    func collisionBehavior(
        _ behavior: CollisionBehavior, beganContactFor first: any DynamicItem, with second: any DynamicItem,
        at point: Point)
    /// Two items ceased to touch.
    func collisionBehavior(
        _ behavior: CollisionBehavior, endedContactFor first: any DynamicItem, with second: any DynamicItem)
    /// An item began to touch a boundary at a point. The identifier nil stands for the reference bounds.
    func collisionBehavior(
        _ behavior: CollisionBehavior, beganContactFor item: any DynamicItem, withBoundary identifier: String?,
        at point: Point)
    /// An item ceased to touch a boundary. The identifier nil stands for the reference bounds.
    func collisionBehavior(
        _ behavior: CollisionBehavior, endedContactFor item: any DynamicItem, withBoundary identifier: String?)
}

extension CollisionBehaviorDelegate {
    /// Does nothing.
    public func collisionBehavior(
        _ behavior: CollisionBehavior, beganContactFor first: any DynamicItem, with second: any DynamicItem,
        at point: Point
    ) {}
    /// Does nothing.
    public func collisionBehavior(
        _ behavior: CollisionBehavior, endedContactFor first: any DynamicItem, with second: any DynamicItem
    ) {}
    /// Does nothing.
    public func collisionBehavior(
        _ behavior: CollisionBehavior, beganContactFor item: any DynamicItem, withBoundary identifier: String?,
        at point: Point
    ) {}
    /// Does nothing.
    public func collisionBehavior(
        _ behavior: CollisionBehavior, endedContactFor item: any DynamicItem, withBoundary identifier: String?
    ) {}
}

/// Lets its items collide with each other and with boundaries. Items of different collision behaviours do not collide.
///
/// Boundaries are lines that stop items from both sides. Items that touch keep the greater elasticity of the two, and
/// the friction √(f1·f2).
public final class CollisionBehavior: ItemListBehavior {
    /// What the items collide with.
    public enum Mode: Sendable {
        /// Only with each other.
        case items
        /// Only with boundaries.
        case boundaries
        /// With each other and with boundaries.
        case everything
    }

    /// Creates a behaviour that lets its items collide with everything, without boundaries.
    public override init(items: [any DynamicItem] = []) { super.init(items: items) }

    /// What the items collide with: everything by default.
    public var collisionMode = Mode.everything { didSet { changed(.structure) } }

    /// The object that hears about contacts. The behaviour does not keep it alive.
    public weak var collisionDelegate: (any CollisionBehaviorDelegate)?

    // MARK: Boundaries

    /// Whether the sides of the reference rectangle are a boundary, with the identifier nil. If the animator has no
    /// reference rectangle, adding the behaviour throws ``DynamicsError/noReference``.
    public var translatesReferenceBoundsIntoBoundary: Bool {
        get { referenceInsets != nil }
        set { referenceInsets = newValue ? EdgeInsets() : nil }
    }

    /// Makes a boundary of the sides of the reference rectangle, moved inwards.
    ///
    /// - Parameter insets: the distances from the sides in points. Negative ones move the boundary outwards.
    public func setTranslatesReferenceBoundsIntoBoundary(with insets: EdgeInsets) { referenceInsets = insets }

    private var referenceInsets: EdgeInsets? { didSet { changed(.structure) } }
    private var paths: [(identifier: String, points: [Point])] = []

    /// Adds a line as a boundary. It replaces a boundary that has the same identifier.
    public func addBoundary(withIdentifier identifier: String, from start: Point, to end: Point) {
        addBoundary(withIdentifier: identifier, for: [start, end], isClosed: false)
    }

    /// Adds a path of straight lines as a boundary. It replaces a boundary that has the same identifier.
    ///
    /// - Parameters:
    ///   - identifier: the name of the boundary for the delegate.
    ///   - points: at least two points that are at least 0.1 points apart. Points closer to their predecessor are
    ///     ignored.
    ///   - isClosed: whether a line leads from the last point to the first.
    public func addBoundary(withIdentifier identifier: String, for points: [Point], isClosed: Bool) {
        paths.removeAll { $0.identifier == identifier }
        var points = points
        if isClosed, let first = points.first { points.append(first) }
        paths.append((identifier, points))
        changed(.structure)
    }

    /// The points of a boundary; nil if no boundary has the identifier. A closed path ends with its first point.
    public func boundary(withIdentifier identifier: String) -> [Point]? {
        paths.first { $0.identifier == identifier }?.points
    }

    /// The identifiers of the boundaries in the order in which they were added, without the reference bounds.
    public var boundaryIdentifiers: [String] { paths.map(\.identifier) }

    /// Removes a boundary. Does nothing if no boundary has the identifier.
    public func removeBoundary(withIdentifier identifier: String) {
        paths.removeAll { $0.identifier == identifier }
        changed(.structure)
    }

    /// Removes all boundaries but the reference bounds.
    public func removeAllBoundaries() {
        paths = []
        changed(.structure)
    }

    // MARK: For the animator

    var collidesWithItems: Bool {
        switch collisionMode {
        case .items, .everything: true
        case .boundaries: false
        }
    }

    var collidesWithBoundaries: Bool {
        switch collisionMode {
        case .boundaries, .everything: true
        case .items: false
        }
    }

    /// The boundaries to create. The values must have been checked.
    func boundaries(in reference: Placement?) -> [(identifier: String?, points: [Point])] {
        var boundaries: [(identifier: String?, points: [Point])] = paths.map { ($0.identifier, $0.points) }
        if let reference, let referenceInsets { boundaries.append((nil, corners(of: reference, referenceInsets))) }
        return boundaries
    }

    private func corners(of reference: Placement, _ insets: EdgeInsets) -> [Point] {
        let (left, top) = (reference.x + insets.left, reference.y + insets.top)
        let right = reference.x + reference.width - insets.right
        let bottom = reference.y + reference.height - insets.bottom
        let start = Point(x: left, y: top)
        return [start, Point(x: right, y: top), Point(x: right, y: bottom), Point(x: left, y: bottom), start]
    }

    override func checkValues(for animator: Animator) throws(DynamicsError) {
        if let referenceInsets {
            guard let reference = animator.reference else { throw .noReference }
            let corners = corners(of: reference, referenceInsets)
            for corner in corners { try DynamicsLimits.check(corner, "reference boundary", from: animator.origin) }
            let size = corners[2] - corners[0]
            guard min(size.dx, size.dy) >= DynamicsLimits.boundaryLength else {
                throw .insetsTooLarge(referenceInsets, reference: reference)
            }
        }
        for (identifier, points) in paths {
            for point in points { try DynamicsLimits.check(point, "boundary \(identifier)", from: animator.origin) }
            guard let first = points.first,
                points.contains(where: { ($0 - first).length >= DynamicsLimits.boundaryLength })
            else { throw .boundaryTooShort(identifier: identifier, minimum: DynamicsLimits.boundaryLength) }
        }
    }
}
