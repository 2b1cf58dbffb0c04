import FrostCore

/// Which pixels of a row lie in the band along the edge of a shape, and which of them have numbers in common.
struct ShapeRows {
    let field: ShapeField
    private let columns: Range<Int>
    /// The length along the sides from a corner within which distances depend on both coordinates; nil if they do everywhere.
    private let corner: Double?
    /// The columns of the bands along the left and the right side.
    let sides: [Range<Int>]

    /// Some neighbouring pixels of a row.
    enum Run {
        /// They lie along the top or the bottom, and have the same distance.
        case along(Range<Int>)
        /// They lie along the left or the right side, and have the distances of all pixels in these columns; the index of the
        /// side in ``ShapeRows/sides``.
        case side(Int)
        /// Each has a distance of its own.
        case points(Range<Int>)
    }

    /// - Parameters:
    ///   - columns: the columns that are computed.
    ///   - isAlone: whether there is no other shape, whose distance may be larger.
    init(_ field: ShapeField, columns: Range<Int>, isAlone: Bool) {
        self.field = field
        self.columns = columns
        corner = isAlone && field.turn.x == 0 ? field.corner : nil
        let (left, right) = (field.center.x - field.half.x, field.center.x + field.half.x)
        sides = [(left, left + field.band), (right - field.band, right)].map { from, to in
            (Int(from.rounded(.down))..<Int(to.rounded(.up))).clamped(to: columns)
        }
    }

    /// Returns the runs of pixels in a row that may lie in the band.
    func runs(_ y: Int) -> [Run] {
        guard field.bounds.rows.contains(y) else { return [] }
        let all = field.bounds.columns.clamped(to: columns)
        guard let corner else { return all.isEmpty ? [] : [.points(all)] }
        let (low, high) = (Double(y) - field.center.y, Double(y) + 1 - field.center.y)
        if max(abs(low), abs(high)) <= field.half.y - corner {
            return sides.indices.filter { !sides[$0].isEmpty }.map { .side($0) }
        }
        let (left, right) = (field.center.x - field.half.x + corner, field.center.x + field.half.x - corner)
        let start = Int(left.rounded(.up))
        let middle = (start..<max(start, Int(right.rounded(.down)))).clamped(to: all)
        if middle.isEmpty { return all.isEmpty ? [] : [.points(all)] }
        let ends = [all.lowerBound..<middle.lowerBound, middle.upperBound..<all.upperBound].filter { !$0.isEmpty }
        return [.along(middle)] + ends.map { .points($0) }
    }
}
