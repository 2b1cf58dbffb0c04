public import Testing

/// Decides whether the tests that need a GPU run. On a machine without a GPU, these tests are skipped. If the environment
/// variable FROST_REQUIRE_GPU is 1, they run on every machine, and fail on a machine without a GPU. Mesa's software renderer
/// counts as a GPU.
public enum GPURequirement {
    /// True if the environment variable FROST_REQUIRE_GPU is 1.
    public static let isForced = environment("FROST_REQUIRE_GPU") == "1"

    /// Whether tests of several backends leave out all but the GPU, because only the GPU has changed since an earlier run:
    /// `Tools/check` runs tests again with other shaders.
    public static let isOnlyGPU = environment("FROST_TEST_BACKENDS") == "gpu"

    /// Whether `Tools/test-drivers` runs a suite alone. Other suites must then open no device, because some drivers fail if
    /// a process opens several at the same time.
    public static let isDriverTest = environment("FROST_TEST_DRIVER") != nil

    /// Returns whether the tests that need a GPU run.
    ///
    /// - Parameter device: the device that all tests share, or the error that explains why there is no device.
    public static func isWanted(_ device: @autoclosure () -> Result<some Any, some Error>) -> Bool {
        if isDriverTest { return false }
        if isForced { return true }
        switch device() {
        case .success: return true
        case .failure: return false
        }
    }

    /// Returns the comment that the test report shows for a skipped test suite.
    public static func skipReason(_ device: @autoclosure () -> Result<some Any, some Error>) -> Comment {
        if isDriverTest { return "Tools/test-drivers runs another suite" }
        return switch device() {
        case .success: "has an EGL device"
        case .failure(let error): "no EGL device: \(error)"
        }
    }
}
