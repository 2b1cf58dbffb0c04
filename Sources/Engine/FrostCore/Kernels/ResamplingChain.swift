/// The filters for decimation to a lower resolution and for interpolation back: one binomial filter per level, which is
/// used in both directions.
///
/// A binomial filter of n taps, `C(n-1, t) / 2^(n-1)`, has a zero of order n-1 at the highest frequency. So it
/// suppresses the false frequencies that decimation and interpolation create (aliases and spectral images). Its taps
/// are dyadic fractions, so binary arithmetic represents them exactly.
package struct ResamplingChain: Hashable {
    /// The number of taps of each level's filter, beginning with the finest level. All numbers are even, except the first one
    /// of a chain that is ``betweenPixels``. The array is empty if the resolution does not change.
    let orders: [Int]

    /// The chain with one more tap in the finest filter. A binomial filter of n + 1 taps is one of n taps after the means of
    /// neighbouring pixels. So the levels are those of an image whose pixels lie half a pixel further, between the pixels.
    var betweenPixels: ResamplingChain {
        ResamplingChain(orders: orders.prefix(1).map { $0 + 1 } + orders.dropFirst())
    }

    /// Whether the samples of the lowest resolution lie on pixels, not between them.
    var isCentred: Bool { orders.first.map { $0 % 2 == 1 } ?? true }

    /// The number of source pixels per low-resolution sample along the axis.
    var factor: Int { 1 << orders.count }

    /// Returns the binomial filter with a number of taps: `C(count - 1, t) / 2^(count - 1)`.
    package static func binomial(_ count: Int) -> [Double] {
        var row = [1.0]
        for _ in 1..<count {
            row = zip(row + [0], [0] + row).map { ($0 + $1) / 2 }
        }
        return row
    }

    /// All levels as one filter at the finest resolution. Low-resolution sample `i` is the sum over t of
    /// `taps[t] * source[i * factor + start + t]`. These taps times `factor` are also the weights of the sample in the
    /// interpolated output.
    var composite: (taps: [Double], start: Int) { Self.composite(orders.map(Self.binomial)) }

    /// Returns the filters of several levels as one filter at the finest resolution; see ``composite``.
    ///
    /// - Parameter filters: the taps of each level, beginning with the finest level.
    static func composite(_ filters: [[Double]]) -> (taps: [Double], start: Int) {
        let start = filters.enumerated().reduce(0) { $0 - (($1.element.count / 2 - 1) << $1.offset) }
        return (convolveLevels(filters), start)
    }

    /// The autocorrelation of ``composite``. Lag 0 is in the middle of the array.
    var autocorrelation: [Double] {
        // A binomial filter is symmetric, so its autocorrelation is its convolution with itself: the binomial filter of
        // 2n-1 taps.
        Self.convolveLevels(orders.map { Self.binomial(2 * $0 - 1) })
    }

    /// Convolves the filters of all levels with each other. In the filter of level l, the distance between taps is 2^l.
    private static func convolveLevels(_ filters: [[Double]]) -> [Double] {
        var result = [1.0]
        for (level, filter) in filters.enumerated() {
            let spread = 1 << level
            var next = [Double](repeating: 0, count: result.count + (filter.count - 1) * spread)
            for (t, weight) in filter.enumerated() {
                for (i, value) in result.enumerated() { next[i + t * spread] += weight * value }
            }
            result = next
        }
        return result
    }
}
