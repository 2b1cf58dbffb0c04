package import CFrost

/// The object that a handle of the C interface refers to.
///
/// A handle owns one reference to the object; the destroy function of the handle releases it. Code that uses the
/// handle's value holds a reference of its own.
package final class Handle<Value> {
    package let value: Value

    private init(_ value: Value) { self.value = value }

    /// Returns the value of a handle that a caller passed.
    ///
    /// - Parameter name: the argument's name, for the error message.
    /// - Throws: ``Failure`` if the pointer is NULL, or if it is a live handle of another type.
    package static func value(_ pointer: OpaquePointer?, _ name: StaticString) throws(Failure) -> Value {
        guard let pointer = unsafe pointer else { throw .argument("\(name) is NULL") }
        // SAFETY: frost.h requires that the caller passes only pointers that `hand` created and that have not been
        // destroyed.
        let object = unsafe Unmanaged<AnyObject>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
        guard let handle = object as? Handle else { throw .argument("\(name) is a handle of another kind") }
        return handle.value
    }

    /// Creates a handle for a value and stores it at the caller's pointer.
    package static func hand(_ value: Value, to pointer: UnsafeMutablePointer<OpaquePointer?>) {
        // SAFETY: the pointer has been checked not to be NULL, and the caller allows Frost to write there.
        unsafe pointer.pointee = OpaquePointer(Unmanaged<AnyObject>.passRetained(Handle(value)).toOpaque())
    }

    /// Releases the reference that a handle owns. Does nothing if the pointer is NULL.
    package static func destroy(_ pointer: OpaquePointer?) {
        guard let pointer = unsafe pointer else { return }
        // SAFETY: frost.h requires that the pointer is a handle that `hand` created and that the caller destroys it
        // only once.
        answer { unsafe Unmanaged<AnyObject>.fromOpaque(UnsafeRawPointer(pointer)).release() }
    }
}

extension Handle where Value: Hashable {
    /// Returns 1 if the values of two handles are equal; 0 if they differ, or if a pointer is NULL or a handle of another
    /// type.
    package static func equal(_ first: OpaquePointer?, _ second: OpaquePointer?) -> Int32 {
        answer {
            guard let first = try? unsafe value(first, "first"), let second = try? unsafe value(second, "second") else {
                return 0
            }
            return first == second ? 1 : 0
        }
    }

    /// Returns the hash of a handle's value; 0 if the pointer is NULL or a handle of another type.
    package static func hash(_ pointer: OpaquePointer?) -> UInt64 {
        answer {
            guard let value = try? unsafe value(pointer, "handle") else { return 0 }
            return UInt64(UInt(bitPattern: value.hashValue))
        }
    }
}

extension Handle: Sendable where Value: Sendable {}

/// Creates a value, stores a handle for it at the caller's pointer, and returns the status. The pointer is checked first.
///
/// - Parameter name: the argument's name, for the error message.
package func creating<Value>(
    _ pointer: UnsafeMutablePointer<OpaquePointer?>?, _ name: StaticString, _ create: () throws(Failure) -> Value
) -> frost_status {
    status { () throws(Failure) in
        let place = try unsafe place(pointer, name)
        unsafe Handle.hand(try create(), to: place)
    }
}
