import Glibc

/// A position in points. The y axis points downwards.
public struct Point: Sendable, Hashable {
    /// The coordinates in points.
    public var x, y: Double

    /// Creates a point from its coordinates.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The point at (0, 0).
    public static let zero = Point(x: 0, y: 0)

    static func + (point: Point, vector: Vector) -> Point { Point(x: point.x + vector.dx, y: point.y + vector.dy) }

    static func - (end: Point, start: Point) -> Vector { Vector(dx: end.x - start.x, dy: end.y - start.y) }
}

/// A direction with a length: a distance, a velocity or a force. The y axis points downwards.
public struct Vector: Sendable, Hashable {
    /// The components. Their unit depends on what the vector stands for.
    public var dx, dy: Double

    /// Creates a vector from its components.
    public init(dx: Double, dy: Double) {
        self.dx = dx
        self.dy = dy
    }

    /// The vector of length 0.
    public static let zero = Vector(dx: 0, dy: 0)

    /// The vector's length.
    public var length: Double { (dx * dx + dy * dy).squareRoot() }

    static func * (factor: Double, vector: Vector) -> Vector { Vector(dx: factor * vector.dx, dy: factor * vector.dy) }

    /// Returns the vector turned by an angle in radians. Positive angles turn clockwise, because the y axis points
    /// downwards.
    func rotated(by angle: Double) -> Vector {
        let (sine, cosine) = (sin(angle), cos(angle))
        return Vector(dx: cosine * dx - sine * dy, dy: sine * dx + cosine * dy)
    }
}

/// A width and a height in points.
public struct Size: Sendable, Hashable {
    /// The lengths of the sides in points.
    public var width, height: Double

    /// Creates a size from its sides.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}

/// Distances from the four sides of a rectangle in points. Positive distances lie inside the rectangle.
public struct EdgeInsets: Sendable, Hashable {
    /// The distance from each side.
    public var top, left, bottom, right: Double

    /// Creates insets from the four distances.
    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }
}

/// A direction and a magnitude that can be set independently. The direction is kept while the magnitude is 0.
struct DirectedMagnitude: Equatable {
    private(set) var unit: Vector
    var magnitude: Double

    init(_ vector: Vector) {
        unit = Vector(dx: 1, dy: 0)
        magnitude = 0
        self.vector = vector
    }

    var vector: Vector {
        get { magnitude * unit }
        set {
            let length = newValue.length
            if length > 0, length.isFinite {
                unit = Vector(dx: newValue.dx / length, dy: newValue.dy / length)
            } else if !unit.length.isFinite {
                // An invalid angle was set before. It must not spoil later vectors of length 0.
                unit = Vector(dx: 1, dy: 0)
            }
            magnitude = length
        }
    }

    /// The angle in radians, clockwise from the x axis.
    var angle: Double {
        get { atan2(unit.dy, unit.dx) }
        set { unit = Vector(dx: cos(newValue), dy: sin(newValue)) }
    }
}
