public import FrostCore

/// The reason why an animator or a behaviour cannot do what was asked.
public enum DynamicsError: Error, Sendable, Equatable {
    /// A number outside the allowed range, or NaN.
    case parameter(ParameterError)
    /// An item without a size, or with one that is too large. Both sides must be within the range, in points.
    case itemSize(Size, allowed: ClosedRange<Double>)
    /// An item that does not overlap the animator's reference rectangle when it is added.
    case itemOutsideReference(center: Point, size: Size, reference: Placement)
    /// An item that no behaviour of the animator contains.
    case unknownItem(center: Point)
    /// A behaviour that is already part of an animator or of another behaviour.
    case behaviorAlreadyAdded(type: String)
    /// A behaviour as its own descendant.
    case behaviorContainsItself(type: String)
    /// A boundary or a path that is shorter than the limit, in points.
    case boundaryTooShort(identifier: String?, minimum: Double)
    /// A boundary from the reference rectangle, in an animator without one.
    case noReference
    /// The insets leave nothing of the reference rectangle.
    case insetsTooLarge(EdgeInsets, reference: Placement)
    /// An attachment of an item to itself.
    case itemAttachedToItself(center: Point)
    /// A tick that was asked for within a callback of a tick.
    case tickInProgress
    /// Memory ran out.
    case outOfMemory
    /// Box2D's shim refused numbers that passed all other checks.
    case refused(operation: String)
}

extension DynamicsError: CustomStringConvertible {
    /// The error in one line: the value and what is allowed.
    public var description: String {
        switch self {
        case .parameter(let error): "\(error)"
        case .itemSize(let size, let allowed):
            "the item's size \(size.width)x\(size.height) is out of range "
                + "(allowed: sides of \(allowed.lowerBound) to \(allowed.upperBound) pt)"
        case .itemOutsideReference(let center, let size, let reference):
            "the item of \(size.width)x\(size.height) pt at (\(center.x), \(center.y)) lies outside the reference "
                + "rectangle \(reference.text)"
        case .unknownItem(let center):
            "no behaviour of the animator contains the item at (\(center.x), \(center.y))"
        case .behaviorAlreadyAdded(let type):
            "the behaviour of type \(type) is already part of an animator or of another behaviour"
        case .behaviorContainsItself(let type): "the behaviour of type \(type) would contain itself"
        case .boundaryTooShort(let identifier, let minimum):
            "the boundary \(identifier ?? "") needs two points that are at least \(minimum) pt apart"
        case .noReference: "the animator has no reference rectangle to make a boundary of"
        case .insetsTooLarge(let insets, let reference):
            "the insets (top \(insets.top), left \(insets.left), bottom \(insets.bottom), right \(insets.right)) leave "
                + "nothing of the reference rectangle \(reference.text)"
        case .itemAttachedToItself(let center):
            "the item at (\(center.x), \(center.y)) cannot be attached to itself"
        case .tickInProgress: "a callback of a tick must not ask for another tick"
        case .outOfMemory: "out of memory"
        case .refused(let operation): "the physics engine refused to \(operation)"
        }
    }
}

extension Placement {
    /// The rectangle in the form of ``FrostCore/Rect/description``.
    fileprivate var text: String { [x, y, width, height].map { numberText($0) }.joined(separator: ",") }
}

/// The ranges of the numbers that behaviours and items may have.
enum DynamicsLimits {
    /// The largest distance from the centre of the reference rectangle along each axis, in points.
    static let coordinate = 1_000_000.0
    static let side = 0.1...100_000.0
    /// The largest distance of an anchor from the centre of its item along each axis, in points.
    static let anchor = 10_000.0
    /// The largest linear velocity that can be added, in points per second.
    static let velocity = 100_000.0
    /// The largest angle in radians, and angular velocity in radians per second, that can be set.
    static let angle = 1_000.0
    /// The largest force of a push, and of friction in an attachment.
    static let force = 1_000_000.0
    static let boundaryLength = 0.1

    /// Throws an error if a number is outside a range or NaN.
    static func check(
        _ value: Double, _ parameter: String, in allowed: ClosedRange<Double>
    ) throws(DynamicsError) {
        guard allowed.contains(value) else {
            throw .parameter(.outOfRange(parameter: parameter, value: value, allowed: allowed))
        }
    }

    /// Throws an error if a component of a vector is NaN or its magnitude exceeds a limit.
    static func check(_ vector: Vector, _ parameter: String, upTo limit: Double) throws(DynamicsError) {
        try check(vector.dx, "\(parameter)'s dx", in: -limit...limit)
        try check(vector.dy, "\(parameter)'s dy", in: -limit...limit)
    }

    /// Throws an error if a coordinate of a point is NaN or too far from the centre of the reference rectangle.
    static func check(_ point: Point, _ parameter: String, from centre: Point) throws(DynamicsError) {
        try check(point.x, "\(parameter)'s x", in: centre.x - coordinate...centre.x + coordinate)
        try check(point.y, "\(parameter)'s y", in: centre.y - coordinate...centre.y + coordinate)
    }
}
