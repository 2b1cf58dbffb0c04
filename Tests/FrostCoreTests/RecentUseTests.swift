@testable import FrostCore
import Testing

struct RecentUseTests {
    @Test("a maximum counts for one to two periods, and then the limit follows the smaller use")
    func forgetting() {
        var use = RecentUse()
        #expect(use.idleLimit(used: 0) == 0)
        use.count(100)
        #expect(use.idleLimit(used: 0) == 200 && use.idleLimit(used: 100) == 100 && use.idleLimit(used: 300) == 0)
        for _ in 0..<RecentUse.period { use.count(10) }
        #expect(use.idleLimit(used: 0) == 200)
        for _ in 0..<RecentUse.period { use.count(10) }
        #expect(use.idleLimit(used: 0) == 20)
    }
}
