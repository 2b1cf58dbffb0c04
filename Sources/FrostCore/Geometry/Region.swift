/// A set of pixels or low-resolution samples, made of rectangles: what is damaged, out of date, or to be drawn.
///
/// Stored in bands like the regions of X11 and pixman: rows with the same columns. So equal sets are equal values.
public struct Region: Sendable, Hashable {
    private struct Band: Sendable, Hashable {
        var rows: Range<Int>
        var columns: RangeSet<Int>
    }

    /// From top to bottom. No band is empty, and adjacent bands differ in columns.
    private var bands: [Band] = []

    public init() {}

    public init(_ rect: Rect) {
        if !rect.isEmpty { bands = [Band(rows: rect.rows, columns: RangeSet(rect.columns))] }
    }

    /// All pixels in these columns and these rows.
    public init(columns: RangeSet<Int>, rows: RangeSet<Int>) {
        for range in rows.ranges { append(range, columns) }
    }

    public init(_ rects: [Rect]) {
        for rect in rects { formUnion(Region(rect)) }
    }

    public var isEmpty: Bool { bands.isEmpty }

    /// Rectangles that do not overlap, from top to bottom and left to right.
    public var rects: [Rect] {
        bands.flatMap { band in band.columns.ranges.map { Rect(columns: $0, rows: band.rows) } }
    }

    /// The number of pixels or samples.
    public var area: Int { rects.reduce(0) { $0 + $1.width * $1.height } }

    public func contains(x: Int, y: Int) -> Bool {
        bands.contains { $0.rows.contains(y) && $0.columns.contains(x) }
    }

    public mutating func formUnion(_ other: Region) { self = combined(with: other) { $0.union($1) } }

    public mutating func subtract(_ other: Region) { self = combined(with: other) { $0.subtracting($1) } }

    public func union(_ other: Region) -> Region { combined(with: other) { $0.union($1) } }

    public func subtracting(_ other: Region) -> Region { combined(with: other) { $0.subtracting($1) } }

    public func intersection(_ other: Region) -> Region { combined(with: other) { $0.intersection($1) } }

    /// Combines the two row by row with a set operation.
    private func combined(with other: Region, _ rule: (RangeSet<Int>, RangeSet<Int>) -> RangeSet<Int>) -> Region {
        let cuts = Set((bands + other.bands).flatMap { [$0.rows.lowerBound, $0.rows.upperBound] }).sorted()
        var result = Region()
        var (a, b) = (bands[...], other.bands[...])
        for (top, bottom) in zip(cuts, cuts.dropFirst()) {
            while let first = a.first, first.rows.upperBound <= top { a.removeFirst() }
            while let first = b.first, first.rows.upperBound <= top { b.removeFirst() }
            func columns(_ rest: ArraySlice<Band>) -> RangeSet<Int> {
                guard let band = rest.first, band.rows.contains(top) else { return RangeSet() }
                return band.columns
            }
            result.append(top..<bottom, rule(columns(a), columns(b)))
        }
        return result
    }

    /// - Parameter rows: below all existing ones.
    private mutating func append(_ rows: Range<Int>, _ columns: RangeSet<Int>) {
        guard !columns.isEmpty, !rows.isEmpty else { return }
        if let last = bands.last, last.rows.upperBound == rows.lowerBound, last.columns == columns {
            bands[bands.count - 1].rows = last.rows.lowerBound..<rows.upperBound
        } else {
            bands.append(Band(rows: rows, columns: columns))
        }
    }
}
