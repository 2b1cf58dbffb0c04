/// The number of bytes that were in use recently. A pool derives from it how many unused bytes it keeps, so that a change to
/// smaller images frees memory, and a single large image among small ones leaves little behind.
package struct RecentUse: Sendable {
    /// The number of calls of ``count(_:)`` that count as recent, about. An image takes about ten blocks.
    package static let period = 1024

    /// The average, in which older calls fade.
    private var mean = 0.0
    /// The maximum of the last full period, and of the current one.
    private var (last, current) = (0, 0)
    private var calls = 0

    package init() {}

    /// Takes note of the bytes that are in use after a block was taken.
    package mutating func count(_ used: Int) {
        calls += 1
        if calls % Self.period == 0 { (last, current) = (current, 0) }
        current = max(current, used)
        mean += (Double(used) - mean) / Double(min(calls, Self.period))
    }

    /// Returns the number of unused bytes that a pool keeps while `used` bytes are in use.
    ///
    /// Images of one size take their blocks one after the other, so on average about half of their blocks are in use. Four
    /// times the average is twice what they need, so that images of two sizes can alternate. The maximum alone would not do,
    /// because each larger image among images of random sizes would raise it. An image that holds most of its memory all
    /// the time has an average that is as large as the maximum. So the bytes in use and the unused bytes together have at
    /// most twice the maximum.
    package func idleLimit(used: Int) -> Int { min(Int(4 * mean), max(0, 2 * max(last, current) - used)) }
}
