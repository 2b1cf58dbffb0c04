public import FrostCore

/// The output of a stream of frames: a file, an open descriptor such as standard output, or memory. A descriptor receives bytes
/// as soon as they are written. A file appears at its path only when it is complete.
public struct StreamSink: ByteSink, ~Copyable, Sendable {
    /// The name of the output, for error messages.
    public let name: String
    /// The output file; nil for a descriptor.
    private var file: AtomicFile?
    private var output: DescriptorSink?
    private let memory: MemoryOutput?
    /// The descriptor of the output, for a process that writes to it; nil for memory. This value keeps it open.
    let descriptor: Int32?

    /// Creates an output file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - options: how to replace the file.
    /// - Throws: ``ImageError/cannotWrite(path:errno:)``.
    public init(path: FilePath, options: AtomicFile.Options = AtomicFile.Options()) throws(ImageError) {
        let file = try AtomicFile(path: path, options: options)
        name = path.text
        descriptor = file.writtenDescriptor
        self.file = consume file
        output = nil
        memory = nil
    }

    /// Writes to an open descriptor. The caller keeps ownership of the descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: an open file descriptor.
    ///   - name: the name of the output, for error messages.
    public init(descriptor: Int32, name: String) {
        self.name = name
        file = nil
        self.descriptor = descriptor
        output = DescriptorSink(descriptor: descriptor, name: name)
        memory = nil
    }

    /// Writes to memory.
    init(_ memory: MemoryOutput) {
        name = memory.name
        file = nil
        descriptor = nil
        output = nil
        self.memory = memory
    }

    /// Writes all of the bytes, or throws an error.
    public mutating func write(_ bytes: RawSpan) throws(ImageError) {
        try file?.write(bytes)
        try output?.write(bytes)
        try memory?.write(bytes)
    }

    /// Completes the stream. An output file appears at its path.
    public consuming func commit() throws(ImageError) {
        if let file = consume file { try file.commit() }
    }
}

extension ByteSink where Self: ~Copyable {
    /// Writes all of the bytes, or throws an error.
    mutating func write(_ bytes: [UInt8]) throws(ImageError) {
        // SAFETY: an array of bytes contains no padding, so every byte is initialised.
        try write(unsafe bytes.span.bytes)
    }
}
