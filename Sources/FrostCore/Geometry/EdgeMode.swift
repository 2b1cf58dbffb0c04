/// The rule that defines the pixels outside an image, for filters that read outside the image.
public enum EdgeMode: String, Sendable, Hashable, CaseIterable {
    /// Repeats the nearest edge pixel: aaa|abcd|ddd.
    case clamp
    /// Reflects the image at its border, so that the edge pixel appears twice: cba|abcd|dcb.
    case mirror
    /// Repeats the image: bcd|abcd|abc.
    case `repeat`
    /// Fills with transparent black: 000|abcd|000.
    case clear

    /// Returns how an axis of `count` pixels continues outside the image. All code that depends on an edge mode uses
    /// this function.
    package func continuation(count: Int) -> Continuation {
        switch self {
        case .clamp: .nearest
        case .mirror: .copies(period: 2 * count, reflection: 2 * count - 1)
        case .repeat: .copies(period: count, reflection: nil)
        case .clear: .transparent
        }
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

    /// Whether the pixels outside the image differ from each other, so that their values depend on the distance from
    /// the image.
    package var hasCopies: Bool {
        switch continuation(count: 1) {
        case .nearest, .transparent: false
        case .copies: true
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

    /// Returns the samples of the next level that the edge mode copies to all others of that level, if it copies `samples` to
    /// all others of their level. Sample i of the next level is computed by a symmetric filter from the samples around 2i and
    /// 2i + 1. Returns nil if there are no such samples, or if the edge mode is not ``mirror``.
    ///
    /// The border of an image is also a border between two samples of the next level if the sample after it has an even index.
    /// So this must be true of both borders. Repeated images have repeated levels, too, but then the first row of a level
    /// would need the last one, and all rows between them would have to be kept.
    package func decimated(_ samples: Range<Int>) -> Range<Int>? {
        switch continuation(count: samples.count) {
        case .nearest, .transparent, .copies(_, nil): return nil
        case .copies:
            guard samples.lowerBound & 1 == 0, samples.upperBound & 1 == 0 else { return nil }
            return samples.lowerBound / 2..<samples.upperBound / 2
        }
    }

    /// Returns the window of `samples` that must be stored so that `need` can be read. If the edge mode extends this
    /// window, the samples in `need` have the same values as if it extended all of `samples`. If `need` reaches
    /// beyond an end of `samples`, the window ends at this end.
    public func window(of need: Range<Int>, in samples: Range<Int>) -> Range<Int> {
        let before = samples.lowerBound - need.lowerBound
        let behind = need.upperBound - samples.upperBound
        if before <= 0, behind <= 0 { return need }
        switch continuation(count: samples.count) {
        case .nearest, .transparent: return need.nearest(in: samples)
        case .copies(_, nil): return samples
        case .copies(let period, let reflection?):
            // The sample at offset -1 equals the sample at offset `start`. If `start` is 0, the edge pixel appears
            // twice. If n samples outside the image are read, the window needs n samples from offset `start` on.
            let start = reflection + 1 - period
            if behind <= 0, before + start <= samples.count {
                return samples.lowerBound..<max(need.upperBound, samples.lowerBound + before + start)
            }
            if before <= 0, behind + start <= samples.count {
                return min(need.lowerBound, samples.upperBound - behind - start)..<samples.upperBound
            }
            return samples
        }
    }
}

extension Range<Int> {
    /// Returns the part of the range that lies within `bounds`. If no part does, returns the range that holds only the
    /// nearest element of `bounds`.
    func nearest(in bounds: Range<Int>) -> Range<Int> {
        let lower = Swift.min(Swift.max(lowerBound, bounds.lowerBound), bounds.upperBound - 1)
        return lower..<Swift.max(Swift.min(upperBound, bounds.upperBound), lower + 1)
    }
}
