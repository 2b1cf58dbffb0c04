import CGLES

/// The only owner of a GL object's name. When the owner is destroyed, the name is queued for deletion on the thread on which
/// the context is current.
struct OwnedObject: ~Copyable {
    private let object: DeletionQueue.Object
    private let deletions: DeletionQueue

    /// Takes ownership of a newly generated name.
    init(_ kind: DeletionQueue.Kind, _ name: UInt, bytes: Int = 0, in current: borrowing CurrentContext) {
        object = DeletionQueue.Object(kind: kind, name: name, bytes: bytes)
        deletions = current.context.deletions
        deletions.created(object)
    }

    /// Generates a name and takes ownership of it.
    ///
    /// - Parameter generate: the function of the GL that generates names of this kind.
    init(
        _ kind: DeletionQueue.Kind, by generate: (GLsizei, UnsafeMutablePointer<GLuint>?) -> Void, bytes: Int = 0,
        in current: borrowing CurrentContext
    ) {
        var name: GLuint = 0
        // SAFETY: one name is requested, and the pointer has room for one.
        unsafe generate(1, &name)
        self.init(kind, UInt(name), bytes: bytes, in: current)
    }

    deinit { deletions.retire(object) }

    var name: GLuint { GLuint(truncatingIfNeeded: object.name) }
    /// The address of a fence. Fences have an address instead of a name.
    var address: UInt { object.name }
}
