/// The taps of a pass, arranged by phase. They tell for each output which input sample it reads first, and the weights
/// of this and the following input samples:
///
/// `out[i] = sum over t of weights(i)[t] * in[first(i) + t]`, before the edge mode is applied.
public struct PolyphaseTaps: Sendable, Hashable {
    /// The factor of i in `first(i) = (i * step + offset) >> shift`, the first input sample of output i.
    public let step: Int
    /// The offset in `first(i) = (i * step + offset) >> shift`, the first input sample of output i.
    public let offset: Int
    /// The shift in `first(i) = (i * step + offset) >> shift`, the first input sample of output i.
    public let shift: Int
    /// The weights of each phase; all phases have the same number of weights. Output i has phase `i mod phases.count`.
    /// The number of phases is a power of two.
    public let phases: [[Float]]

    /// Derives the phases of a filter.
    public init(_ operation: Pass.Operation) {
        switch operation {
        case .convolve(let taps):
            step = 1
            offset = -(taps.count / 2)
            shift = 0
            phases = [taps]
        case .decimate(let taps):
            step = 2
            offset = 1 - taps.count / 2
            shift = 0
            phases = [taps]
        case .interpolate(let taps):
            // With h = floor(n/2) - 1, out[i] = 2 * sum of taps[i - 2j + h] * in[j], beginning at the smallest j for which
            // the tap exists. The index decreases by two from one j to the next. If n is odd, every second output has one
            // tap less than the others, and a weight of 0.
            let half = taps.count / 2 - 1
            let start = half + 2 - taps.count
            step = 1
            offset = start
            shift = 1
            phases = [0, 1].map { phase in
                let first = (phase + start) >> 1
                return (0..<(taps.count + 1) / 2).map {
                    let index = phase - 2 * (first + $0) + half
                    return index < 0 ? 0 : 2 * taps[index]
                }
            }
        }
    }

    /// Derives the taps of several consecutive passes along one axis, as one filter. If the filters are binomial, the
    /// weights are exact.
    ///
    /// - Parameters:
    ///   - filters: the taps of the decimations or the interpolations, beginning with the finest level.
    ///   - decimates: whether the passes decimate. Otherwise they interpolate.
    public init(_ filters: [[Float]], decimates: Bool) {
        let (taps, start) = ResamplingChain.composite(filters.map { $0.map { Double($0) } })
        let (levels, factor) = (filters.count, 1 << filters.count)
        if decimates {
            step = factor
            offset = start
            shift = 0
            phases = [taps.map { Float($0) }]
        } else {
            // out[i] = factor * sum of taps[i - factor j - start] * in[j], beginning at the smallest j for which the index
            // is less than the number of taps.
            let first = factor - taps.count - start
            step = 1
            offset = first
            shift = levels
            phases = (0..<factor).map { phase in
                (0..<(taps.count + factor - 1) / factor).map { k in
                    let index = phase - factor * (((phase + first) >> levels) + k) - start
                    return taps.indices.contains(index) ? Float(Double(factor) * taps[index]) : 0
                }
            }
        }
    }

    /// The number of weights of an output.
    public var count: Int { phases[0].count }

    /// The weights of outputs with an even index. They equal ``odd`` if there is one phase.
    public var even: [Float] { phases[0] }
    /// The weights of outputs with an odd index. They equal ``even`` if there is one phase.
    public var odd: [Float] { phases[phases.count - 1] }

    /// Returns the first input sample that output `i` reads.
    public func first(_ i: Int) -> Int { (i * step + offset) >> shift }
}
