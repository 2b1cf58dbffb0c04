public import Testing

/// Decides whether the tests that need a GPU run. On a machine without a GPU they are skipped, or fail if FROST_REQUIRE_GPU
/// is 1. Mesa's software renderer counts as a GPU.
public enum GPURequirement {
    /// True if the environment variable FROST_REQUIRE_GPU is 1.
    public static let isForced = environment("FROST_REQUIRE_GPU") == "1"

    /// Returns whether the tests that need a GPU run.
    ///
    /// - Parameter device: the device that the tests share, or the error that explains its absence.
    public static func isWanted(_ device: Result<some Any, some Error>) -> Bool {
        if isForced { return true }
        switch device {
        case .success: return true
        case .failure: return false
        }
    }

    /// Returns the comment that a skipped test suite shows.
    public static func skipReason(_ device: Result<some Any, some Error>) -> Comment {
        switch device {
        case .success: "has an EGL device"
        case .failure(let error): "no EGL device: \(error)"
        }
    }
}
