import CGLES
import Synchronization

/// How many GL objects a context holds, of each kind. For tests of leaks and for statistics.
public struct ObjectCounts: Sendable, Hashable {
    /// Texture names.
    public var textures = 0
    /// Framebuffer names.
    public var framebuffers = 0
    /// Linked programs; shaders are deleted at once.
    public var programs = 0
    /// Buffer names: pixels and uniforms.
    public var buffers = 0
    /// Sync objects.
    public var fences = 0
    /// Vertex array names.
    public var vertexArrays = 0
    /// Sampler names.
    public var samplers = 0
    /// Query names.
    public var queries = 0
    /// Bytes of the textures and buffers, as asked for; a driver may round up.
    public var bytes = 0
    /// Objects of any kind ever made.
    public var created = 0

    /// No objects.
    public init() {}

    /// All objects that exist.
    public var total: Int { textures + framebuffers + programs + buffers + fences + vertexArrays + samplers + queries }
}

/// Names of GL objects whose owners are gone, waiting for the thread whose context is current.
///
/// Thread-safety: owners may go on any thread.
final class DeletionQueue: Sendable {
    enum Kind: Sendable {
        case texture, framebuffer, program, buffer, fence, vertexArray, sampler, query
    }

    struct Object: Sendable {
        let kind: Kind
        /// The GL's name; for fences the address.
        let name: UInt
        let bytes: Int
    }

    private struct State {
        var pending: [Object] = []
        var counts = ObjectCounts()
    }

    private let state = Mutex(State())

    var counts: ObjectCounts { state.withLock { $0.counts } }

    func created(_ object: Object) {
        state.withLock {
            $0.counts.created += 1
            $0.counts.change(object, by: 1)
        }
    }

    /// To be called once per object, by its owner's deinit.
    func retire(_ object: Object) {
        state.withLock { $0.pending.append(object) }
    }

    /// The objects to be deleted now; they count as gone.
    func takePending() -> [Object] {
        state.withLock { state in
            for object in state.pending { state.counts.change(object, by: -1) }
            defer { state.pending = [] }
            return state.pending
        }
    }
}

extension ObjectCounts {
    fileprivate mutating func change(_ object: DeletionQueue.Object, by amount: Int) {
        switch object.kind {
        case .texture: textures += amount
        case .framebuffer: framebuffers += amount
        case .program: programs += amount
        case .buffer: buffers += amount
        case .fence: fences += amount
        case .vertexArray: vertexArrays += amount
        case .sampler: samplers += amount
        case .query: queries += amount
        }
        bytes += amount * object.bytes
    }
}
