import FrostCore

/// A destination for the bytes of an encoded image.
public protocol ByteSink: ~Copyable {
    /// The name of the output, for error messages.
    var name: String { get }

    /// Writes all of the bytes, or throws an error.
    mutating func write(_ bytes: RawSpan) throws(ImageError)
}

/// A sink that collects bytes in memory.
public struct MemorySink: ByteSink, Sendable {
    /// The name of the output, for error messages.
    public let name: String
    /// All bytes written so far.
    public private(set) var bytes: [UInt8] = []

    /// Creates an empty sink.
    ///
    /// - Parameter name: the name of the output, for error messages.
    public init(name: String = "image") { self.name = name }

    /// Appends the given bytes to ``bytes``.
    public mutating func write(_ bytes: RawSpan) {
        // SAFETY: bytes are trivial values, and the call copies them.
        unsafe bytes.withUnsafeBytes { buffer in unsafe self.bytes.append(contentsOf: buffer) }
    }
}

/// A sink that writes to a file descriptor, such as standard output. The caller keeps ownership of the descriptor.
public struct DescriptorSink: ByteSink, Sendable {
    /// The name of the output, for error messages.
    public let name: String
    private let descriptor: Int32

    /// Creates a sink for an open descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: an open file descriptor, which the caller closes.
    ///   - name: the name of the output, for error messages.
    public init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// Writes all of the bytes. If the process ignores SIGPIPE, writing to a closed pipe throws an error with the
    /// number EPIPE.
    public mutating func write(_ bytes: RawSpan) throws(ImageError) {
        if let error = Descriptor.write(descriptor, bytes) { throw .cannotWrite(path: name, errno: error.code) }
    }
}
