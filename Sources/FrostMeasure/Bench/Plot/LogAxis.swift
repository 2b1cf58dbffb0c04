#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import FrostCLI

/// A logarithmic axis that begins and ends at 1, 2 or 5 times a power of ten.
struct LogAxis {
    let lower: Double
    let upper: Double
    /// Where the grid has lines.
    let ticks: [Double]

    /// - Parameter values: positive, at least one.
    init(_ values: [Double]) {
        let least = values.min() ?? 1
        let most = values.max() ?? 1
        let first = Int(log10(least).rounded(.down)) - 1
        let last = Int(log10(most).rounded(.up)) + 1
        let steps = (first...last).flatMap { power in
            [1, 2, 5].map { power < 0 ? $0 / pow(10, Double(-power)) : $0 * pow(10, Double(power)) }
        }
        // A hair of slack: 10^-1 and 0.1 are not always the same number.
        let below = steps.last { $0 <= least * (1 + 1e-9) } ?? least
        let above = steps.first { $0 >= most * (1 - 1e-9) && $0 > below } ?? most
        lower = below
        upper = above
        ticks = steps.filter { below <= $0 && $0 <= above }
    }

    /// 0 at the lower end, 1 at the upper.
    func position(_ value: Double) -> Double { log10(value / lower) / log10(upper / lower) }

    /// The ticks that get a label where there is room for so many.
    func labelled(_ most: Int) -> [Double] {
        guard ticks.count > most else { return ticks }
        let powers = ticks.filter { abs(log10($0) - log10($0).rounded()) < 1e-9 }
        return powers.count >= 2 ? powers : [lower, upper]
    }

    /// "0.05", "20", "1000".
    static func label(_ value: Double) -> String {
        let decimals = max(0, Int((-log10(value) - 1e-9).rounded(.up)))
        return fixed(value, decimals)
    }
}
