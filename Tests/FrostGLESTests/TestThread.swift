import FrostGLES
import FrostTestSupport
import Testing

/// The device that the tests run on: the first one, software included.
enum TestThread {
    static let shared: Result<GLThread, GLError> = Result { () throws(GLError) in try GLThread.open(.any) }

    /// Whether the GL suites run: see ``GPURequirement``.
    static let isWanted = GPURequirement.isWanted(shared)

    static let skipReason = GPURequirement.skipReason(shared)
}
