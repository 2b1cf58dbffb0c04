public import Testing

/// Whether the tests that need a GPU run. They are skipped on a machine without one, and fail there with
/// FROST_REQUIRE_GPU=1. Mesa's software renderer counts as a GPU.
public enum GPURequirement {
    /// Whether FROST_REQUIRE_GPU is 1.
    public static let isForced = environment("FROST_REQUIRE_GPU") == "1"

    /// - Parameter device: what the tests share, or why there is none.
    public static func isWanted(_ device: Result<some Any, some Error>) -> Bool {
        if isForced { return true }
        switch device {
        case .success: return true
        case .failure: return false
        }
    }

    /// The comment that a skipped suite shows.
    public static func skipReason(_ device: Result<some Any, some Error>) -> Comment {
        switch device {
        case .success: "has an EGL device"
        case .failure(let error): "no EGL device: \(error)"
        }
    }
}
