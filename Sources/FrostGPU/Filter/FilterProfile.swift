import FrostCore

/// How passes read their input.
public enum FilterProfile: String, Sendable, Hashable, CaseIterable {
    /// ``fast`` on hardware, ``exact`` on software GL, unless the variable `FROST_GPU_FILTER` is `exact` or `fast`.
    case automatic
    /// Texel by texel: the same bits on every device with IEEE arithmetic.
    case exact
    /// Two or four texels at once by the device's linear filter, and passes along both axes in one, if a measurement of
    /// the device shows that it is exact enough.
    case fast

    /// Never ``automatic``.
    ///
    /// - Parameter environment: the value of a variable; nil if it is not set.
    func resolve(isSoftware: Bool, _ environment: (String) -> String? = Environment.value) -> FilterProfile {
        switch self {
        case .exact, .fast: return self
        case .automatic: break
        }
        switch environment("FROST_GPU_FILTER").flatMap(FilterProfile.init) {
        case .exact: return .exact
        case .fast: return .fast
        case .automatic, nil: return isSoftware ? .exact : .fast
        }
    }
}
