/// What lies outside an image, as far as a filter that looks there is concerned.
public enum EdgeMode: String, Sendable, Hashable, CaseIterable {
    /// The nearest edge pixel, without end: aaa|abcd|ddd.
    case clamp
    /// The image reflected at its outer border, the edge pixel twice: cba|abcd|dcb.
    case mirror
    /// The image again and again: bcd|abcd|abc.
    case `repeat`
    /// Transparent black: 000|abcd|000.
    case clear

    /// The source index that an index anywhere on the axis stands for; nil where that is transparent black.
    /// `extent` must not be empty.
    public func map(_ index: Int, into extent: Range<Int>) -> Int? {
        if extent.contains(index) { return index }
        let count = extent.count
        let offset = index - extent.lowerBound
        switch self {
        case .clamp:
            return index < extent.lowerBound ? extent.lowerBound : extent.upperBound - 1
        case .mirror:
            let period = 2 * count
            let phase = (offset % period + period) % period
            return extent.lowerBound + (phase < count ? phase : period - 1 - phase)
        case .repeat:
            return extent.lowerBound + (offset % count + count) % count
        case .clear:
            return nil
        }
    }

    /// The part of `cells` that must be there for `need` to be read: applied to this window, the rule gives the same as
    /// applied to all. Where `need` leaves the cells, the window ends with them.
    public func window(of need: Range<Int>, in cells: Range<Int>) -> Range<Int> {
        let before = cells.lowerBound - need.lowerBound
        let behind = need.upperBound - cells.upperBound
        if before <= 0, behind <= 0 { return need }
        switch self {
        case .clamp, .clear:
            return need.nearest(in: cells)
        case .mirror where behind <= 0 && before <= cells.count:
            // Cell -1 - j is cell j: as many from the edge as lie beyond it.
            return cells.lowerBound..<max(need.upperBound, cells.lowerBound + before)
        case .mirror where before <= 0 && behind <= cells.count:
            return min(need.lowerBound, cells.upperBound - behind)..<cells.upperBound
        case .mirror, .repeat:
            return cells
        }
    }
}

extension Range<Int> {
    /// The part within `bounds`, or, outside, the nearest element of `bounds`.
    func nearest(in bounds: Range<Int>) -> Range<Int> {
        let lower = Swift.min(Swift.max(lowerBound, bounds.lowerBound), bounds.upperBound - 1)
        return lower..<Swift.max(Swift.min(upperBound, bounds.upperBound), lower + 1)
    }
}
