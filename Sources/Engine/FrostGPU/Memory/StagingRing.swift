import FrostGLES

/// Pixel buffers that are used in turn, so that the CPU fills or empties one buffer while the GPU works on another.
final class StagingRing {
    /// A pixel buffer, and the fence that is signalled after the last command that uses the buffer.
    final class Slot {
        let buffer: Buffer
        var fence: Fence?

        init(_ buffer: consuming Buffer) { self.buffer = buffer }
    }

    /// The size of each buffer in bytes. This is enough for several rows of the widest texture, which has rows of 32768
    /// pixels of 16 bytes.
    static let capacity = 4 << 20

    private let slots: [Slot]
    private var next = 0

    init(_ purpose: Buffer.Purpose, in gl: borrowing CurrentContext) throws(GLError) {
        var slots: [Slot] = []
        for _ in 0..<3 { slots.append(Slot(try Buffer(purpose, size: Self.capacity, in: gl))) }
        self.slots = slots
    }

    /// Returns the buffer that was used least recently.
    func advance() -> Slot {
        defer { next = (next + 1) % slots.count }
        return slots[next]
    }

    var count: Int { slots.count }

    /// Divides the rows of an image into ranges that fit into one buffer.
    static func bands(rows: Int, rowBytes: Int) -> [Range<Int>] {
        let height = max(1, capacity / rowBytes)
        return stride(from: 0, to: rows, by: height).map { $0..<min(rows, $0 + height) }
    }
}

/// Memory for one band of rows during a transfer.
@unsafe final class StagingMemory {
    private let all: UnsafeMutableRawBufferPointer
    private let rowBytes: Int

    init(_ bands: [Range<Int>], rowBytes: Int) {
        unsafe self.rowBytes = rowBytes
        let rows = bands.first?.count ?? 0
        unsafe all = .allocate(byteCount: max(16, rows * rowBytes), alignment: 16)
    }

    deinit { unsafe all.deallocate() }

    /// Returns memory for a band. The pointer is valid as long as this object exists.
    func memory(for band: Range<Int>) -> UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(rebasing: all[..<(band.count * rowBytes)])
    }
}
