import Glibc

/// Tests whether a large allocation can succeed. The test is necessary because the process ends if an array cannot be
/// allocated.
public enum Memory {
    /// The smallest size, in bytes, that is tested. For smaller sizes, the test would cost more than it is worth.
    private static let smallest = 1 << 20

    /// Checks that the process can allocate `bytes` more bytes. Does nothing for less than 1 MiB.
    ///
    /// - Parameters:
    ///   - bytes: the number of bytes to be allocated.
    ///   - path: the name of the picture that needs the bytes, for the error.
    /// - Throws: ``ImageError/outOfMemory(path:bytes:)``.
    public static func check(_ bytes: Int, for path: String) throws(ImageError) {
        guard bytes >= smallest else { return }
        // SAFETY: the mapping is removed immediately and never written to, so the system commits no page. The test uses
        // mmap instead of malloc, because the optimiser removes a malloc whose memory is freed immediately.
        let probe = unsafe mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let probe = unsafe probe, unsafe probe != MAP_FAILED else { throw .outOfMemory(path: path, bytes: bytes) }
        unsafe munmap(probe, bytes)
    }
}
