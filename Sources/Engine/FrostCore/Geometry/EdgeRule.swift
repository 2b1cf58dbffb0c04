/// The rule that defines the samples outside the image or the level that a pass reads: an edge mode, and the places at which
/// it reflects.
public struct EdgeRule: Sendable, Hashable {
    /// The edge mode.
    public var mode: EdgeMode
    /// Whether the border at which the mode reflects runs through the middle of the first sample, so that this sample is not
    /// repeated: dcb|abcd. For ``EdgeMode/mirror``, the borders of an image never run through samples, but those of a level
    /// may.
    public var isFirstShared: Bool
    /// The same for the last sample.
    public var isLastShared: Bool

    /// Creates the rule of an image.
    public init(_ mode: EdgeMode) {
        let isShared = mode == .reflect101
        self.init(mode, isFirstShared: isShared, isLastShared: isShared)
    }

    /// Creates a rule from its parts.
    public init(_ mode: EdgeMode, isFirstShared: Bool, isLastShared: Bool) {
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

        /// Whether the pixels on one side of the image differ from each other, so that their values depend on the
        /// distance from the image.
        package var hasCopies: Bool {
            switch self {
            case .nearest, .transparent: false
            case .copies: true
            }
        }
    }

    /// Returns how an axis of `count` pixels continues outside the image. All code that depends on an edge mode uses
    /// this function.
    package func continuation(count: Int) -> Continuation {
        switch mode {
        case .clamp: return .nearest
        case .mirror, .reflect101:
            // The reflection of a sample at its own middle is the sample.
            if count == 1, isFirstShared, isLastShared { return .nearest }
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
    /// samples around 2i and 2i + 1, or for ``EdgeMode/reflect101`` around 2i + 1. Returns nil if the edge mode does not
    /// reflect, or if the next level has no samples that are copied to all others.
    ///
    /// A border between two samples is a border of the next level too. It runs between two samples of the next level or through
    /// the middle of one. If it already runs through a sample, then the next level is not symmetric to it. Repeated images have
    /// repeated levels, too, but then the first row of a level would need the last one, and all rows between them would have to
    /// be kept.
    ///
    /// The image itself has both borders in the middle of samples if the mode is ``EdgeMode/reflect101``. But the means of two
    /// neighbours, which lie between the samples, have borders between them: the mean k of samples k and k + 1 is reflected
    /// as ``EdgeMode/mirror`` does. The first filter then begins with such means: see ``ResamplingChain/betweenPixels``.
    package func decimated(_ samples: Range<Int>) -> (samples: Range<Int>, rule: EdgeRule)? {
        switch continuation(count: samples.count) {
        case .nearest, .transparent, .copies(_, nil): return nil
        case .copies:
            if mode == .reflect101 {
                return EdgeRule(.mirror).decimated(samples.lowerBound..<samples.upperBound - 1)
            }
            guard !isFirstShared, !isLastShared else { return nil }
            let (start, end) = (samples.lowerBound, samples.upperBound)
            return (
                start >> 1..<(end + 1) >> 1,
                EdgeRule(mode, isFirstShared: start & 1 == 1, isLastShared: end & 1 == 1)
            )
        }
    }
}
