import FrostCLI
import Glibc

/// A logarithmic axis that begins and ends at 1, 2 or 5 times a power of ten.
struct LogAxis {
    let lower: Double
    let upper: Double
    /// The positions of the grid lines.
    let ticks: [Double]

    /// Creates an axis that covers the values.
    ///
    /// - Parameter values: at least one value; all values must be positive.
    init(_ values: [Double]) {
        let minimum = values.min() ?? 1
        let maximum = values.max() ?? 1
        let first = Int(log10(minimum).rounded(.down)) - 1
        let last = Int(log10(maximum).rounded(.up)) + 1
        let steps = (first...last).flatMap { power in
            [1, 2, 5].map { power < 0 ? $0 / pow(10, Double(-power)) : $0 * pow(10, Double(power)) }
        }
        // The comparison uses a tolerance, because the computed 10^-1 may differ from 0.1 in the last bit.
        let below = steps.last { $0 <= minimum * (1 + 1e-9) } ?? minimum
        let above = steps.first { $0 >= maximum * (1 - 1e-9) && $0 > below } ?? maximum
        lower = below
        upper = above
        ticks = steps.filter { below <= $0 && $0 <= above }
    }

    /// Returns the position of a value on the axis: 0 at the lower end, 1 at the upper end.
    func position(_ value: Double) -> Double { log10(value / lower) / log10(upper / lower) }

    /// Returns the positions that get a label. If there are at most `maximum` ticks, these are all ticks. Otherwise
    /// they are the ticks at powers of ten or, if there are fewer than two of those, the two ends of the axis.
    func labelled(_ maximum: Int) -> [Double] {
        guard ticks.count > maximum else { return ticks }
        let powers = ticks.filter { abs(log10($0) - log10($0).rounded()) < 1e-9 }
        return powers.count >= 2 ? powers : [lower, upper]
    }

    /// Returns the label of a tick, for example "0.05", "20" or "1000".
    static func label(_ value: Double) -> String {
        let decimals = max(0, Int((-log10(value) - 1e-9).rounded(.up)))
        return fixed(value, decimals)
    }
}
