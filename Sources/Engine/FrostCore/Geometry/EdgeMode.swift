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
    /// Reflects the image at the middle of its edge pixels, so that these are not repeated: dcb|abcd|cba. OpenCV names this
    /// mode BORDER_REFLECT_101 and uses it by default, and SciPy names it "mirror". The only pixel of a row or column is
    /// repeated.
    case reflect101 = "reflect-101"
}

extension EdgeMode {
    /// The edge mode in the words of a plan; empty for ``clamp``.
    var words: String { self == .clamp ? "" : ", edge \(rawValue)" }

    /// Whether an image of more than one pixel is copied outside: see ``EdgeRule/Continuation/hasCopies``. A single pixel
    /// may have no reflection.
    package var hasCopies: Bool { continuation(count: 2).hasCopies }

    /// Returns how an axis of `count` pixels continues outside the image: see ``EdgeRule/continuation(count:)``.
    package func continuation(count: Int) -> EdgeRule.Continuation { EdgeRule(self).continuation(count: count) }

    /// Returns the index of the image's pixel from which `index` takes its value: see ``EdgeRule/map(_:into:)``.
    public func map(_ index: Int, into extent: Range<Int>) -> Int? { EdgeRule(self).map(index, into: extent) }

    /// Returns the window of `samples` that must be stored so that `need` can be read: see ``EdgeRule/window(of:in:)``.
    public func window(of need: Range<Int>, in samples: Range<Int>) -> Range<Int> {
        EdgeRule(self).window(of: need, in: samples)
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
