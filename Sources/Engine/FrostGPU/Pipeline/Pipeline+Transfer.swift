import FrostCore
import FrostDrawing
import FrostGLES
import FrostThreads
import Synchronization

// The transfers of blocking calls. They copy one band of rows after another, directly or through a few small buffers.
extension Pipeline {
    /// Uploads all rows of a target's image.
    ///
    /// - Parameter fill: a function that writes a range of the image's rows to memory, without padding.
    /// - Returns: the number of bytes that were transferred.
    func upload(
        into image: Target, _ patience: Patience, _ gl: borrowing CurrentContext,
        fill: @escaping (Range<Int>, UnsafeMutableRawBufferPointer) -> Void
    ) throws(GPUError) -> Int {
        let rowBytes = image.rowBytes
        let bands = StagingRing.bands(rows: image.height, rowBytes: rowBytes)
        switch transfer.path {
        case .direct:
            let staging = try unsafe StagingMemory(bands, rowBytes: rowBytes)
            for band in bands {
                try patience.check()
                let memory = unsafe staging.memory(for: band)
                unsafe fill(band, memory)
                try fromGL { () throws(GLError) in
                    try unsafe image.texture.upload(
                        columns: image.width, rows: band, from: UnsafeRawBufferPointer(memory), in: gl)
                }
            }
        case .buffers:
            let ring = try ring(\.uploads, .upload, in: gl)
            for band in bands {
                let slot = ring.advance()
                if let fence = slot.fence.take() { try patience.wait(for: fence, in: gl) }
                try fromGL { () throws(GLError) in
                    try unsafe slot.buffer.withMapped(count: band.count * rowBytes, in: gl) { memory in
                        unsafe RowCopy(band, memory, fill).run()
                    }
                    try image.texture.upload(columns: image.width, rows: band, from: slot.buffer, in: gl)
                    slot.fence = try Fence(in: gl)
                }
            }
        }
        return image.height * rowBytes
    }

    /// Reads all rows of a target's image back from the GPU. If pixel buffers are used, the CPU converts one band of
    /// rows while the GPU copies the next bands.
    ///
    /// - Parameter store: a function that takes a range of the image's rows from memory, without padding.
    /// - Returns: the number of bytes that were transferred.
    func read(
        _ output: Target, _ patience: Patience, _ gl: borrowing CurrentContext,
        store: @escaping (Range<Int>, UnsafeRawBufferPointer) -> Void
    ) throws(GPUError) -> Int {
        let rowBytes = output.rowBytes
        let bands = StagingRing.bands(rows: output.height, rowBytes: rowBytes)
        switch transfer.path {
        case .direct:
            let staging = try unsafe StagingMemory(bands, rowBytes: rowBytes)
            // The first read would wait for all draws, without a check for cancellation.
            try patience.waitForDraws(in: gl)
            for band in bands {
                try patience.check()
                let memory = unsafe staging.memory(for: band)
                try fromGL { () throws(GLError) in
                    try unsafe output.framebuffer.read(columns: output.width, rows: band, into: memory, in: gl)
                }
                unsafe store(band, UnsafeRawBufferPointer(memory))
            }
        case .buffers:
            let ring = try ring(\.readbacks, .readback, in: gl)
            var pending: [(StagingRing.Slot, Range<Int>)] = []
            for step in 0..<bands.count + ring.count {
                if step >= ring.count, step - ring.count < bands.count {
                    let (slot, band) = pending.removeFirst()
                    if let fence = slot.fence.take() { try patience.wait(for: fence, in: gl) }
                    try fromGL { () throws(GLError) in
                        try unsafe slot.buffer.withMapped(count: band.count * rowBytes, in: gl) { memory in
                            unsafe RowCopy(band, memory) { unsafe store($0, UnsafeRawBufferPointer($1)) }.run()
                        }
                    }
                }
                if step < bands.count {
                    let slot = ring.advance()
                    try fromGL { () throws(GLError) in
                        try output.framebuffer.read(columns: output.width, rows: bands[step], into: slot.buffer, in: gl)
                        slot.fence = try Fence(in: gl)
                    }
                    pending.append((slot, bands[step]))
                }
            }
        }
        return output.height * rowBytes
    }

    private func ring(
        _ kept: ReferenceWritableKeyPath<Pipeline, StagingRing?>, _ purpose: Buffer.Purpose,
        in gl: borrowing CurrentContext
    ) throws(GPUError) -> StagingRing {
        if let ring = self[keyPath: kept] { return ring }
        let ring = try rethrow(StagingRing(purpose, in: gl), as: GPUError.gl)
        self[keyPath: kept] = ring
        return ring
    }
}

/// Copies rows of an image from or to memory without padding, on several threads: one thread copies slower than the bus.
@unsafe struct RowCopy: @unchecked Sendable {
    private let rows: Range<Int>
    private let memory: UnsafeMutableRawBufferPointer
    private let body: (Range<Int>, UnsafeMutableRawBufferPointer) -> Void

    /// The number of bytes for which a thread is worth its start.
    private static let bytesPerThread = 256 << 10
    /// The number of images that are copied at the moment. They share the processors.
    private static let running = Atomic(0)

    /// - Parameter body: copies a range of the rows from or to its part of the memory. Called on several threads at the same
    ///   time.
    init(
        _ rows: Range<Int>, _ memory: UnsafeMutableRawBufferPointer,
        _ body: @escaping (Range<Int>, UnsafeMutableRawBufferPointer) -> Void
    ) {
        unsafe self.rows = rows
        unsafe self.memory = unsafe memory
        unsafe self.body = body
    }

    func run() {
        let running = unsafe Self.running.wrappingAdd(1, ordering: .relaxed).newValue
        defer { unsafe Self.running.wrappingSubtract(1, ordering: .relaxed) }
        let share = Processors.byDefault / running
        let count = unsafe max(1, min(share, memory.count / Self.bytesPerThread, rows.count))
        let copy = unsafe self
        // SAFETY: the memory outlives the call, which returns when all threads have copied. Each copies other rows.
        ThreadPool.computation.run(count) { index in
            unsafe copy.copy(copy.rows.band(index, of: count))
        }
    }

    private func copy(_ band: Range<Int>) {
        let rowBytes = unsafe memory.count / rows.count
        let start = unsafe (band.lowerBound - rows.lowerBound) * rowBytes
        // SAFETY: the memory has `rowBytes` bytes for each row.
        unsafe body(band, UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + band.count * rowBytes]))
    }
}

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
    static let capacity = 8 << 20

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
    var byteCount: Int { slots.count * Self.capacity }

    /// Divides the rows of an image into ranges that fit into one buffer.
    static func bands(rows: Int, rowBytes: Int) -> [Range<Int>] {
        let height = max(1, capacity / rowBytes)
        return stride(from: 0, to: rows, by: height).map { $0..<min(rows, $0 + height) }
    }
}

/// Memory for one band of rows during a transfer.
@unsafe final class StagingMemory {
    private let all: PixelBlock
    private let rowBytes: Int

    /// - Throws: ``GPUError/outOfMemory(bytes:)``.
    init(_ bands: [Range<Int>], rowBytes: Int) throws(GPUError) {
        unsafe self.rowBytes = rowBytes
        let byteCount = (bands.first?.count ?? 0) * rowBytes
        unsafe all = try rethrow(PixelBlock(byteCount: byteCount), as: GPUError.memory)
    }

    /// Returns memory for a band. The pointer is valid as long as this object exists.
    func memory(for band: Range<Int>) -> UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(rebasing: all.bytes[..<(band.count * rowBytes)])
    }
}
