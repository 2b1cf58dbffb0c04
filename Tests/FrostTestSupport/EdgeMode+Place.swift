public import FrostCore

extension EdgeMode {
    /// The sample of `0..<count` that stands at an index outside or inside of it; nil for transparent black.
    ///
    /// In code of its own, for oracles: it shares nothing with the library's ``EdgeMode/map(_:into:)``.
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
