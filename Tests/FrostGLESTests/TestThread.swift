import FrostGLES
import Glibc
import Testing

/// The device the tests run on: any, software included.
enum TestThread {
    static let shared: Result<GLThread, GLError> = Result { () throws(GLError) in try GLThread.open(.any) }

    /// Whether the GL suites run. With FROST_REQUIRE_GPU=1 they do, and fail where there is no EGL.
    static let isWanted: Bool = {
        if let flag = unsafe getenv("FROST_REQUIRE_GPU"), unsafe String(cString: flag) == "1" { return true }
        if case .success = shared { return true }
        return false
    }()

    static let skipReason: Comment = {
        if case .failure(let error) = shared { return "\(error)" }
        return "has an EGL device"
    }()
}
