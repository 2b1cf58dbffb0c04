import CFrost

/// A caller's array, valid during the call. It may be NULL if it is empty.
func lent<Element>(
    _ start: UnsafePointer<Element>?, count: Int, limit: Int = 65536, _ name: StaticString
) throws(Failure) -> UnsafeBufferPointer<Element> {
    try unsafe checkArray(UnsafeRawPointer(start), count, limit, name)
    // SAFETY: the caller passes `count` elements.
    return unsafe UnsafeBufferPointer(start: start, count: count)
}

private func checkArray(
    _ start: UnsafeRawPointer?, _ count: Int, _ limit: Int, _ name: StaticString
) throws(Failure) {
    guard (0...limit).contains(count) else {
        throw .argument("count \(UInt(bitPattern: count)) of \(name): \(limit) at the most")
    }
    guard unsafe start != nil || count == 0 else { throw .argument("\(name) is NULL") }
}

extension SizedStruct {
    /// Reads a caller's array of structs with `body`. The first struct's size is the stride of all.
    ///
    /// - Throws: ``Failure`` like ``read(_:_:)``, and for structs of different sizes.
    static func read<Value>(
        _ start: UnsafePointer<Self>?, count: Int, limit: Int, _ name: StaticString,
        _ body: (Self) throws(Failure) -> Value
    ) throws(Failure) -> [Value] {
        try unsafe checkArray(UnsafeRawPointer(start), count, limit, name)
        guard let first = unsafe UnsafeRawPointer(start), count > 0 else { return [] }
        let stride = try unsafe read(start, name).struct_size
        var values: [Value] = []
        for index in 0..<count {
            // SAFETY: the caller passes `count` structs with this stride.
            let place = unsafe first + index * stride
            let size = unsafe place.loadUnaligned(as: Int.self)
            guard size == stride else {
                throw .argument("\(name): struct_size is \(size) at \(index), and \(stride) at 0")
            }
            values.append(try body(try unsafe read(place.assumingMemoryBound(to: Self.self), name)))
        }
        return values
    }
}
