import Glibc

/// A rectangle with rounded corners. The unit of its numbers is the image's pixel.
public struct RoundedRect: Sendable, Hashable {
    /// The rectangle's top left corner and size in pixels, possibly fractional, before it is turned by ``rotation``.
    public let x, y, width, height: Double
    /// The radius of the corners in pixels; 0 for a plain rectangle.
    public let radius: Double
    /// The curve of the corners.
    public let corners: CornerCurve
    /// The outline of the corners; nil for quarter circles.
    let outline: CornerOutline?
    /// The angle in degrees by which the rectangle is turned clockwise about its centre, at least 0 and below 90: a quarter
    /// turn exchanges the sides instead.
    public let rotation: Double
    /// The outline of a rectangle that is turned, or of an ellipse that is not a circle; nil for others.
    let turned: TurnedOutline?

    /// Creates a rectangle with rounded corners, or an ellipse: ``CornerCurve/ellipse`` ignores the radius.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for sides or coordinates beyond 2^30, negative
    ///   sides, a radius of more than half the shorter side divided by ``CornerCurve/reach``, and a parameter of the corner
    ///   curve outside its range.
    public init(
        x: Double, y: Double, width: Double, height: Double, radius: Double = 0, corners: CornerCurve = .circular
    ) throws(ParameterError) {
        let limit = Double(1 << 30)
        for (name, value) in [("x", x), ("y", y)] where !(-limit...limit).contains(value) {
            throw .outOfRange(parameter: "rectangle's \(name)", value: value, allowed: -limit...limit)
        }
        for (name, value) in [("width", width), ("height", height)] where !(0...limit).contains(value) {
            throw .outOfRange(parameter: "rectangle's \(name)", value: value, allowed: 0...limit)
        }
        try corners.check()
        let largest = corners.maximumRadius(width: width, height: height)
        guard corners == .ellipse || (0...largest).contains(radius) else {
            throw .outOfRange(parameter: "corner radius", value: radius, allowed: 0...largest)
        }
        self.init(
            frame: (x, y, width, height), radius: corners == .ellipse ? largest : radius,
            // A circle is exact as a rectangle with circular corners.
            corners: corners == .ellipse && (width == height || largest == 0) ? .circular : corners, rotation: 0)
    }

    /// - Parameter rotation: at least 0 and below 90 degrees.
    private init(
        frame: (x: Double, y: Double, width: Double, height: Double), radius: Double, corners: CornerCurve,
        rotation: Double
    ) {
        (x, y, width, height) = frame
        self.radius = radius
        self.corners = corners
        self.rotation = rotation
        let outline = CornerOutline(corners, radius: radius)
        self.outline = outline
        let center = SIMD2(x + width / 2, y + height / 2)
        turned =
            corners == .ellipse
            ? TurnedOutline(ellipse: SIMD2(width, height) / 2, center: center, degrees: rotation)
            : rotation == 0
                ? nil
                : TurnedOutline(
                    center: center, width: width, height: height, radius: radius, outline: outline, degrees: rotation)
    }

    /// Returns the rectangle after a turn about its centre.
    ///
    /// - Parameter angle: degrees, clockwise, at most 10^9 in magnitude.
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for another angle.
    /// - Complexity: O(√r) for corners of radius r: the outline becomes a polygon that is nowhere more than 2^-12 pixels from
    ///   it.
    public func turned(by angle: Double) throws(ParameterError) -> RoundedRect {
        guard abs(angle) <= 1e9 else {
            throw .outOfRange(parameter: "rotation", value: angle, allowed: -1e9...1e9)
        }
        let angle = (rotation + angle).truncatingRemainder(dividingBy: 180)
        let positive = angle < 0 ? angle + 180 : angle
        // Half a turn changes nothing.
        return RoundedRect(turning: self, by: positive >= 180 ? 0 : positive)
    }

