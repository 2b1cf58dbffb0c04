/// A set of pixels, or of low-resolution samples. It describes which pixels are damaged, are out of date, or must be
/// drawn.
///
/// The set is stored as bands, like the regions of X11 and pixman. A band is a range of rows that have the same
/// columns. There is only one such description of a set, so equal sets compare as equal.
public struct Region: Sendable, Hashable {
    private struct Band: Sendable, Hashable {
        var rows: Range<Int>
        var columns: RangeSet<Int>
    }

    /// The bands from top to bottom. No band is empty, and adjacent bands have different columns.
    private var bands: [Band] = []

    /// Creates an empty region.
    public init() {}

    /// Creates the region of a rectangle.
    public init(_ rect: Rect) {
        if !rect.isEmpty { bands = [Band(rows: rect.rows, columns: RangeSet(rect.columns))] }
    }

    /// Creates the region of all pixels in these columns and these rows.
    public init(columns: RangeSet<Int>, rows: RangeSet<Int>) {
        for range in rows.ranges { append(range, columns) }
    }

    /// Creates the union of rectangles, which may overlap.
    public init(_ rects: [Rect]) {
        for rect in rects { formUnion(Region(rect)) }
    }

    /// Whether the region contains no pixel.
    public var isEmpty: Bool { bands.isEmpty }

    /// The region as rectangles that do not overlap, ordered from top to bottom and, in the same rows, from left to
    /// right.
    public var rects: [Rect] {
        bands.flatMap { band in band.columns.ranges.map { Rect(columns: $0, rows: band.rows) } }
    }

    /// The number of pixels or samples in the region.
    public var area: Int { rects.reduce(0) { $0 + $1.width * $1.height } }

    /// Whether the region contains a pixel.
    public func contains(x: Int, y: Int) -> Bool {
        bands.contains { $0.rows.contains(y) && $0.columns.contains(x) }
    }

    /// Adds all pixels of another region.
    public mutating func formUnion(_ other: Region) { self = union(other) }

    /// Removes all pixels of another region.
    public mutating func subtract(_ other: Region) { self = combined(with: other) { $0.subtracting($1) } }

    /// Returns the pixels that are in at least one of the two regions.
    public func union(_ other: Region) -> Region {
        if isEmpty { return other }
        return other.isEmpty ? self : combined(with: other) { $0.union($1) }
    }

    /// Returns the pixels of this region that are not in the other region.
    public func subtracting(_ other: Region) -> Region { combined(with: other) { $0.subtracting($1) } }

    /// Returns the pixels that are in both regions.
    public func intersection(_ other: Region) -> Region { combined(with: other) { $0.intersection($1) } }

    /// Returns the pixels that are at most `distance` pixels away from one of the region along each axis.
    func grown(by distance: Int) -> Region { Region(rects.map { $0.grown(by: distance) }) }

    /// Combines two regions row by row with a set operation on their columns.
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

    /// Appends a band.
    ///
    /// - Parameter rows: the rows of the band, below all existing rows.
    private mutating func append(_ rows: Range<Int>, _ columns: RangeSet<Int>) {
        guard !columns.isEmpty, !rows.isEmpty else { return }
        if let last = bands.last, last.rows.upperBound == rows.lowerBound, last.columns == columns {
            bands[bands.count - 1].rows = last.rows.lowerBound..<rows.upperBound
        } else {
            bands.append(Band(rows: rows, columns: columns))
        }
    }
}
