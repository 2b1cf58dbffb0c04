/// A rectangle of whole pixels: columns `x..<x + width` and rows `y..<y + height`. The y axis points downwards.
public struct Rect: Sendable, Hashable {
    /// The rectangle's leftmost column.
    public var x: Int
    /// The rectangle's top row.
    public var y: Int
    /// The rectangle's width: its number of columns.
    public var width: Int
    /// The rectangle's height: its number of rows.
    public var height: Int

    /// Creates a rectangle from its corner and size.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Creates a rectangle from its columns and rows.
    public init(columns: Range<Int>, rows: Range<Int>) {
        self.init(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }

    /// The range of columns. Traps if the width is negative.
    public var columns: Range<Int> { x..<x + width }
    /// The range of rows. Traps if the height is negative.
    public var rows: Range<Int> { y..<y + height }
    /// Whether the rectangle contains no pixel.
    public var isEmpty: Bool { width <= 0 || height <= 0 }
    /// The number of pixels. It is a Double, because an Int cannot count the pixels of the largest rectangles.
    package var area: Double { Double(width) * Double(height) }

    /// The range of columns for the axis x; the range of rows for the axis y.
    public subscript(axis: Axis) -> Range<Int> {
        get {
            switch axis {
            case .x: columns
            case .y: rows
            }
        }
        set {
            switch axis {
            case .x: (x, width) = (newValue.lowerBound, newValue.count)
            case .y: (y, height) = (newValue.lowerBound, newValue.count)
            }
        }
    }

    /// Returns the rectangle at a distance from its place.
    package func moved(x: Int, y: Int) -> Rect { Rect(x: self.x + x, y: self.y + y, width: width, height: height) }

    /// Returns the rectangle with `distance` more pixels on each side.
    package func grown(by distance: Int) -> Rect {
        Rect(x: x - distance, y: y - distance, width: width + 2 * distance, height: height + 2 * distance)
    }

    /// Whether all pixels of another rectangle are in this rectangle.
    public func contains(_ other: Rect) -> Bool {
        other.x >= x && other.y >= y && other.x + other.width <= x + width && other.y + other.height <= y + height
    }

    /// Returns the part of the rectangle that lies within `bounds`; nil if no pixel does. The rectangle's coordinates
    /// and size may have any value, even negative or close to overflow.
    package func clipped(to bounds: Rect) -> Rect? {
        guard !isEmpty else { return nil }
        func end(_ start: Int, _ count: Int) -> Int {
            let (end, overflow) = start.addingReportingOverflow(count)
            return overflow ? .max : end
        }
        return Rect(columns: x..<end(x, width), rows: y..<end(y, height)).intersection(bounds)
    }

    /// Returns the part that both rectangles cover; nil if they do not intersect.
    public func intersection(_ other: Rect) -> Rect? {
        let columns = columns.clamped(to: other.columns)
        let rows = rows.clamped(to: other.rows)
        return columns.isEmpty || rows.isEmpty ? nil : Rect(columns: columns, rows: rows)
    }

    /// Returns the smallest rectangle that contains both rectangles.
    package func hull(_ other: Rect) -> Rect {
        Rect(columns: columns.hull(other.columns), rows: rows.hull(other.rows))
    }
}

extension Range<Int> {
    /// Returns the smallest range that contains the bounds of both ranges, even the bounds of an empty range.
    package func hull(_ other: Range<Int>) -> Range<Int> {
        Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
    }
}

extension Rect: CustomStringConvertible {
    /// The rectangle as text that the option `--rect` accepts: "x,y,width,height".
    public var description: String { "\(x),\(y),\(width),\(height)" }
}

/// A direction along which a separable filter works.
public enum Axis: String, Sendable, Hashable, CaseIterable {
    /// The axis `x` runs to the right along a row. The axis `y` runs downwards along a column.
    case x, y

    /// The other axis, which is perpendicular to this axis.
    public var other: Axis {
        switch self {
        case .x: .y
        case .y: .x
        }
    }
}
