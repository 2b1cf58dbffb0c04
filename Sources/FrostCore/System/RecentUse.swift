/// The largest number of bytes that work used at the same time recently. A pool derives from it how many unused bytes it
/// keeps, so that a change to smaller images frees memory.
package struct RecentUse: Sendable {
    /// "Recently" are the last calls of ``count(_:)``: at least this number, and less than twice as many. An image needs
    /// about ten blocks, so images of random sizes reach their usual maximum during a period, and the pool stays flat.
    package static let period = 4096

    /// The maximum of the last full period, and of the current one.
    private var (last, current) = (0, 0)
    private var calls = 0

    package init() {}

    /// Takes note of the bytes that are in use now.
    package mutating func count(_ used: Int) {
        calls += 1
        if calls % Self.period == 0 { (last, current) = (current, 0) }
        current = max(current, used)
    }

    /// Returns the number of unused bytes that a pool keeps. A stream of images of one size needs at most the largest use.
    /// The bytes in use and the unused bytes together are at most twice as many, so that images of two sizes can alternate,
    /// and images of many small sizes keep little memory.
    package func idleLimit(used: Int) -> Int { max(0, 2 * max(last, current) - used) }
}
