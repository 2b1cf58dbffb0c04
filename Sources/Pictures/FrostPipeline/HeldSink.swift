package import FrostImages

/// A sink that keeps the encoded bytes of a picture in memory until the picture is complete. Their number is not known
/// before the picture is encoded, so it is compared with the limit of the memory as it grows.
package struct HeldSink: ByteSink, Sendable {
    package let name: String
    private var budget: HeldBudget
    private var held = MemorySink()

    /// Creates an empty sink.
    ///
    /// - Parameters:
    ///   - name: the name of the output, for error messages.
    ///   - budget: the memory that is left for the bytes.
    package init(name: String, _ budget: HeldBudget) {
        self.name = name
        self.budget = budget
    }

    /// All bytes written so far.
    package var bytes: [UInt8] { held.bytes }

    package mutating func write(_ bytes: RawSpan) throws(ImageError) {
        try budget.check(held.bytes.count + bytes.byteCount)
        held.write(bytes)
    }
}

/// The memory that is left for the encoded bytes of a picture that must be held until it is complete.
package struct HeldBudget: Sendable {
    private var limits: ImageLimits
    /// The memory that the picture takes besides.
    private let need: Int
    /// The name of the picture, for the error.
    private let name: String

    package init(limits: ImageLimits, need: Int, name: String) {
        self.limits = limits
        self.need = need
        self.name = name
    }

    /// Checks whether `count` bytes may be held. The memory of an array grows by doubling.
    mutating func check(_ count: Int) throws(ImageError) {
        limits.resolveMemory(for: need + 2 * count)
        try limits.check(memory: need + 2 * count, name: name)
    }
}
