import FrostThreads

/// The memory into which an animation is written: see ``SequenceTarget/memory(_:)``.
///
/// Thread-safety: may be used from any thread.
public final class MemoryOutput: Sendable {
    /// The name of the output, for error messages.
    public let name: String
    /// The largest number of bytes.
    public let capacity: Int
    private let held = Lock(MemorySink())

    /// Creates an empty output.
    ///
    /// - Parameters:
    ///   - name: the name of the output, for error messages.
    ///   - capacity: the largest number of bytes. More is an ``ImageError/overMemory(path:needed:available:)``.
    public init(name: String, capacity: Int = .max) { (self.name, self.capacity) = (name, capacity) }

    /// All bytes written so far.
    public var bytes: [UInt8] { held.withLock { $0.bytes } }

    func write(_ bytes: RawSpan) throws(ImageError) {
        let count = held.withLock { sink in
            let count = sink.bytes.count + bytes.byteCount
            if count <= capacity { sink.write(bytes) }
            return count
        }
        guard count <= capacity else { throw .overMemory(path: name, needed: count, available: capacity) }
    }
}
