/// A step that changes a pixel's colour independently of other pixels, on premultiplied RGBA in 0...1.
///
/// After every stage alpha is clamped to 0...1, then red, green and blue to 0...alpha. So a stage's overshoot does not
/// reach the next stage, as in the recreated systems, which store 8 bits in between.
public enum ColorStage: Sendable, Hashable {
    case matrix(ColorMatrix)
    case luminance(LuminanceCurve)
    case grain(Grain)
    /// Encodes linear light as colour, for effects that are computed in light: see ``Effect/decoding``.
    case encode(TransferFunction)
    case scatter(Scatter)

    /// The maximum factor by which an error of the input can grow. Clamping never increases an error.
    public var amplification: Double { ErrorGrowth.bound([derivatives]) }

    /// Linear maps such that every derivative of the stage, before clamping, is a weighted average of them.
    var derivatives: [ColorMatrix] {
        switch self {
        case .matrix(var matrix):
            matrix.one = .zero
            return [matrix]
        case .luminance(let curve): return curve.derivatives
        case .grain(let grain):
            return [-grain.amplitude, grain.amplitude].map { .brightness($0) }
        case .scatter(let scatter):
            return [-scatter.amplitude, scatter.amplitude].map { .brightness($0) }
        case .encode(let curve):
            // This is the first stage. An error of a colour grows by at most this factor, whatever the other colours
            // and alpha are.
            var growth = ColorMatrix()
            (growth.red[0], growth.green[1], growth.blue[2]) = (
                curve.amplification, curve.amplification, curve.amplification
            )
            growth.alpha[3] = curve.amplification
            return [growth]
        }
    }

    /// Whether grey stays grey.
    public var keepsGrey: Bool {
        switch self {
        case .matrix(let matrix): matrix.keepsGrey
        case .luminance, .grain, .encode, .scatter: true
        }
    }

    /// Whether values within their limits stay within them, so that clamping has no effect.
    package var keepsGamut: Bool {
        switch self {
        case .matrix(let matrix): matrix.keepsGamut
        // A Bézier curve stays between its smallest and its largest ordinate.
        case .luminance(let curve):
            (0...1).contains(curve.amount) && (0..<4).allSatisfy { (0...1).contains(curve.values[$0]) }
        case .encode: true
        case .grain, .scatter: false
        }
    }

    /// Applies the stage to a colour: the definition, in double precision.
    ///
    /// - Parameter x, y: the pixel, for grain and scatter.
    public func apply(to color: SIMD4<Double>, x: Int, y: Int) -> SIMD4<Double> {
        let result =
            switch self {
            case .matrix(let matrix): matrix(color)
            case .luminance(let curve): curve.moved(color)
            case .encode(let curve): curve.encode(color)
            case .scatter(let scatter):
                color + color[3]
                    * SIMD4(scatter.value(cellX: scatter.cell(x), cellY: scatter.cell(y)), 0)
            case .grain(let grain): color + SIMD4(1, 1, 1, 0) * (grain.value(x: x, y: y) * color[3])
            }
        let alpha = min(max(result[3], 0), 1)
        return SIMD4(
            SIMD3(result[0], result[1], result[2]).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: alpha)),
            alpha)
    }

    /// The same stages, with adjacent matrices multiplied if clamping after the first has no effect.
    package static func merged(_ stages: [ColorStage]) -> [ColorStage] {
        stages.reduce(into: []) { merged, stage in
            if case .matrix(let second) = stage, case .matrix(let first)? = merged.last, first.keepsGamut {
                merged[merged.count - 1] = .matrix(second.following(first))
            } else {
                merged.append(stage)
            }
        }
    }
}

/// Pseudo-random noise in luminance, the same for all three colours of a pixel and fixed to the picture.
public struct Grain: Sendable, Hashable {
    /// The maximum deviation, as a fraction of full scale.
    public var amplitude: Double
    public var seed: UInt32

    public init(amplitude: Double, seed: UInt32) {
        self.amplitude = amplitude
        self.seed = seed
    }

    /// A value between minus and plus ``amplitude``.
    public func value(x: Int, y: Int) -> Double {
        amplitude * (2 * PixelHash(seed: seed).fraction(x: x, y: y) - 1)
    }
}