    /// - Parameter angle: at least 0 and below 180 degrees, instead of the rectangle's own rotation.
    private init(turning rect: RoundedRect, by angle: Double) {
        let swaps = angle >= 90
        let (centerX, centerY) = (rect.x + rect.width / 2, rect.y + rect.height / 2)
        let (width, height) = swaps ? (rect.height, rect.width) : (rect.width, rect.height)
        self.init(
            frame: (
                swaps ? centerX - width / 2 : rect.x, swaps ? centerY - height / 2 : rect.y, width, height
            ), radius: rect.radius, corners: rect.corners, rotation: swaps ? angle - 90 : angle)
    }

    /// Creates a rectangle of whole pixels with rounded corners.
    ///
    /// - Throws: the errors of ``init(x:y:width:height:radius:corners:)``.
    public init(_ rect: Rect, radius: Double = 0, corners: CornerCurve = .circular) throws(ParameterError) {
        try self.init(
            x: Double(rect.x), y: Double(rect.y), width: Double(rect.width), height: Double(rect.height),
            radius: radius, corners: corners)
    }

    /// Creates a disc around a point.
    ///
    /// - Parameter radius: 0 to 2^28. The magnitudes of the coordinates have the same limit.
    init(discOf radius: Double, x: Double, y: Double) {
        self.init(
            frame: (x - radius, y - radius, 2 * radius, 2 * radius), radius: radius, corners: .circular, rotation: 0)
    }

    /// Whether the shape is an ellipse that is not a circle. It has no ``CornerOutline``, and no ``Gauge``.
    package var isEllipse: Bool { corners == .ellipse }

    /// Whether the outline is a polygon, because the rectangle is turned or is an ellipse.
    package var isPolygon: Bool { turned != nil }

    /// The length that each corner takes of its sides.
    package var reach: Double { outline?.reach ?? radius }

    /// Whether the corners are rounded, but not quarter circles.
    package var hasCurves: Bool { outline != nil }

    /// The smallest rectangle of whole pixels that contains the rounded rectangle.
    public var bounds: Rect {
        if let turned { return turned.bounds }
        let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        return Rect(
            x: left, y: top, width: Int((x + width).rounded(.up)) - left,
            height: Int((y + height).rounded(.up)) - top)
    }

    /// Returns the columns in which a row's pixels are wholly inside the rectangle. If no pixel is, the result is an empty
    /// range at a position within the rectangle's columns.
    public func wholeColumns(_ row: Int) -> Range<Int> {
        if let turned { return turned.wholeColumns(row) }
        let (top, bottom) = (Double(row), Double(row + 1))
        let middle = bounds.x + bounds.width / 2
        guard top >= y, bottom <= y + height else { return middle..<middle }
        let inset = inset(min(top - y, y + height - bottom))
        let (left, right) = (Int((x + inset).rounded(.up)), Int((x + width - inset).rounded(.down)))
        return left < right ? left..<right : middle..<middle
    }

    /// Returns columns that contain all of a row's pixels that touch the rectangle.
    package func touchedColumns(_ row: Int) -> Range<Int> {
        if let turned { return turned.touchedColumns(row) }
        // The row's edge that is nearer to the middle of the rectangle enters it first. A pixel more is right too.
        let inset = inset(min(Double(row + 1) - y, y + height - Double(row))) - 0x1p-10
        let (left, right) = (Int((x + inset).rounded(.down)), Int((x + width - inset).rounded(.up)))
        return left < right ? (left..<right).clamped(to: bounds.columns) : bounds.x..<bounds.x
    }

    /// Returns the distance from the left or right side at which a horizontal line enters the rectangle.
    ///
    /// - Parameter distance: the distance of the line from the nearer of the top and the bottom.
    private func inset(_ distance: Double) -> Double {
        if let outline { return outline.boundary(distance) }
        let rise = radius - max(distance, 0)
        return rise > 0 ? radius - (radius * radius - rise * rise).squareRoot() : 0
    }

    /// Both coordinates of the point on a corner's diagonal: see ``CornerOutline/diagonal``.
    var cornerDiagonal: Double { outline?.diagonal ?? radius * (1 - 0.5.squareRoot()) }

