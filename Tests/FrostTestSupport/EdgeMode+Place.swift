public import FrostCore

extension EdgeMode {
    /// Returns the index in `0..<count` of the sample that the edge mode puts at `index`, which may lie outside; nil for
    /// transparent black.
    ///
    /// Test oracles use this function. It shares no code with the library's ``EdgeMode/map(_:into:)``, so that a mistake
    /// there is found.
    public func place(_ index: Int, of count: Int) -> Int? {
        var i = index
        switch self {
        case .clamp: return min(max(i, 0), count - 1)
        case .clear: return i >= 0 && i < count ? i : nil
        case .repeat:
            while i < 0 { i += count }
            return i % count
        case .mirror:
            while i < 0 || i >= count { i = i < 0 ? -1 - i : 2 * count - 1 - i }
            return i
        }
    }
}
