import FrostGLES

/// Pixel buffers used in turn, so that the CPU fills or empties one while the GPU works on another.
final class StagingRing {
    /// A pixel buffer, and the fence behind the last command that uses it.
    final class Slot {
        let buffer: Buffer
        var fence: Fence?

        init(_ buffer: consuming Buffer) { self.buffer = buffer }
    }

    /// Bytes of each buffer: several rows of the widest texture there is (32768 pixels of 16 bytes).
    static let capacity = 4 << 20

    private let slots: [Slot]
    private var next = 0

    init(_ purpose: Buffer.Purpose, in gl: borrowing CurrentContext) throws(GLError) {
        var slots: [Slot] = []
        for _ in 0..<3 { slots.append(Slot(try Buffer(purpose, size: Self.capacity, in: gl))) }
        self.slots = slots
    }

    /// The buffer that was used least recently.
    func advance() -> Slot {
        defer { next = (next + 1) % slots.count }
        return slots[next]
    }

    var count: Int { slots.count }

    /// The rows of an image in pieces that fit into a buffer.
    static func bands(rows: Int, rowBytes: Int) -> [Range<Int>] {
        let height = max(1, capacity / rowBytes)
        return stride(from: 0, to: rows, by: height).map { $0..<min(rows, $0 + height) }
    }
}
