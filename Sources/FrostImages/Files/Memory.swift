#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An array that cannot be allocated ends the process, so large ones are tried out first.
public enum Memory {
    /// Below this the attempt costs more than it is worth.
    private static let smallest = 1 << 26

    /// Checks that the process may have so many more bytes of memory.
    ///
    /// - Parameter path: the picture that they are for.
    /// - Throws: ``ImageError/outOfMemory(path:bytes:)``.
    public static func check(_ bytes: Int, for path: String) throws(ImageError) {
        guard bytes >= smallest else { return }
        // SAFETY: given back at once and not written to, so that no page of it is ever made. A call that the optimiser
        // cannot see through: it removes a malloc that is freed at once.
        let probe = unsafe mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let probe = unsafe probe, unsafe probe != MAP_FAILED else { throw .outOfMemory(path: path, bytes: bytes) }
        unsafe munmap(probe, bytes)
    }
}
