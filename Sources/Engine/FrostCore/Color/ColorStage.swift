/// A step that changes a pixel's colour independently of other pixels, on premultiplied RGBA in 0...1.
///
/// After every stage, alpha is clamped to 0...1, then red, green and blue are clamped to 0...alpha. So a value outside
/// its range never reaches the next stage. The systems whose effects Frost recreates behave in the same way, because
/// they store 8-bit values between stages. Only ``encode(_:)`` does not clamp in images of floats, whose light may lie outside
/// 0...1.
public enum ColorStage: Sendable, Hashable {
    /// Applies an affine map.
    case matrix(ColorMatrix)
    /// Moves colours towards a grey, which a curve gives for each luma, and changes the saturation.
    case luminance(LuminanceCurve)
    /// Changes saturation and the white point within the gamut.
    case vivid(Vividness)
    /// Adds pseudo-random noise in luminance.
    case grain(Grain)
    /// Encodes linear light as colour, for effects that are computed in light: see ``Effect/decoding``.
    case encode(TransferFunction)
    /// Adds pseudo-random offsets, which depend on a key, to the colours of each square cell.
    case scatter(Scatter)
    /// Changes luminances so that content of a known colour has a minimum contrast. It is the last stage.
    case contrast(ContrastFloor)

    /// The maximum factor by which the stage amplifies an error of its input. Clamping never increases an error.
    public var amplification: Double { ErrorGrowth.bound([derivatives]) }

    /// Linear maps that bound how much the stage increases an error: every derivative of the stage, before clamping, is
    /// a weighted average of these maps.
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
            // Encoding is the first stage. It amplifies an error of a colour at most by `curve.amplification`, for any
            // values of the other colours and alpha.
            var growth = ColorMatrix()
            (growth.red[0], growth.green[1], growth.blue[2]) = (
                curve.amplification, curve.amplification, curve.amplification
            )
            growth.alpha[3] = curve.amplification
            return [growth]
        // These bound sums only; see `boundsSums`.
        case .contrast(let floor): return [Self.growth(floor.growth)]
        case .vivid(let vividness): return [Self.growth(vividness.growth)]
        }
    }

    private static func growth(_ factor: Double) -> ColorMatrix {
        var growth = ColorMatrix()
        (growth.red[0], growth.green[1], growth.blue[2], growth.alpha[3]) = (factor, factor, factor, factor)
        return growth
    }

    /// Whether ``derivatives`` has one map that bounds only the sums of absolute weights in the rows of the derivatives, and not
    /// each weight. So it holds only at the end of a list of stages: the stages that follow are a list of their own. See
    /// ``ErrorGrowth/bound(of:)``.
    var boundsSums: Bool {
        switch self {
        case .contrast, .vivid: true
        case .matrix, .luminance, .grain, .encode, .scatter: false
        }
    }

    /// Whether the stage keeps grey pixels grey.
    public var keepsGrey: Bool {
        switch self {
        case .matrix(let matrix): matrix.keepsGrey
        case .luminance, .vivid, .grain, .encode, .scatter, .contrast: true
        }
    }

    /// Whether the stage maps every valid colour to a valid colour, so that clamping after it has no effect.
    package var keepsGamut: Bool {
        switch self {
        case .matrix(let matrix): matrix.keepsGamut
        // A Bézier curve stays between its smallest and its largest ordinate.
        case .luminance(let curve):
            (0...1).contains(curve.amount) && (0...1).contains(curve.saturation)
                && (0..<4).allSatisfy { (0...1).contains(curve.values[$0]) }
        case .vivid, .encode, .contrast: true
        case .grain, .scatter: false
        }
    }

    /// Whether the stage changes red, green and blue by offsets of their own.
    var scatters: Bool {
        switch self {
        case .scatter: true
        case .matrix, .luminance, .vivid, .grain, .encode, .contrast: false
        }
    }

    /// Whether the stage guarantees a contrast.
    package var guaranteesContrast: Bool {
        switch self {
        case .contrast: true
        case .matrix, .luminance, .vivid, .grain, .encode, .scatter: false
        }
    }

    /// Applies the stage to a colour in double precision. This function defines the stage, except that ``encode(_:)`` clamps
    /// only in images of integers.
    ///
    /// - Parameter x, y: the pixel's absolute position, for grain and scatter.
    public func apply(to color: SIMD4<Double>, x: Int, y: Int) -> SIMD4<Double> {
        let result =
            switch self {
            case .matrix(let matrix): matrix(color)
            case .luminance(let curve): curve.moved(color)
            case .vivid(let vividness): vividness.moved(color)
            case .encode(let curve): curve.encode(color)
            case .contrast(let floor): floor.moved(color)
            case .scatter(let scatter):
                color + color[3]
                    * SIMD4(
                        scatter.value(
                            cellX: scatter.cell(x, along: .x), cellY: scatter.cell(y, along: .y),
                            color: SIMD3(color[0], color[1], color[2]), key: scatter.cipherKey), 0)
            case .grain(let grain): color + SIMD4(1, 1, 1, 0) * (grain.value(x: x, y: y) * color[3])
            }
        let alpha = min(max(result[3], 0), 1)
        return SIMD4(
            SIMD3(result[0], result[1], result[2]).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: alpha)),
            alpha)
    }

    /// Returns stages with the same effect, but fewer if possible: two adjacent matrices become one matrix if clamping
    /// after the first matrix has no effect.
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

/// Pseudo-random noise in luminance. The noise is the same for red, green and blue of a pixel. It depends on the
/// pixel's absolute position, so it is fixed to the picture.
public struct Grain: Sendable, Hashable {
    /// The grain's maximum deviation, as a fraction of full scale.
    public var amplitude: Double
    /// The seed of the pseudo-random noise.
    public var seed: UInt32

    /// Creates grain with an amplitude and a seed.
    public init(amplitude: Double, seed: UInt32) {
        self.amplitude = amplitude
        self.seed = seed
    }

    /// Returns the noise at a pixel's absolute position: a value between minus and plus ``amplitude``.
    public func value(x: Int, y: Int) -> Double {
        amplitude * (2 * PixelHash(seed: seed).fraction(x: x, y: y) - 1)
    }
}
