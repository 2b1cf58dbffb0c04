import CFrostKernels
import FrostCore
import FrostThreads
import Glibc

/// Rows of numbers. Each row is followed by the slack that vector loops may read and write.
///
/// SAFETY: the object owns its memory. `row` returns an address within the memory for 0 <= index < rows; the arithmetic
/// of the nodes guarantees this range.
@safe final class RowStorage {
    /// The number of floats after every row that vector loops may read and write.
    static let slack = Int(FROST_SLACK)

    private let memory: UnsafeMutableRawBufferPointer
    private let base: UnsafeMutableRawPointer
    /// The distance from a row to the next one, in bytes.
    let bytesPerRow: Int

    /// Allocates rows of at least `floats` floats each.
    ///
    /// - Parameter zeroed: whether to fill the memory with zeros. False if every row is written before it is read.
    /// - Throws: ``CPUError/outOfMemory(bytes:)``.
    init(rows: Int, floats: Int, zeroed: Bool = true) throws(CPUError) {
        bytesPerRow = Self.bytesPerRow(floats: floats)
        unsafe memory = try MemoryPool.shared.take(rows * bytesPerRow)
        unsafe base = memory.baseAddress.unsafelyUnwrapped
        if zeroed { unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: rows * bytesPerRow) }
    }

    /// Allocates rows of at least `count` fixed-point numbers each.
    convenience init(rows: Int, fixed count: Int) throws(CPUError) {
        try self.init(rows: rows, floats: (count + 1) / 2)
    }

    deinit { unsafe MemoryPool.shared.give(memory) }

    /// Returns the memory that each of several rows takes.
    ///
    /// Each row starts at a cache line, and the distance between rows is an odd number of lines. With an even number, the
    /// pixels of a column would share a few sets of the cache.
    static func bytesPerRow(floats: Int) -> Int { ((floats + slack + 15) / 16 | 1) * 64 }

    func row(_ index: Int) -> Row { unsafe Row(base + index * bytesPerRow) }
}

/// Memory for the rows of a stream that exist at the same time. A new row takes the memory of an old one.
struct RowRing {
    private let storage: RowStorage
    /// The number of rows that have memory, less one: a power of two, less one.
    private let mask: Int

    /// Allocates memory for `rows` consecutive rows of at least `floats` floats each.
    init(rows: Int, floats: Int) throws(CPUError) {
        mask = (1 << (Int.bitWidth - (rows - 1).leadingZeroBitCount)) - 1
        storage = try RowStorage(rows: mask + 1, floats: floats)
    }

    func row(_ index: Int) -> Row { storage.row(index & mask) }
}

/// A pool of unused memory blocks. With the pool, a stream of images of one size needs no memory from the system. The
/// system clears each page before it hands it out, and this takes as much time as computing a blur.
///
/// Blocks of a few pages or more come from the system directly, and return to it. In the heap of the C library they would
/// leave gaps among smaller blocks, so images of many sizes would make the process grow.
///
/// Thread safety: may be used from any thread.
@safe final class MemoryPool: Sendable {
    static let shared = MemoryPool()

    /// The maximum number of bytes that the pool keeps: enough for a few 4K blurs.
    private static let largestLimit = 64 << 20
    /// The minimum size of large blocks.
    private static let large = 16 << 10

    private struct PooledBlocks: ~Copyable {
        /// The addresses of unused blocks, by their sizes.
        var blocks: [Int: [UInt]] = [:]
        /// The bytes of the unused blocks.
        var bytes = 0
        /// The bytes of the blocks in use.
        var used = 0
        var recentUse = RecentUse()

        /// The number of bytes that the pool keeps now.
        var limit: Int { min(recentUse.idleLimit(used: used), MemoryPool.largestLimit) }

        mutating func count(_ size: Int) {
            used += size
            recentUse.count(used)
        }

        /// Removes an unused block of a size. Returns its address; nil if there is none.
        mutating func remove(_ size: Int) -> UInt? {
            guard let address = blocks[size]?.popLast() else { return nil }
            if blocks[size]?.isEmpty == true { blocks[size] = nil }
            bytes -= size
            return address
        }
    }

