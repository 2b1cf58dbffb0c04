import CFrost

/// The object behind a handle of the C interface.
///
/// A handle owns one reference, which its destroy function releases. Code that uses the handle's value holds a
/// reference of its own.
final class Handle<Value> {
    let value: Value

    private init(_ value: Value) { self.value = value }

    /// The value of a handle that a caller passed.
    ///
    /// - Throws: ``Failure`` for NULL, and for a live handle of another kind.
    static func value(_ pointer: OpaquePointer?, _ name: StaticString) throws(Failure) -> Value {
        guard let pointer = unsafe pointer else { throw .argument("\(name) is NULL") }
        // SAFETY: the caller passes only pointers that `hand` made and that are not destroyed.
        let object = unsafe Unmanaged<AnyObject>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
        guard let handle = object as? Handle else { throw .argument("\(name) is a handle of another kind") }
        return handle.value
    }

    /// Returns a new handle to a caller.
    static func hand(_ value: Value, to pointer: UnsafeMutablePointer<OpaquePointer?>) {
        // SAFETY: the pointer is checked not to be NULL, and the caller allows writing to it.
        unsafe pointer.pointee = OpaquePointer(Unmanaged<AnyObject>.passRetained(Handle(value)).toOpaque())
    }

    /// Releases the reference of a handle. NULL is allowed.
    static func destroy(_ pointer: OpaquePointer?) {
        guard let pointer = unsafe pointer else { return }
        // SAFETY: as above; the caller destroys a handle only once.
        unsafe Unmanaged<AnyObject>.fromOpaque(UnsafeRawPointer(pointer)).release()
    }
}

extension Handle: Sendable where Value: Sendable {}

/// Checks a caller's pointer for a result.
func place<Value>(
    _ pointer: UnsafeMutablePointer<Value>?, _ name: StaticString
) throws(Failure) -> UnsafeMutablePointer<Value> {
    guard let pointer = unsafe pointer else { throw .argument("\(name) is NULL") }
    return unsafe pointer
}
