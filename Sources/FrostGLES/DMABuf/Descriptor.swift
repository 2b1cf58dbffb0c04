import Glibc

/// A file descriptor that is closed with its owner: a dma-buf's or a fence's.
public struct OwnedDescriptor: ~Copyable, Sendable {
    /// The descriptor, lent for as long as the owner lives.
    public let descriptor: Int32

    /// Takes over a descriptor.
    public init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Gives the descriptor to the caller, who closes it.
    public consuming func release() -> Int32 {
        let descriptor = descriptor
        discard self
        return descriptor
    }
}

/// What the kernel reports about a descriptor that somebody else owns.
enum DescriptorFacts {
    /// A copy of its own, not passed to programs that are started; -1 with errno on failure.
    static func duplicate(_ descriptor: Int32) -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

    /// Bytes of the memory behind it; nil if the kernel does not tell. errno is 0 unless the descriptor is not open.
    static func size(of descriptor: Int32) -> Int? {
        var status = stat()
        errno = 0
        // SAFETY: the structure is local.
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        if status.st_size > 0 { return Int(status.st_size) }
        // Older kernels report the size of a dma-buf only in this way.
        let end = lseek(descriptor, 0, SEEK_END)
        errno = 0
        return end > 0 ? Int(end) : nil
    }

    /// The current errno's message: "Bad file descriptor".
    static var lastError: String {
        // SAFETY: strerror's text is copied at once.
        unsafe String(cString: strerror(errno))
    }
}
