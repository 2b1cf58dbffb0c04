import FrostCore

/// The taps of a run in the order in which the shader reads them.
struct ShaderTaps {
    /// The shader's uniform `walk`, as (x, y, z, w). Output i reads consecutive samples, starting with sample `(i * x +
    /// y)
    /// >> z`, and multiplies them by the weights of phase `i & w`.
    let walk: SIMD4<Int32>
    /// The number of taps of each phase. A phase is one of the sets of weights that consecutive outputs use in turn.
    let count: Int
    /// The weights: `count` consecutive weights for each phase.
    let weights: [Float]
    /// The number of pairs of samples that the shader adds before it multiplies them by their common weight: half of
    /// ``count`` if the filter is symmetric, otherwise 0.
    let pairCount: Int

    init(_ operation: Pass.Operation) throws(GPUError) {
        try operation.check()
        self.init(PolyphaseTaps(operation))
    }

    init(_ taps: PolyphaseTaps) {
        walk = SIMD4(Int32(taps.step), Int32(taps.offset), Int32(taps.shift), Int32(taps.phases.count - 1))
        count = taps.count
        weights = taps.phases.flatMap { $0 }
        pairCount = taps.phases.count == 1 && weights == weights.reversed() ? count / 2 : 0
    }
}

extension Pass.Operation {
    /// Throws if the number of taps does not suit the operation.
    func check() throws(GPUError) {
        switch self {
        case .convolve(let taps):
            guard taps.count % 2 == 1 else { throw .invalidPlan("a convolution cannot have \(taps.count) taps") }
        case .decimate(let taps):
            guard taps.count >= 2, taps.count % 2 == 0 else {
                throw .invalidPlan("a decimation cannot have \(taps.count) taps")
            }
        case .interpolate(let taps):
            guard taps.count >= 2, taps.count % 2 == 0 else {
                throw .invalidPlan("an interpolation cannot have \(taps.count) taps")
            }
        }
    }
}
