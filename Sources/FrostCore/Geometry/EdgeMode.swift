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
}
