import FrostCore

/// The taps of an operation as the shader walks them: `first(i) = (i * scale + offset) >> shift`, then `count` cells
/// upwards, with the weights of `i & phaseMask`.
struct Weights {
    var walk: SIMD4<Int32>
    var count: Int
    /// One run of `count` weights for each phase.
    var values: [Float]

    init(_ operation: Pass.Operation) throws(GPUError) {
        switch operation {
        case .convolve(let taps):
            guard taps.count % 2 == 1 else { throw .invalidPlan("a convolution of \(taps.count) taps") }
            walk = SIMD4(1, -Int32(taps.count / 2), 0, 0)
            count = taps.count
            values = taps
        case .decimate(let taps):
            guard taps.count >= 2, taps.count % 2 == 0 else { throw .invalidPlan("a decimation of \(taps.count) taps") }
            walk = SIMD4(2, -Int32(taps.count / 2 - 1), 0, 0)
            count = taps.count
            values = taps
        case .interpolate(let taps):
            guard taps.count >= 2, taps.count % 2 == 0 else {
                throw .invalidPlan("an interpolation of \(taps.count) taps")
            }
            // out[i] = 2 * sum of taps[i - 2j + h] * in[j] from j = (i - h) >> 1 on, h = n/2 - 1. There the index of
            // the tap is 2h plus 0 or 1, whichever has the parity of i + h, plus what the shift cut off; going up it
            // falls by two, and the sum ends where it would be negative.
            let half = taps.count / 2 - 1
            walk = SIMD4(1, -Int32(half), 1, 1)
            count = taps.count / 2
            values = (0...1).flatMap { phase -> [Float] in
                let first = (phase - half) >> 1
                return (0..<taps.count / 2).map { 2 * taps[phase - 2 * (first + $0) + half] }
            }
        }
    }
}

extension EdgeMode {
    /// The shader's constant EDGE_….
    var shaderCode: Int32 {
        switch self {
        case .clamp: 0
        case .mirror: 1
        case .repeat: 2
        case .clear: 3
        }
    }
}
