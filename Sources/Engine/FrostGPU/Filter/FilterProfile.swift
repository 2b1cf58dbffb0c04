import FrostCore

/// How GPU passes read their input.
public enum FilterProfile: String, Sendable, Hashable, CaseIterable {
    /// Uses ``fast`` on hardware and ``exact`` on software GL, unless the environment variable `FROST_GPU_FILTER` is `exact`
    /// or `fast`.
    case automatic
    /// Fetches single texels. The result has the same bits on every device with IEEE arithmetic.
    case exact
    /// Fetches two or four texels with a single fetch through the device's linear filter, and computes passes along both
    /// axes in one draw. This is done only if a measurement shows that the device's linear filter is exact enough.
    case fast

    /// Returns ``exact`` or ``fast``, never ``automatic``.
    ///
    /// - Parameter environment: a function that returns the value of an environment variable, or nil if the variable is not
    ///   set.
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
