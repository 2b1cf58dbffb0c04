import CFrost

/// What a handle of the C interface points to.
///
/// A handle owns one reference, which its destroy function gives back; what is made of a handle's value holds its own.
final class Handle<Value> {
    let value: Value

    private init(_ value: Value) { self.value = value }

    /// The value of a handle that a caller passes.
    ///
    /// - Throws: ``Failure`` for NULL, and for a live handle of another kind.
    static func value(_ pointer: OpaquePointer?, _ name: StaticString) throws(Failure) -> Value {
        guard let pointer = unsafe pointer else { throw .argument("\(name) is NULL") }
        // SAFETY: the caller passes no pointer but those that `hand` made, and none that was destroyed.
        let object = unsafe Unmanaged<AnyObject>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
        guard let handle = object as? Handle else { throw .argument("\(name) is a handle of another kind") }
        return handle.value
    }

    /// Hands a new handle to a caller.
    static func hand(_ value: Value, to pointer: UnsafeMutablePointer<OpaquePointer?>) {
        // SAFETY: checked not to be NULL; the caller's to write to.
        unsafe pointer.pointee = OpaquePointer(Unmanaged<AnyObject>.passRetained(Handle(value)).toOpaque())
    }

    /// Gives the reference of a handle back. NULL is none.
    static func destroy(_ pointer: OpaquePointer?) {
        guard let pointer = unsafe pointer else { return }
        // SAFETY: as above; a handle is destroyed once.
        unsafe Unmanaged<AnyObject>.fromOpaque(UnsafeRawPointer(pointer)).release()
    }
}

extension Handle: Sendable where Value: Sendable {}

/// Where a result is to go.
func place<Value>(
    _ pointer: UnsafeMutablePointer<Value>?, _ name: StaticString
) throws(Failure) -> UnsafeMutablePointer<Value> {
    guard let pointer = unsafe pointer else { throw .argument("\(name) is NULL") }
    return unsafe pointer
}
