package import CFrost
package import FrostCore

/// Copies up to `capacity` rectangles to the caller's array, and stores the total number of rectangles in `count`.
package func copy(
    _ list: [Rect], to rects: UnsafeMutablePointer<frost_rect>?, _ capacity: Int, _ count: UnsafeMutablePointer<Int>?
) throws(Failure) {
    let total = try unsafe place(count, "count")
    guard capacity >= 0 else { throw .argument("capacity \(UInt(bitPattern: capacity)) exceeds the address space") }
    if capacity > 0 {
        let rects = try unsafe place(rects, "rects")
        for (index, rect) in list.prefix(capacity).enumerated() {
            // SAFETY: `index` is less than `capacity`, the number of elements of the caller's array.
            unsafe rects[index] = frost_rect(rect)
        }
    }
    unsafe total.pointee = list.count
}

extension frost_rect {
    /// Converts a rectangle whose coordinates fit in 32 bits, as those of an image do. Larger ones are clamped.
    init(_ rect: Rect) {
        self.init(
            x: Int32(clamping: rect.x), y: Int32(clamping: rect.y), width: Int32(clamping: rect.width),
            height: Int32(clamping: rect.height))
    }
}
