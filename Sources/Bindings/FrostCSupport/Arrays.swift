/// Returns a caller's array, which is valid during the call. The pointer may be NULL if the array is empty.
///
/// - Parameter name: the argument's name, for the error message.
/// - Throws: ``Failure`` if `count` is larger than `limit`, or if the pointer is NULL although `count` is not 0.
package func lent<Element>(
    _ start: UnsafePointer<Element>?, count: Int, limit: Int = 65536, _ name: StaticString
) throws(Failure) -> UnsafeBufferPointer<Element> {
    try unsafe checkArray(UnsafeRawPointer(start), count, limit, name)
    // SAFETY: frost.h requires that the caller's array has `count` elements.
    return unsafe UnsafeBufferPointer(start: start, count: count)
}

private func checkArray(
    _ start: UnsafeRawPointer?, _ count: Int, _ limit: Int, _ name: StaticString
) throws(Failure) {
    guard (0...limit).contains(count) else {
        throw .argument("count \(UInt(bitPattern: count)) of \(name) exceeds the maximum of \(limit)")
    }
    guard unsafe start != nil || count == 0 else { throw .argument("\(name) is NULL") }
}

extension SizedStruct {
    /// Reads a caller's array of structs, calls `body` with each struct, and returns the results. The `struct_size` of
    /// the first struct is the stride of the array.
    ///
    /// - Throws: ``Failure`` in the same cases as ``read(_:_:)``, and if two structs have different sizes.
    package static func read<Value>(
        _ start: UnsafePointer<Self>?, count: Int, limit: Int, _ name: StaticString,
        _ body: (Self) throws(Failure) -> Value
    ) throws(Failure) -> [Value] {
        try unsafe checkArray(UnsafeRawPointer(start), count, limit, name)
        guard let first = unsafe UnsafeRawPointer(start), count > 0 else { return [] }
        let stride = try unsafe read(start, name).struct_size
        var values: [Value] = []
        for index in 0..<count {
            // SAFETY: frost.h requires that the caller's array has `count` structs with this stride.
            let place = unsafe first + index * stride
            let size = unsafe place.loadUnaligned(as: Int.self)
            guard size == stride else {
                throw .argument(
                    "\(name): struct_size is \(UInt(bitPattern: size)) at index \(index), but \(stride) at index 0")
            }
            values.append(try body(try unsafe read(place.assumingMemoryBound(to: Self.self), name)))
        }
        return values
    }
}

/// Checks that a caller's pointer for a result is not NULL, and returns the pointer.
///
/// - Parameter name: the argument's name, for the error message.
package func place<Value>(
    _ pointer: UnsafeMutablePointer<Value>?, _ name: StaticString
) throws(Failure) -> UnsafeMutablePointer<Value> {
    guard let pointer = unsafe pointer else { throw .argument("\(name) is NULL") }
    return unsafe pointer
}
