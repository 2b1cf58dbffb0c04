/// A rectangle of whole pixels: columns `x..<x + width`, rows `y..<y + height`, y downwards.
public struct Rect: Sendable, Hashable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    public init(columns: Range<Int>, rows: Range<Int>) {
        self.init(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }

    public var columns: Range<Int> { x..<x + width }
    public var rows: Range<Int> { y..<y + height }
    public var isEmpty: Bool { width <= 0 || height <= 0 }

    /// The range along an axis.
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

    public func contains(_ other: Rect) -> Bool {
        other.x >= x && other.y >= y && other.x + other.width <= x + width && other.y + other.height <= y + height
    }

    /// The part within `bounds`; nil if there is none. Sides may have any value, even negative or close to overflow.
    package func clipped(to bounds: Rect) -> Rect? {
        guard !isEmpty else { return nil }
        func end(_ start: Int, _ count: Int) -> Int {
            let (end, overflow) = start.addingReportingOverflow(count)
            return overflow ? .max : end
        }
        return Rect(columns: x..<end(x, width), rows: y..<end(y, height)).intersection(bounds)
    }

    /// The part that both cover; nil if they do not intersect.
    public func intersection(_ other: Rect) -> Rect? {
        let columns = columns.clamped(to: other.columns)
        let rows = rows.clamped(to: other.rows)
        return columns.isEmpty || rows.isEmpty ? nil : Rect(columns: columns, rows: rows)
    }

    /// The smallest rectangle that contains both.
    package func hull(_ other: Rect) -> Rect {
        Rect(columns: columns.hull(other.columns), rows: rows.hull(other.rows))
    }
}

extension Range<Int> {
    /// The smallest range that contains both, even if one is empty.
    package func hull(_ other: Range<Int>) -> Range<Int> {
        Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
    }
}

extension Rect: CustomStringConvertible {
    /// The form that `--rect` accepts: "x,y,width,height".
    public var description: String { "\(x),\(y),\(width),\(height)" }
}

/// A direction along which a separable filter works.
public enum Axis: String, Sendable, Hashable, CaseIterable {
    case x, y

    /// The perpendicular axis.
    public var other: Axis {
        switch self {
        case .x: .y
        case .y: .x
        }
    }
}
