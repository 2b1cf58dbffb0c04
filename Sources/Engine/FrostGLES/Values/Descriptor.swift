import Glibc

/// The owner of a file descriptor of a dma-buf or fence. When the owner is destroyed, it closes the file descriptor.
public struct OwnedDescriptor: ~Copyable, Sendable {
    /// The file descriptor. It stays open as long as this owner exists.
    public let descriptor: Int32

    /// Takes ownership of a file descriptor.
    public init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Returns the file descriptor and passes its ownership to the caller, who must close it.
    public consuming func release() -> Int32 {
        let descriptor = descriptor
        discard self
        return descriptor
    }
}

/// Queries the kernel about file descriptors that have another owner.
enum DescriptorFacts {
    /// Returns a duplicate of a descriptor. Programs that this process starts do not inherit the duplicate. On failure,
    /// returns -1 and sets errno.
    static func duplicate(_ descriptor: Int32) -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

    /// Returns the size of the memory behind a descriptor, in bytes; nil if the kernel does not report it. If the result is
    /// nil because the descriptor is not open, errno contains the error; otherwise errno is 0.
    static func size(of descriptor: Int32) -> Int? {
        var status = stat()
        errno = 0
        // SAFETY: the structure is a local variable.
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        if status.st_size > 0 { return Int(status.st_size) }
        // Older kernels report the size of a dma-buf only through lseek.
        let end = lseek(descriptor, 0, SEEK_END)
        errno = 0
        return end > 0 ? Int(end) : nil
    }

    /// The message for the current errno, for example "Bad file descriptor".
    static var lastError: String {
        // SAFETY: the text of strerror is copied immediately.
        unsafe String(cString: strerror(errno))
    }
}
