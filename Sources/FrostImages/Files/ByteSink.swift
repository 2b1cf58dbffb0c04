/// Where encoded bytes go.
public protocol ByteSink: ~Copyable {
    /// What errors call the output.
    var name: String { get }

    /// Takes all of the bytes, or throws.
    mutating func write(_ bytes: RawSpan) throws(ImageError)
}

/// Collects bytes in memory.
public struct MemorySink: ByteSink, Sendable {
    /// What errors call the output.
    public let name: String
    /// Everything written so far.
    public private(set) var bytes: [UInt8] = []

    /// - Parameter name: what errors call the output.
    public init(name: String = "image") { self.name = name }

    /// Appends the bytes.
    public mutating func write(_ bytes: RawSpan) {
        // SAFETY: bytes are trivial, and copied within the call.
        unsafe bytes.withUnsafeBytes { buffer in unsafe self.bytes.append(contentsOf: buffer) }
    }
}

/// Writes to a descriptor that stays the caller's, such as standard output.
public struct DescriptorSink: ByteSink, Sendable {
    /// What errors call the output.
    public let name: String
    private let descriptor: Int32

    /// - Parameter name: what errors call the output.
    public init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// Writes the bytes. A closed pipe is an error like any other (EPIPE) where SIGPIPE is ignored.
    public mutating func write(_ bytes: RawSpan) throws(ImageError) {
        if let error = Descriptor.write(descriptor, bytes) { throw .cannotWrite(path: name, errno: error.code) }
    }
}
