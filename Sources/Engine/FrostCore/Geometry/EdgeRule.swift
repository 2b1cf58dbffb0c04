/// The rule that defines the samples outside the image or the level that a pass reads: an edge mode, and the places at which
/// ``EdgeMode/mirror`` reflects.
public struct EdgeRule: Sendable, Hashable {
    /// The edge mode.
    public var mode: EdgeMode
    /// For ``EdgeMode/mirror``: whether the border runs through the middle of the first sample, so that this sample is not
    /// repeated: dcb|abcd. The borders of an image never run through samples, but those of a level may.
    public var isFirstShared: Bool
    /// The same for the last sample.
    public var isLastShared: Bool

    /// Creates a rule; by default that of an image.
    public init(_ mode: EdgeMode, isFirstShared: Bool = false, isLastShared: Bool = false) {
        self.mode = mode
        self.isFirstShared = isFirstShared
        self.isLastShared = isLastShared
    }

    package enum Continuation {
        /// Every index outside the image has the value of the nearest pixel of the image.
        case nearest
        case transparent
        /// The image is copied: two pixels are equal if their distance is a multiple of `period`. If `reflection` is
        /// not nil, the copies are also reflected: the pixels at the offsets p and `reflection` - p from the image's
        /// start are equal. An offset p that is within 0..<`period` but outside the image then has its reflection
        /// inside the image.
        case copies(period: Int, reflection: Int?)
    }

    /// Returns how an axis of `count` pixels continues outside the image. All code that depends on an edge mode uses
    /// this function.
    package func continuation(count: Int) -> Continuation {
        switch mode {
        case .clamp: return .nearest
        case .mirror:
            let reflection = 2 * count - (isLastShared ? 2 : 1)
            return .copies(period: reflection + (isFirstShared ? 0 : 1), reflection: reflection)
        case .repeat: return .copies(period: count, reflection: nil)
        case .clear: return .transparent
        }
    }

    /// Returns the index of the image's pixel from which `index` takes its value; nil if the value is transparent
    /// black. `index` may lie anywhere on the axis. `extent` must not be empty.
    public func map(_ index: Int, into extent: Range<Int>) -> Int? {
        if extent.contains(index) { return index }
        switch continuation(count: extent.count) {
        case .nearest: return index < extent.lowerBound ? extent.lowerBound : extent.upperBound - 1
        case .transparent: return nil
        case .copies(let period, let reflection):
            let offset = (index - extent.lowerBound).modulo(period)
            guard let reflection, offset >= extent.count else { return extent.lowerBound + offset }
            return extent.lowerBound + reflection - offset
        }
    }

    /// Returns the window of `samples` that must be stored so that `need` can be read. If the rule extends this
    /// window, the samples in `need` have the same values as if it extended all of `samples`. If `need` reaches
    /// beyond an end of `samples`, the window ends at this end.
    public func window(of need: Range<Int>, in samples: Range<Int>) -> Range<Int> {
        let before = samples.lowerBound - need.lowerBound
        let behind = need.upperBound - samples.upperBound
        if before <= 0, behind <= 0 { return need }
        switch continuation(count: samples.count) {
        case .nearest, .transparent: return need.nearest(in: samples)
        case .copies(_, nil): return samples
        case .copies:
            // If n samples outside are read, they equal the first or the last n samples, or the n samples beside the end
            // sample if the border runs through it.
            let (first, last) = (before + (isFirstShared ? 1 : 0), behind + (isLastShared ? 1 : 0))
            if behind <= 0, first <= samples.count {
                return samples.lowerBound..<max(need.upperBound, samples.lowerBound + first)
            }
            if before <= 0, last <= samples.count {
                return min(need.lowerBound, samples.upperBound - last)..<samples.upperBound
            }
            return samples
        }
    }

    /// Returns the samples of the next level that a rule copies to all others of that level, and this rule, if the rule `self`
    /// copies `samples` to all others of their level. Sample i of the next level is computed by a symmetric filter from the
    /// samples around 2i and 2i + 1. Returns nil if the edge mode is not ``EdgeMode/mirror``, or if the next level has no
    /// samples that are copied to all others.
    ///
    /// A border between two samples is a border of the next level too. It runs between two samples of the next level or through
    /// the middle of one. If it already runs through a sample, then the next level is not symmetric to it. Repeated images have
    /// repeated levels, too, but then the first row of a level would need the last one, and all rows between them would have to
    /// be kept.
    package func decimated(_ samples: Range<Int>) -> (samples: Range<Int>, rule: EdgeRule)? {
        switch continuation(count: samples.count) {
        case .nearest, .transparent, .copies(_, nil): return nil
        case .copies:
            guard !isFirstShared, !isLastShared else { return nil }
            let (start, end) = (samples.lowerBound, samples.upperBound)
            return (
                start >> 1..<(end + 1) >> 1,
                EdgeRule(mode, isFirstShared: start & 1 == 1, isLastShared: end & 1 == 1)
            )
        }
    }
}