    /// Returns the distance of a corner's outline from a side, at a distance of ``cornerDiagonal`` to ``reach`` from the other.
    func cornerInset(_ distance: Double) -> Double { outline?.inset(distance) ?? inset(distance) }

    /// Returns the part of pixel `column`, `row` that is inside the rectangle: the exact area, 0...1. For a rectangle that is
    /// turned, and for an ellipse, the error is at most 2^-11.
    public func coverage(_ column: Int, _ row: Int) -> Double {
        if let turned { return turned.coverage(column, row) }
        let (left, right) = (max(Double(column), x), min(Double(column + 1), x + width))
        let (top, bottom) = (max(Double(row), y), min(Double(row + 1), y + height))
        guard left < right, top < bottom else { return 0 }
        var area = (right - left) * (bottom - top)
        guard radius > 0 else { return area }
        if let outline {
            // At each corner, subtracts the area outside the outline. Distances are measured from the rectangle's sides.
            for (s0, s1) in [(left - x, right - x), (x + width - right, x + width - left)] where s0 < outline.reach {
                for (t0, t1) in [(top - y, bottom - y), (y + height - bottom, y + height - top)]
                where t0 < outline.reach {
                    area -= outline.areaOutside(SIMD2(s0, t0), SIMD2(s1, t1))
                }
            }
            return min(max(area, 0), 1)
        }
        // At each corner, subtracts the area outside the arc. Distances are measured outwards from the arc's centre.
        func areaOutsideCorners(_ y0: Double, _ y1: Double) -> Double {
            areaOutsideArc(x + radius - right, x + radius - left, y0, y1)
                + areaOutsideArc(left - (x + width - radius), right - (x + width - radius), y0, y1)
        }
        area -= areaOutsideCorners(y + radius - bottom, y + radius - top)
        area -= areaOutsideCorners(top - (y + height - radius), bottom - (y + height - radius))
        return min(max(area, 0), 1)
    }

    /// Returns the area of a box's part in the first quadrant that is outside the circle around the origin.
    private func areaOutsideArc(_ x0: Double, _ x1: Double, _ y0: Double, _ y1: Double) -> Double {
        guard x1 > 0, y1 > 0 else { return 0 }
        let low = (x: max(x0, 0), y: max(y0, 0))
        // Few pixels meet the arc. The others need no arc sine.
        if x1 * x1 + y1 * y1 <= radius * radius { return 0 }
        let whole = (x1 - low.x) * (y1 - low.y)
        if low.x * low.x + low.y * low.y >= radius * radius { return whole }
        return whole - discArea(from: low, to: (x1, y1))
    }

    /// Returns how much of a box's area is within the circle around the origin. The box lies in the first quadrant.
    private func discArea(from low: (x: Double, y: Double), to high: (x: Double, y: Double)) -> Double {
        // At each x, the area to measure extends from low.y up to high.y or to the arc's height, whichever is smaller.
        func arcMeets(_ y: Double) -> Double { y < radius ? (radius * radius - y * y).squareRoot() : 0 }
        let full = min(max(arcMeets(high.y), low.x), high.x)
        let end = min(max(arcMeets(low.y), low.x), high.x)
        // The integral of the arc's height from 0 to x.
        func primitive(_ x: Double) -> Double {
            let x = min(x, radius)
            return (x * (radius * radius - x * x).squareRoot() + radius * radius * asin(x / radius)) / 2
        }
        return (full - low.x) * (high.y - low.y) + primitive(end) - primitive(full) - (end - full) * low.y
    }
}

extension RoundedRect: CustomStringConvertible {
    /// The rectangle in the form that the option `--rect` accepts.
    public var description: String {
        let curve = corners == .circular ? "" : " \(corners)"
        return [x, y, width, height].map(\.short).joined(separator: ",")
            + (isEllipse ? " ellipse" : radius > 0 ? " radius \(radius.short)\(curve)" : "")
            + (rotation > 0 ? " turned by \(rotation.short)°" : "")
    }
}
