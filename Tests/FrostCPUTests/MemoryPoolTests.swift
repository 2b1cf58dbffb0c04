@testable import FrostCPU
import FrostTestSupport
import Testing

struct MemoryPoolTests {
    @Test("blocks of many sizes leave about twice the bytes that they needed")
    func randomSizes() throws {
        let pool = MemoryPool()
        var random = SeededGenerator(seed: 3)
        for _ in 0..<5000 {
            let blocks = try unsafe (0..<3).map { _ in
                try unsafe pool.take(Int.random(in: 1...1_000_000, using: &random))
            }
            unsafe blocks.forEach { unsafe pool.give($0) }
            // A block is rounded up by at most an eighth.
            #expect(pool.idleBytes <= 2 * 3 * 1_125_000)
        }
        #expect(pool.idleBytes > 0)
    }

    @Test("two sizes in turn need no new memory")
    func twoSizes() throws {
        let pool = MemoryPool()
        func addresses(_ bytes: Int) throws -> Set<UInt> {
            let blocks = try unsafe (0..<4).map { _ in try unsafe pool.take(bytes) }
            defer { unsafe blocks.forEach { unsafe pool.give($0) } }
            return unsafe Set(blocks.map { UInt(bitPattern: $0.baseAddress) })
        }
        let (small, large) = try (addresses(3000), addresses(300_000))
        for _ in 0..<5 {
            #expect(try addresses(300_000) == large)
            #expect(try addresses(3000) == small)
        }
    }

    @Test("unused blocks are returned to the system, blocks in use are not")
    func unusedBlocks() throws {
        let pool = MemoryPool()
        let (kept, given) = try unsafe (pool.take(100_000), pool.take(200_000))
        unsafe kept.storeBytes(of: 77, as: UInt8.self)
        unsafe pool.give(given)
        #expect(pool.idleBytes > 0)
        pool.freeUnused()
        #expect(pool.idleBytes == 0)
        #expect(unsafe kept.load(as: UInt8.self) == 77)
        unsafe pool.give(kept)
    }
}
