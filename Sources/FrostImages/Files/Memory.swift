import Glibc

/// If an array cannot be allocated, the process ends. So large allocations are tried first.
public enum Memory {
    /// In bytes. For smaller allocations the trial costs more than it is worth.
    private static let smallest = 1 << 26

    /// Checks that the process can allocate `bytes` more bytes.
    ///
    /// - Parameter path: the picture that needs them, for the error.
    /// - Throws: ``ImageError/outOfMemory(path:bytes:)``.
    public static func check(_ bytes: Int, for path: String) throws(ImageError) {
        guard bytes >= smallest else { return }
        // SAFETY: it is unmapped at once and never written to, so no page is ever committed. mmap rather than malloc:
        // the optimiser removes a malloc that is freed at once.
        let probe = unsafe mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let probe = unsafe probe, unsafe probe != MAP_FAILED else { throw .outOfMemory(path: path, bytes: bytes) }
        unsafe munmap(probe, bytes)
    }
}
