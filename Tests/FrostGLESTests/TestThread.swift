import FrostGLES
import FrostTestSupport
import Testing

/// The GL thread that the tests share. It uses the first device, which may be a software renderer.
enum TestThread {
    static let shared: Result<GLThread, GLError> = Result { () throws(GLError) in try GLThread.open(.any) }

    /// True if the GL test suites run; see ``GPURequirement``.
    static let isWanted = GPURequirement.isWanted(shared)

    static let skipReason = GPURequirement.skipReason(shared)
}
