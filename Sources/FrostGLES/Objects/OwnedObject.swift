import CGLES

/// The one owner of a GL object's name: when it goes, the name is queued for the thread whose context is current.
struct OwnedObject: ~Copyable {
    private let object: DeletionQueue.Object
    private let deletions: DeletionQueue

    /// Takes over a name that was just generated.
    init(_ kind: DeletionQueue.Kind, _ name: UInt, bytes: Int = 0, in current: borrowing CurrentContext) {
        object = DeletionQueue.Object(kind: kind, name: name, bytes: bytes)
        deletions = current.context.deletions
        deletions.created(object)
    }

    deinit { deletions.retire(object) }

    var name: GLuint { GLuint(truncatingIfNeeded: object.name) }
    /// Of fences, which have an address instead of a name.
    var address: UInt { object.name }
}
