/// The number of bytes that were in use on average recently. A pool derives from it how many unused bytes it keeps, so that
/// a change to smaller images frees memory, and a single large image among small ones leaves nothing behind. A maximum
/// would not do: images of random sizes would raise it again and again.
package struct RecentUse: Sendable {
    /// The number of calls of ``count(_:)`` that the average is about; older ones fade. An image takes about ten blocks.
    package static let period = 1024

    private var mean = 0.0
    private var calls = 0

    package init() {}

    /// Takes note of the bytes that are in use after a block was taken.
    package mutating func count(_ used: Int) {
        calls = min(calls + 1, Self.period)
        mean += (Double(used) - mean) / Double(calls)
    }

    /// The number of unused bytes that a pool keeps. Images of one size take their blocks one after the other, so on average
    /// about half of their blocks are in use. Four times the average is twice what they need, so that images of two sizes
    /// can alternate.
    package var idleLimit: Int { Int(4 * mean) }
}
