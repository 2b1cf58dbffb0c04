public import FrostCore

extension EdgeMode {
    /// Returns the index of the sample that the edge mode shows at position `index` of an axis. The axis has `count`
    /// samples, with the indices `0..<count`, but `index` may lie outside this range. The result is nil if the edge mode
    /// shows transparent black there.
    ///
    /// Test oracles use this function. It shares no code with the library's ``EdgeMode/map(_:into:)``, so that the tests
    /// find mistakes in the library's function.
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
        case .reflect101:
            guard count > 1 else { return 0 }
            while i < 0 || i >= count { i = i < 0 ? -i : 2 * (count - 1) - i }
            return i
        }
    }
}
