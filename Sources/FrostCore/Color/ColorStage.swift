/// One step that changes a pixel's colour by itself, on premultiplied RGBA in 0...1.
///
/// After every stage red, green and blue are clamped to 0...alpha, and alpha to 0...1 before that: so what a stage
/// overshoots is gone for the next, as it is in the systems re-created, which keep 8 bits in between.
public enum ColorStage: Sendable, Hashable {
    case matrix(ColorMatrix)
    case luminance(LuminanceCurve)
    case grain(Grain)
    /// From light to colour, for effects that are computed in light: see ``Effect/decoding``.
    case encode(TransferFunction)

    /// How much larger an error of the input can become, at worst. Clamping makes none larger.
    public var amplification: Double {
        switch self {
        case .matrix(let matrix): matrix.amplification
        case .luminance(let curve): curve.amplification
        case .grain: 1
        case .encode(let curve): curve.amplification
        }
    }

    /// Whether grey stays grey.
    public var keepsGrey: Bool {
        switch self {
        case .matrix(let matrix): matrix.keepsGrey
        case .luminance, .grain, .encode: true
        }
    }

    /// What becomes of a colour: the definition, in Double.
    ///
    /// - Parameter x, y: the pixel, for ``Grain``.
    public func apply(to color: SIMD4<Double>, x: Int, y: Int) -> SIMD4<Double> {
        let result =
            switch self {
            case .matrix(let matrix): matrix(color)
            case .luminance(let curve): color + SIMD4(1, 1, 1, 0) * curve.shift(color)
            case .encode(let curve): curve.encode(color)
            case .grain(let grain): color + SIMD4(1, 1, 1, 0) * (grain.value(x: x, y: y) * color[3])
            }
        let alpha = min(max(result[3], 0), 1)
        return SIMD4(
            SIMD3(result[0], result[1], result[2]).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: alpha)),
            alpha)
    }
}

/// Moves luma towards a curve, as the materials of UIBlurEffect do: `luma' = mix(luma, curve(luma), amount)` on
/// straight colour; each colour is shifted by the change.
public struct LuminanceCurve: Sendable, Hashable {
    /// The curve at luma 0, 1/3, 2/3 and 1, linear between.
    public var values: SIMD4<Double>
    /// 0 keeps luma, 1 replaces it by the curve.
    public var amount: Double
    public var luma: LumaWeights

    public init(values: SIMD4<Double>, amount: Double, luma: LumaWeights = .rec709) {
        self.values = values
        self.amount = amount
        self.luma = luma
    }

    /// The three pieces as `intercept + slope * luma`, from dark to light.
    public var pieces: [(intercept: Double, slope: Double)] {
        (0..<3).map { i in
            let slope = (values[i + 1] - values[i]) * 3
            return (values[i] - slope * Double(i) / 3, slope)
        }
    }

    /// By how much premultiplied colour is shifted. Nothing where alpha is 0.
    func shift(_ color: SIMD4<Double>) -> Double {
        guard color[3] > 0 else { return 0 }
        let luma = min(max(luma(color) / color[3], 0), 1)
        let piece = pieces[luma < 1.0 / 3 ? 0 : luma < 2.0 / 3 ? 1 : 2]
        return (piece.intercept + piece.slope * luma - luma) * amount * color[3]
    }

    /// On a piece the shift is `amount * (intercept * alpha + (slope - 1) * luma)`: that makes a matrix.
    var amplification: Double {
        let weights = [luma.red, luma.green, luma.blue]
        return pieces.map { piece in
            let slope = amount * (piece.slope - 1)
            let rows = weights.indices.map { i in
                abs(1 + slope * weights[i]) + abs(slope) * (weights.reduce(0, +) - weights[i])
            }
            return (rows.max() ?? 1) + abs(amount * piece.intercept)
        }.max() ?? 1
    }
}

/// Noise in luminance, the same for all three colours of a pixel, and for all pixels of a cell; fixed to the picture.
public struct Grain: Sendable, Hashable {
    /// The largest deviation, of full scale.
    public var amplitude: Double
    public var seed: UInt32
    /// Cells are squares of `2^level` pixels, at multiples of their side from the absolute origin; 0...15.
    public var level: Int

    public init(amplitude: Double, seed: UInt32, level: Int = 0) {
        self.amplitude = amplitude
        self.seed = seed
        self.level = min(max(level, 0), 15)
    }

    /// The cell along an axis of a pixel, both modulo 2^32.
    public func cell(_ pixel: Int) -> Int { Int(Int32(truncatingIfNeeded: pixel) >> level) }

    /// Between plus and minus ``amplitude``.
    public func value(x: Int, y: Int) -> Double {
        amplitude * (2 * PixelNoise(seed: seed).fraction(x: cell(x), y: cell(y)) - 1)
    }
}
