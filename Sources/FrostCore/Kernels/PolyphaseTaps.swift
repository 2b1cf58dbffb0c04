/// The taps of a pass by phase: the first input sample that an output reads, and the weights from there on.
///
/// `out[i] = sum over t of weights(i)[t] * in[first(i) + t]`, before any edge rule.
public struct PolyphaseTaps: Sendable, Hashable {
    /// `first(i) = (i * step + offset) >> shift`.
    public let step: Int
    public let offset: Int
    public let shift: Int
    /// One run of weights for each phase, all of the same length. Output i has phase `i mod phases.count`; there are one
    /// or two phases.
    public let phases: [[Float]]

    public init(_ operation: Pass.Operation) {
        switch operation {
        case .convolve(let taps):
            (step, offset, shift) = (1, -(taps.count / 2), 0)
            phases = [taps]
        case .decimate(let taps):
            (step, offset, shift) = (2, 1 - taps.count / 2, 0)
            phases = [taps]
        case .interpolate(let taps):
            // out[i] = 2 * sum of taps[i - 2j + h] * in[j] from j = (i - h) >> 1 on, h = n/2 - 1. There the tap's index
            // is 0 or 1 more than 2h minus what the shift cut off; as j rises it falls by two, and the sum ends before
            // it becomes negative.
            let half = taps.count / 2 - 1
            (step, offset, shift) = (1, -half, 1)
            phases = (0...1).map { phase in
                let first = (phase - half) >> 1
                return (0..<taps.count / 2).map { 2 * taps[phase - 2 * (first + $0) + half] }
            }
        }
    }

    /// Weights of an output.
    public var count: Int { phases[0].count }

    /// The weights of even and of odd outputs; the same if there is one phase.
    public var even: [Float] { phases[0] }
    public var odd: [Float] { phases[phases.count - 1] }

    /// The first input sample of output `i`.
    public func first(_ i: Int) -> Int { (i * step + offset) >> shift }
}
