public import FrostGLES
import Glibc
public import Testing

/// The DRM node that the tests of dma-bufs run on: FROST_DRM_NODE, which must work if it is set, else the first render node
/// on which GBM works. `Tools/test-dmabuf` sets /dev/null, for which a preloaded library answers.
public enum TestNode {
    private static let named = environment("FROST_DRM_NODE")

    public static let shared: Result<(thread: GLThread, allocator: DMABufferAllocator), GLError> = {
        let nodes = named.map { [$0] } ?? (128..<192).map { "/dev/dri/renderD\($0)" }
        var failure = GLError.noDevice(wanted: "DRM node", tried: [])
        for node in nodes where unsafe access(node, F_OK) == 0 || named != nil {
            do throws(GLError) {
                let allocator = try DMABufferAllocator(node: node)
                // The render node of a device that cannot draw opens, but has no buffers.
                _ = try allocator.allocate(width: 16, height: 16, fourcc: .xrgb8888)
                return .success((try GLThread.open(node: node), allocator))
            } catch {
                failure = error
            }
        }
        return .failure(failure)
    }()

    public static let isWanted: Bool = {
        if named != nil { return true }
        if case .success = shared { return true }
        return false
    }()

    public static let skipReason: Comment = {
        if case .failure(let error) = shared { return "\(error)" }
        return "has a DRM node"
    }()
}
