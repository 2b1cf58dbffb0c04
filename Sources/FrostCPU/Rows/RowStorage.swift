import CFrostKernels
import FrostThreads

/// Rows of floats. Each row is followed by the slack that vector loops may read and write.
///
/// SAFETY: the object owns its memory. `row` returns an address within the memory for 0 <= index < rows; the arithmetic
/// of the nodes guarantees this range.
@safe final class RowStorage {
    /// The number of floats after every row that vector loops may read and write.
    static let slack = Int(FROST_SLACK)

    private let memory: UnsafeMutableRawBufferPointer
    private let base: UnsafeMutablePointer<Float>
    /// The distance from a row to the next one, in floats.
    let stride: Int

    /// Allocates rows of at least `floats` floats each.
    ///
    /// - Parameter zeroed: whether to fill the memory with zeros. False if every row is written before it is read.
    init(rows: Int, floats: Int, zeroed: Bool = true) {
        // Each row starts at a cache line, and the distance between rows is an odd number of lines. With an even
        // number, the pixels of a column would share a few sets of the cache.
        stride = ((floats + Self.slack + 15) / 16 | 1) * 16
        let bytes = rows * stride * MemoryLayout<Float>.stride
        unsafe memory = MemoryPool.shared.take(bytes)
        unsafe base = memory.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: Float.self)
        if zeroed { unsafe base.initialize(repeating: 0, count: rows * stride) }
    }

    deinit { unsafe MemoryPool.shared.give(memory) }

    func row(_ index: Int) -> UnsafeMutablePointer<Float> { unsafe base + index * stride }
}

/// Memory for the rows of a stream that exist at the same time. A new row takes the memory of an old one.
///
/// SAFETY: every index has memory.
@safe struct RowRing {
    private let storage: RowStorage
    /// The number of rows that have memory, less one: a power of two, less one.
    private let mask: Int

    /// Allocates memory for `rows` consecutive rows of at least `floats` floats each.
    init(rows: Int, floats: Int) {
        mask = (1 << (Int.bitWidth - (rows - 1).leadingZeroBitCount)) - 1
        storage = RowStorage(rows: mask + 1, floats: floats)
    }

    func row(_ index: Int) -> UnsafeMutablePointer<Float> { unsafe storage.row(index & mask) }
}

/// A list of pointers to rows, which is filled before each call of a kernel.
///
/// SAFETY: the object owns its memory. Indices are within 0 ..< count; the arithmetic of the nodes guarantees this
/// range.
@safe final class RowList<Element> {
    let base: UnsafeMutablePointer<UnsafePointer<Element>?>
    private let count: Int

    init(_ count: Int) {
        self.count = count
        unsafe base = .allocate(capacity: max(count, 1))
        unsafe base.initialize(repeating: nil, count: max(count, 1))
    }

    deinit { unsafe base.deallocate() }

    func set(_ index: Int, _ row: UnsafePointer<Element>) { unsafe base[index] = row }

    /// Moves all pointers forward by a number of elements.
    func advance(_ elements: Int) {
        for i in 0..<count { if let row = unsafe base[i] { unsafe base[i] = row + elements } }
    }
}

/// A pool of unused memory blocks. With the pool, a stream of images of one size needs no memory from the system. The
/// system clears each page before it hands it out, and this takes as much time as computing a blur.
///
/// Thread safety: may be used from any thread.
@safe final class MemoryPool: Sendable {
    static let shared = MemoryPool()

    /// The maximum number of bytes that the pool keeps: enough for a few 4K blurs.
    private static let limit = 64 << 20

    private struct State: ~Copyable {
        var blocks: [Int: [UInt]] = [:]
        var bytes = 0
    }

    private let state = Lock(State())

    /// Returns a block of at least `bytes` bytes, aligned to cache lines. The content is undefined.
    func take(_ bytes: Int) -> UnsafeMutableRawBufferPointer {
        let size = Self.size(bytes)
        let known = state.withLock { state -> UInt? in
            guard let address = state.blocks[size]?.popLast() else { return nil }
            if state.blocks[size]?.isEmpty == true { state.blocks[size] = nil }
            state.bytes -= size
            return address
        }
        if let known, let pointer = unsafe UnsafeMutableRawPointer(bitPattern: known) {
            return unsafe UnsafeMutableRawBufferPointer(start: pointer, count: size)
        }
        return UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
    }

    /// Gives a block back to the pool. The block came from ``take(_:)``.
    func give(_ block: UnsafeMutableRawBufferPointer) {
        let size = block.count
        let address = UInt(bitPattern: block.baseAddress)
        let released = state.withLock { state -> [UInt] in
            guard size <= Self.limit else { return [address] }
            // Blocks of other sizes come from images of another size, so they are freed first.
            var released: [UInt] = []
            while state.bytes + size > Self.limit, let other = state.blocks.first(where: { $0.key != size })?.key {
                if let old = state.blocks[other]?.popLast() {
                    released.append(old)
                    state.bytes -= other
                }
                if state.blocks[other]?.isEmpty == true { state.blocks[other] = nil }
            }
            guard state.bytes + size <= Self.limit else { return released + [address] }
            state.blocks[size, default: []].append(address)
            state.bytes += size
            return released
        }
        for address in released { unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
    }

    /// Rounds a size up, so that images of slightly different sizes share blocks. Let p be the largest power of two
    /// that is at most the size. The result is a multiple of p / 8, or of 64 bytes if p / 8 is smaller.
    private static func size(_ bytes: Int) -> Int {
        let bytes = max(bytes, 256)
        let step = max(64, 1 << max(0, Int.bitWidth - bytes.leadingZeroBitCount - 4))
        return (bytes + step - 1) / step * step
    }
}
