import FrostTestSupport
import Testing

@testable import FrostCore

@Suite("Taps by phase") struct PolyphaseTapsTests {
    /// Returns output `i` of a filter, for an input that is defined for every index.
    static func output(_ taps: PolyphaseTaps, _ i: Int, _ input: (Int) -> Double) -> Double {
        let weights = taps.phases[i & (taps.phases.count - 1)]
        return weights.enumerated().reduce(0) { $0 + Double($1.element) * input(taps.first(i) + $1.offset) }
    }

    static let chains: [[Int]] = [
        [4], [8], [2, 2, 2], [4, 8], [6, 8], [4, 4, 8], [4, 6, 8], [8, 10], [4, 4, 4], [14],
    ]

    @Test("the filter of several passes equals the passes one after the other", arguments: chains, [true, false])
    func composites(_ orders: [Int], _ decimates: Bool) {
        let filters = orders.map { ResamplingChain.binomial($0).map { Float($0) } }
        // Whole numbers, whose sums with dyadic weights are exact.
        func input(_ i: Int) -> Double { Double((i &* 7919) & 255) }
        let passes = filters.map { PolyphaseTaps(decimates ? .decimate(taps: $0) : .interpolate(taps: $0)) }
        // The finest decimation comes first, and the finest interpolation comes last.
        let ordered = decimates ? passes : passes.reversed()
        func chained(_ count: Int, _ i: Int) -> Double {
            count == 0 ? input(i) : Self.output(ordered[count - 1], i) { chained(count - 1, $0) }
        }
        let whole = PolyphaseTaps(filters, decimates: decimates)
        #expect(whole.phases.count == (decimates ? 1 : 1 << orders.count))
        for i in -19...19 { #expect(Self.output(whole, i, input) == chained(orders.count, i), "output \(i)") }
        // Another order of the filters is another filter.
        guard Set(orders).count > 1 else { return }
        let other = PolyphaseTaps(filters.reversed(), decimates: decimates)
        #expect((-19...19).contains { Self.output(other, $0, input) != Self.output(whole, $0, input) })
    }
}
