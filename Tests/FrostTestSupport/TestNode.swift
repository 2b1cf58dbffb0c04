package import FrostGLES
import Glibc
public import Testing

/// The DRM node that the dma-buf tests use. If FROST_DRM_NODE is set, the tests use the node that it names, and this node
/// must work. Otherwise they use the first render node on which GBM works. `Tools/test-dmabuf` sets FROST_DRM_NODE to
/// /dev/null and preloads a library that emulates a DRM device at that path.
public enum TestNode {
    private static let named = environment("FROST_DRM_NODE")

    /// The GL thread and the allocator that all tests share, or the error that explains why they cannot be created.
    package static let shared: Result<(thread: GLThread, allocator: DMABufferAllocator), GLError> = {
        let nodes = named.map { [$0] } ?? (128..<192).map { "/dev/dri/renderD\($0)" }
        var failure = GLError.noDevice(wanted: "DRM node", tried: [])
        for node in nodes where unsafe access(node, F_OK) == 0 || named != nil {
            do throws(GLError) {
                let allocator = try DMABufferAllocator(node: node)
                // Some devices have a render node but cannot draw. Their node can be opened, but the allocation of a buffer
                // fails. So a small buffer is allocated to test the node.
                _ = try allocator.allocate(width: 16, height: 16, fourcc: .xrgb8888)
                return .success((try GLThread.open(node: node), allocator))
            } catch {
                failure = error
            }
        }
        return .failure(failure)
    }()

    /// True if the dma-buf tests run. They run if FROST_DRM_NODE is set or a render node works.
    public static let isWanted: Bool = {
        if named != nil { return true }
        if case .success = shared { return true }
        return false
    }()

    /// The comment that the test report shows for a skipped test suite.
    public static let skipReason: Comment = {
        if case .failure(let error) = shared { return "\(error)" }
        return "has a DRM node"
    }()
}
