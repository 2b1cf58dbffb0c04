@testable import FrostCore
import Testing

struct RecentUseTests {
    /// Counts images that take `blocks` blocks of the same size.
    private static func count(_ images: Int, of size: Int, blocks: Int = 10, in use: inout RecentUse) {
        for _ in 0..<images { for taken in 1...blocks { use.count(taken * size) } }
    }

    @Test("images of one size keep what they need twice, from the first one on")
    func oneSize() {
        var use = RecentUse()
        #expect(use.idleLimit(used: 0) == 0)
        for images in [1, 10, 1000] {
            Self.count(images, of: 1000, in: &use)
            #expect((19_000...20_000).contains(use.idleLimit(used: 0)), "\(use.idleLimit(used: 0)) after \(images)")
            #expect(use.idleLimit(used: 10_000) == 10_000)
        }
    }

    @Test("memory that is in use all the time leaves no more unused bytes")
    func constantUse() {
        var use = RecentUse()
        for _ in 0..<5000 { use.count(1000) }
        #expect(use.idleLimit(used: 1000) == 1000 && use.idleLimit(used: 0) == 2000 && use.idleLimit(used: 3000) == 0)
    }

    @Test("a large image among many small ones keeps little, and small images forget large ones")
    func otherSizes() {
        var use = RecentUse()
        Self.count(500, of: 1000, in: &use)
        Self.count(1, of: 100_000, in: &use)
        #expect(use.idleLimit(used: 0) < 60_000)
        Self.count(500, of: 100_000, in: &use)
        #expect(use.idleLimit(used: 0) > 1_900_000)
        Self.count(1000, of: 1000, in: &use)
        #expect(use.idleLimit(used: 0) <= 20_000)
    }
}
