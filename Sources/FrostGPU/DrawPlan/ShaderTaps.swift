import FrostCore

/// The taps of a pass as the shader walks them.
struct ShaderTaps {
    /// `first(i) = (i * x + y) >> z`; the weights of output i are those of phase `i & w`.
    let walk: SIMD4<Int32>
    /// Of each phase.
    let count: Int
    /// One run of `count` weights for each phase.
    let weights: [Float]

    init(_ operation: Pass.Operation) throws(GPUError) {
        switch operation {
        case .convolve(let taps):
            guard taps.count % 2 == 1 else { throw .invalidPlan("a convolution of \(taps.count) taps") }
        case .decimate(let taps):
            guard taps.count >= 2, taps.count % 2 == 0 else {
                throw .invalidPlan("a decimation of \(taps.count) taps")
            }
        case .interpolate(let taps):
            guard taps.count >= 2, taps.count % 2 == 0 else {
                throw .invalidPlan("an interpolation of \(taps.count) taps")
            }
        }
        let taps = PolyphaseTaps(operation)
        walk = SIMD4(Int32(taps.step), Int32(taps.offset), Int32(taps.shift), Int32(taps.phases.count - 1))
        count = taps.count
        weights = taps.phases.flatMap { $0 }
    }
}
