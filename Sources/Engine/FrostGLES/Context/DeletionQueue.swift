import CGLES
import Synchronization

/// The number of GL objects of each kind in a context, for leak tests and statistics.
public struct ObjectCounts: Sendable, Hashable {
    /// The number of textures.
    public var textures = 0
    /// The number of framebuffers.
    public var framebuffers = 0
    /// The number of linked programs. Shaders are not counted, because they are deleted as soon as their program is
    /// linked.
    public var programs = 0
    /// The number of buffers, for pixels and uniforms.
    public var buffers = 0
    /// The number of sync objects.
    public var fences = 0
    /// The number of vertex arrays.
    public var vertexArrays = 0
    /// The number of samplers.
    public var samplers = 0
    /// The number of queries.
    public var queries = 0
    /// The requested bytes of all textures and buffers. A driver may round up.
    public var bytes = 0
    /// The number of objects that were ever created, without sync objects.
    public var created = 0

    /// Creates counts in which all numbers are zero.
    public init() {}

    /// The number of all existing objects.
    public var total: Int { textures + framebuffers + programs + buffers + fences + vertexArrays + samplers + queries }
}

/// Queues the names of GL objects whose owners were released, until the thread on which the context is current deletes
/// these objects.
///
/// Thread-safety: the owners of GL objects may be released on any thread.
final class DeletionQueue: Sendable {
    enum Kind: Sendable {
        case texture, framebuffer, program, buffer, fence, vertexArray, sampler, query
    }

    struct Object: Sendable {
        let kind: Kind
        /// The GL name of the object; for a fence, the address of the sync object.
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
            if object.kind != .fence { $0.counts.created += 1 }
            $0.counts.change(object, by: 1)
        }
    }

    /// Queues an object for deletion. The deinit of the object's owner calls this function once.
    func retire(_ object: Object) {
        state.withLock { $0.pending.append(object) }
    }

    /// Returns the objects to be deleted now, and stops counting them.
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
