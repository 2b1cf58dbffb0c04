import Glibc

/// A file descriptor of a dma-buf or fence, which is closed when its owner is destroyed.
public struct OwnedDescriptor: ~Copyable, Sendable {
    /// The file descriptor, borrowed as long as the owner exists.
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
    /// Returns a duplicate of a descriptor, which started programs do not inherit. Returns -1 with errno on failure.
    static func duplicate(_ descriptor: Int32) -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

    /// Returns the size of the memory behind a descriptor, in bytes; nil if the kernel does not report it. errno is 0 unless
    /// the descriptor is not open.
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
        // SAFETY: the text of strerror is copied at once.
        unsafe String(cString: strerror(errno))
    }
}
