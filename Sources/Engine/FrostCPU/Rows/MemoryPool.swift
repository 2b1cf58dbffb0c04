import FrostCore
import FrostThreads
import Glibc

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
    func take(_ bytes: Int) -> UnsafeMutableRawBufferPointer {
        let size = Self.size(bytes)
        let known = pooled.withLock { pooled -> UInt? in
            pooled.count(size)
            return pooled.remove(size)
        }
        if let known, let pointer = unsafe UnsafeMutableRawPointer(bitPattern: known) {
            return unsafe UnsafeMutableRawBufferPointer(start: pointer, count: size)
        }
        return unsafe Self.allocate(size)
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

    private static func allocate(_ size: Int) -> UnsafeMutableRawBufferPointer {
        guard size >= large else {
            return UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
        }
        let pages = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        // As with every other allocation of Swift code, the process ends if there is no memory.
        guard let pages = unsafe pages, unsafe pages != MAP_FAILED else { fatalError("no memory for \(size) bytes") }
        return unsafe UnsafeMutableRawBufferPointer(start: pages, count: size)
    }

    private static func free(_ address: UInt, _ size: Int) {
        guard let pointer = unsafe UnsafeMutableRawPointer(bitPattern: address) else { return }
        guard size >= large else { return unsafe pointer.deallocate() }
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
