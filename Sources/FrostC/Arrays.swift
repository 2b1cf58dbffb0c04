import CFrost

/// A caller's array, for the time of a call. It may be NULL where it is empty.
func lent<Element>(
    _ start: UnsafePointer<Element>?, count: Int, limit: Int = 65536, _ name: StaticString
) throws(Failure) -> UnsafeBufferPointer<Element> {
    try unsafe checkArray(UnsafeRawPointer(start), count, limit, name)
    // SAFETY: the caller's, as many as counted.
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
    /// What `body` makes of a caller's structs, which lie as far apart as the first says that it is long.
    ///
    /// - Throws: ``Failure`` as ``read(_:_:)``, and for structs that differ in what they say of their size.
    static func read<Value>(
        _ start: UnsafePointer<Self>?, count: Int, limit: Int, _ name: StaticString,
        _ body: (Self) throws(Failure) -> Value
    ) throws(Failure) -> [Value] {
        try unsafe checkArray(UnsafeRawPointer(start), count, limit, name)
        guard let first = unsafe UnsafeRawPointer(start), count > 0 else { return [] }
        let stride = try unsafe read(start, name).struct_size
        var values: [Value] = []
        for index in 0..<count {
            // SAFETY: as many as counted, so far apart.
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
