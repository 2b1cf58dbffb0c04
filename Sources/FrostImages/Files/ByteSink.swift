import FrostCore

/// Where encoded bytes go.
public protocol ByteSink: ~Copyable {
    /// The output's name in errors.
    var name: String { get }

    /// Writes all of the bytes, or throws.
    mutating func write(_ bytes: RawSpan) throws(ImageError)
}

/// Collects bytes in memory.
public struct MemorySink: ByteSink, Sendable {
    /// The output's name in errors.
    public let name: String
    /// Everything written so far.
    public private(set) var bytes: [UInt8] = []

    /// - Parameter name: the output's name in errors.
    public init(name: String = "image") { self.name = name }

    /// Appends the bytes.
    public mutating func write(_ bytes: RawSpan) {
        // SAFETY: bytes are trivial, and copied within the call.
        unsafe bytes.withUnsafeBytes { buffer in unsafe self.bytes.append(contentsOf: buffer) }
    }
}

/// Writes to a descriptor, such as standard output. The caller owns it.
public struct DescriptorSink: ByteSink, Sendable {
    /// The output's name in errors.
    public let name: String
    private let descriptor: Int32

    /// - Parameter name: the output's name in errors.
    public init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// Writes the bytes. Writing to a closed pipe throws like any other error (EPIPE) if SIGPIPE is ignored.
    public mutating func write(_ bytes: RawSpan) throws(ImageError) {
        if let error = Descriptor.write(descriptor, bytes) { throw .cannotWrite(path: name, errno: error.code) }
    }
}
