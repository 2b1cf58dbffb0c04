import FrostCore

/// The taps of an operation as the shader walks them: `first(i) = (i * scale + offset) >> shift`, then `count` cells
/// upwards, with the weights of `i & phaseMask`.
struct Weights {
    var walk: SIMD4<Int32>
    var count: Int
    /// One run of `count` weights for each phase.
    var values: [Float]

    init(_ operation: Pass.Operation) throws(GPUError) {
        let count = operation.taps.count
        switch operation {
        case .convolve: guard count % 2 == 1 else { throw .invalidPlan("a convolution of \(count) taps") }
        case .decimate: guard count >= 2, count % 2 == 0 else { throw .invalidPlan("a decimation of \(count) taps") }
        case .interpolate:
            guard count >= 2, count % 2 == 0 else { throw .invalidPlan("an interpolation of \(count) taps") }
        }
        let taps = PolyphaseTaps(operation)
        walk = SIMD4(Int32(taps.step), Int32(taps.offset), Int32(taps.shift), Int32(taps.phases.count - 1))
        self.count = taps.count
        values = taps.phases.flatMap { $0 }
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
