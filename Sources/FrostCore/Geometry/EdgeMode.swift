/// The rule that extends an image for filters that read outside it.
public enum EdgeMode: String, Sendable, Hashable, CaseIterable {
    /// Repeats the nearest edge pixel: aaa|abcd|ddd.
    case clamp
    /// Reflects the image at its border, which doubles the edge pixel: cba|abcd|dcb.
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
        /// The image is copied: all pixels a multiple of `period` apart are equal. If the copies are reflected, the
        /// offsets p and `reflection` - p from the image's start are equal, too. Offsets from 0 to below the period
        /// that lie outside the image have their reflection within the image.
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

    /// Returns the index of the image's pixel that an index anywhere on the axis refers to; nil for transparent black.
    /// `extent` must not be empty.
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

    /// Returns the part of `samples` that must exist to read `need`. The edge mode applied to this window gives the
    /// same values as applied to all samples. If `need` extends past an end of `samples`, the window ends there, too.
    public func window(of need: Range<Int>, in samples: Range<Int>) -> Range<Int> {
        let before = samples.lowerBound - need.lowerBound
        let behind = need.upperBound - samples.upperBound
        if before <= 0, behind <= 0 { return need }
        switch continuation(count: samples.count) {
        case .nearest, .transparent: return need.nearest(in: samples)
        case .copies(_, nil): return samples
        case .copies(let period, let reflection?):
            // Offset -1 equals offset `start`, which is 0 if the copies begin with the edge pixel. The edge pixel is
            // then doubled. From offset `start` on, the window needs as many samples as are read outside the image.
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
    /// Returns the part of the range within `bounds`; if there is none, the nearest element of `bounds`.
    func nearest(in bounds: Range<Int>) -> Range<Int> {
        let lower = Swift.min(Swift.max(lowerBound, bounds.lowerBound), bounds.upperBound - 1)
        return lower..<Swift.max(Swift.min(upperBound, bounds.upperBound), lower + 1)
    }
}
