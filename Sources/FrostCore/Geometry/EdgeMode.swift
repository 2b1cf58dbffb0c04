/// How an image is extended for filters that read outside it.
public enum EdgeMode: String, Sendable, Hashable, CaseIterable {
    /// The nearest edge pixel, repeated: aaa|abcd|ddd.
    case clamp
    /// The image reflected at its border, with the edge pixel doubled: cba|abcd|dcb.
    case mirror
    /// The image repeated: bcd|abcd|abc.
    case `repeat`
    /// Transparent black: 000|abcd|000.
    case clear

    /// The source index that an index anywhere on the axis refers to; nil for transparent black. `extent` must not be
    /// empty.
    public func map(_ index: Int, into extent: Range<Int>) -> Int? {
        if extent.contains(index) { return index }
        let count = extent.count
        let offset = index - extent.lowerBound
        switch self {
        case .clamp:
            return index < extent.lowerBound ? extent.lowerBound : extent.upperBound - 1
        case .mirror:
            let period = 2 * count
            let phase = offset.modulo(period)
            return extent.lowerBound + (phase < count ? phase : period - 1 - phase)
        case .repeat:
            return extent.lowerBound + offset.modulo(count)
        case .clear:
            return nil
        }
    }

    /// The part of `samples` that must exist to read `need`: the edge mode applied to this window gives the same values
    /// as applied to all samples. If `need` extends past an end of `samples`, the window ends there too.
    public func window(of need: Range<Int>, in samples: Range<Int>) -> Range<Int> {
        let before = samples.lowerBound - need.lowerBound
        let behind = need.upperBound - samples.upperBound
        if before <= 0, behind <= 0 { return need }
        switch self {
        case .clamp, .clear:
            return need.nearest(in: samples)
        case .mirror where behind <= 0 && before <= samples.count:
            // Sample -1 - j is sample j, so as many samples are needed from the edge as are read outside it.
            return samples.lowerBound..<max(need.upperBound, samples.lowerBound + before)
        case .mirror where before <= 0 && behind <= samples.count:
            return min(need.lowerBound, samples.upperBound - behind)..<samples.upperBound
        case .mirror, .repeat:
            return samples
        }
    }
}

extension Range<Int> {
    /// The part within `bounds`; if there is none, the nearest element of `bounds`.
    func nearest(in bounds: Range<Int>) -> Range<Int> {
        let lower = Swift.min(Swift.max(lowerBound, bounds.lowerBound), bounds.upperBound - 1)
        return lower..<Swift.max(Swift.min(upperBound, bounds.upperBound), lower + 1)
    }
}
