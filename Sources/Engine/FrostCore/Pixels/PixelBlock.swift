import Glibc

/// The system has no memory for a block of this size.
package struct OutOfMemory: Error {
    package let bytes: Int
}

/// Memory for pixels, or for numbers that belong to pixels. Unlike memory of Swift's own functions and arrays, it does not end the
/// process if the system has none.
///
/// SAFETY: the object owns the memory. Whoever shares it between threads makes sure that no two of them access the same bytes while
/// one of them writes.
@safe package final class PixelBlock: @unchecked Sendable {
    /// The memory, aligned to cache lines. Its content is undefined at first.
    @unsafe package let bytes: UnsafeMutableRawBufferPointer

    /// Allocates at least one byte.
    package init(byteCount: Int) throws(OutOfMemory) {
        let size = max(1, byteCount)
        guard size <= Int.max - 64, let start = unsafe aligned_alloc(64, (size + 63) / 64 * 64) else {
            throw OutOfMemory(bytes: size)
        }
        unsafe bytes = UnsafeMutableRawBufferPointer(start: start, count: size)
    }

    deinit { unsafe free(bytes.baseAddress) }

    /// The start of the memory.
    @unsafe package var base: UnsafeMutableRawPointer { unsafe bytes.baseAddress.unsafelyUnwrapped }

    /// The memory as numbers.
    @unsafe package var floats: UnsafeMutablePointer<Float> { unsafe base.assumingMemoryBound(to: Float.self) }
}
