public import FrostGLES
import Glibc
public import Testing

/// The DRM node that the tests of dma-bufs run on: FROST_DRM_NODE, which then has to work, else the first render node of
/// the machine on which GBM does. `Tools/test-dmabuf` names /dev/null, on which a preloaded library answers.
public enum TestNode {
    private static let named: String? = unsafe getenv("FROST_DRM_NODE").map { unsafe String(cString: $0) }

    public static let shared: Result<(thread: GLThread, allocator: DMABufferAllocator), GLError> = {
        let nodes = named.map { [$0] } ?? (128..<192).map { "/dev/dri/renderD\($0)" }
        var failure = GLError.noDevice(wanted: "DRM node", tried: [])
        for node in nodes where unsafe access(node, F_OK) == 0 || named != nil {
            do throws(GLError) {
                let allocator = try DMABufferAllocator(node: node)
                // Render nodes of devices that cannot draw have a driver, and no buffers.
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