    private let pooled = Lock(PooledBlocks())

    /// The bytes of the unused blocks.
    var idleBytes: Int { pooled.withLock { $0.bytes } }

    /// Returns a block of at least `bytes` bytes, aligned to cache lines. The content is undefined.
    ///
    /// - Throws: ``CPUError/outOfMemory(bytes:)`` if the system has no memory for the block.
    func take(_ bytes: Int) throws(CPUError) -> UnsafeMutableRawBufferPointer {
        let size = Self.size(bytes)
        let known = pooled.withLock { pooled -> UInt? in
            pooled.count(size)
            return pooled.remove(size)
        }
        if let known, let pointer = unsafe UnsafeMutableRawPointer(bitPattern: known) {
            return unsafe UnsafeMutableRawBufferPointer(start: pointer, count: size)
        }
        if let block = unsafe Self.allocate(size) { return unsafe block }
        // The system may have the memory after the pool has returned its unused blocks.
        freeUnused()
        if let block = unsafe Self.allocate(size) { return unsafe block }
        pooled.withLock { $0.used -= size }
        throw .outOfMemory(bytes: size)
    }

    /// Returns all unused blocks to the system.
    func freeUnused() {
        let unused = pooled.withLock { pooled -> [(address: UInt, size: Int)] in
            var unused: [(address: UInt, size: Int)] = []
            for size in Array(pooled.blocks.keys) {
                while let address = pooled.remove(size) { unused.append((address, size)) }
            }
            return unused
        }
        for block in unused { Self.free(block.address, block.size) }
    }

    /// Gives a block back to the pool. The block came from ``take(_:)``.
    func give(_ block: UnsafeMutableRawBufferPointer) {
        let size = block.count
        let address = UInt(bitPattern: block.baseAddress)
        let released = pooled.withLock { pooled -> [(address: UInt, size: Int)] in
            pooled.used -= size
            guard size <= pooled.limit else { return [(address, size)] }
            // Blocks of other sizes come from images of another size, so they are freed first.
            var released: [(address: UInt, size: Int)] = []
            while pooled.bytes + size > pooled.limit, let other = pooled.blocks.first(where: { $0.key != size })?.key {
                if let old = pooled.remove(other) { released.append((old, other)) }
            }
            guard pooled.bytes + size <= pooled.limit else { return released + [(address, size)] }
            pooled.blocks[size, default: []].append(address)
            pooled.bytes += size
            return released
        }
        for block in released { Self.free(block.address, block.size) }
    }

    /// Allocates a block. Returns nil if the system has no memory for it.
    private static func allocate(_ size: Int) -> UnsafeMutableRawBufferPointer? {
        guard size >= large else {
            // Swift's own function ends the process if the system has no memory.
            return unsafe aligned_alloc(64, size).map { unsafe UnsafeMutableRawBufferPointer(start: $0, count: size) }
        }
        let pages = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let pages = unsafe pages, unsafe pages != MAP_FAILED else { return nil }
        return unsafe UnsafeMutableRawBufferPointer(start: pages, count: size)
    }

    private static func free(_ address: UInt, _ size: Int) {
        guard let pointer = unsafe UnsafeMutableRawPointer(bitPattern: address) else { return }
        guard size >= large else { return unsafe Glibc.free(pointer) }
        let status = unsafe munmap(pointer, size)
        precondition(status == 0, "the pages belong to the pool")
    }

    /// Rounds a size up, so that images of slightly different sizes share blocks. Let p be the largest power of two
    /// that is at most the size. The result is a multiple of p / 8, or of 64 bytes if p / 8 is smaller. Large blocks
    /// are whole pages.
    private static func size(_ bytes: Int) -> Int {
        let bytes = max(bytes, 256)
        let step = max(64, 1 << max(0, Int.bitWidth - bytes.leadingZeroBitCount - 4))
        return (bytes + step - 1) / step * step
    }
}
