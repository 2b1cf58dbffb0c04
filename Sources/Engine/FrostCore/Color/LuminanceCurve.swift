/// A curve that moves colours towards a grey that depends on their luma, followed by a saturation, as the materials of
/// UIBlurEffect have them. For straight colour, `colour' = mix(colour, curve(luma), amount)`, and so
/// `luma' = mix(luma, curve(luma), amount)`. A larger amount makes luma follow the curve more closely and the colour greyer.
///
/// Saturation keeps luma and greys, so after the mixture it is
/// `mix(luma + saturation * (colour - luma), curve(luma), amount)`: one step, without clamping in between. It equals two steps
/// wherever the curve stays within 0...1, as those of the materials do.
public struct LuminanceCurve: Sendable, Hashable {
    /// The ordinates of the four control points of a cubic Bézier curve. Their abscissas are luma 0, 1/3, 2/3 and 1.
    /// The curve starts at the first control point, in the direction of the second. It ends at the last control point,
    /// coming from the direction of the third.
    public var values: SIMD4<Double>
    /// The weight of the grey in the mixture: 0 changes nothing, 1 gives grey.
    public var amount: Double
    /// The factor of the colour's distance from its luma: 1 changes nothing.
    public var saturation: Double
    /// The weights of red, green and blue in luma.
    public var luma: LumaWeights

    /// Creates a curve from its ordinates, the weight of the grey and the saturation that follows.
    public init(values: SIMD4<Double>, amount: Double, saturation: Double = 1, luma: LumaWeights = .rec709) {
        self.values = values
        self.amount = amount
        self.saturation = saturation
        self.luma = luma
    }

    /// The factor of the colour in the result.
    package var colorFactor: Double { (1 - amount) * saturation }

    /// The factor of luma in the result, besides the curve.
    package var lumaFactor: Double { (1 - amount) * (1 - saturation) }

    /// The coefficients of the grey that is added to ``colorFactor`` times the colour, in powers of luma, beginning with the
    /// constant, for colours in 0...1. For others the curve keeps its value at the nearer limit, and ``lumaFactor`` does not.
    package var greyCoefficients: SIMD4<Double> { coefficients * amount + SIMD4(0, lumaFactor, 0, 0) }

    /// The maximum absolute slope of the grey that is added.
    package var greySteepness: Double { extremes.reduce(0) { max($0, abs(amount * slope($1) + lumaFactor)) } }

    /// The curve's coefficients in powers of luma, beginning with the constant.
    public var coefficients: SIMD4<Double> {
        SIMD4(
            values[0], 3 * (values[1] - values[0]), 3 * (values[2] - 2 * values[1] + values[0]),
            values[3] - 3 * values[2] + 3 * values[1] - values[0])
    }

    /// Returns the curve's grey for a luma.
    ///
    /// - Parameter luma: 0...1.
    public func callAsFunction(_ luma: Double) -> Double {
        let c = coefficients
        return ((c[3] * luma + c[2]) * luma + c[1]) * luma + c[0]
    }

    /// Applies the curve to premultiplied colour, without clamping.
    func moved(_ color: SIMD4<Double>) -> SIMD4<Double> {
        guard color[3] > 0 else { return color }
        let y = luma(color)
        let grey = self(min(max(y / color[3], 0), 1)) * color[3] * amount + y * lumaFactor
        let moved = color * colorFactor + SIMD4(repeating: grey)
        return SIMD4(moved[0], moved[1], moved[2], color[3])
    }

    /// The values of luma at which the curve's slope, and its growth with alpha, can be extreme: 0, 1, and the
    /// inflection point.
    private var extremes: [Double] {
        let c = coefficients
        let straight = -c[2] / (3 * c[3])
        return (0...1).contains(straight) ? [0, 1, straight] : [0, 1]
    }

    private func slope(_ t: Double) -> Double {
        let c = coefficients
        return (3 * c[3] * t + 2 * c[2]) * t + c[1]
    }

    /// Linear maps that bound the derivatives of the curve. With t = luma / alpha, the grey is `alpha curve(t)`. Its
    /// derivative by luma is curve'(t), and its derivative by alpha is `curve(t) - t curve'(t)`. For luma outside
    /// 0...alpha, the curve keeps its value at the nearer limit. Each of the two derivatives has a range. The maps
    /// combine the ends of one range with the ends of the other. These four maps are enough, because every derivative
    /// of the curve is a weighted average of them.
    var derivatives: [ColorMatrix] {
        let byLuma = [0] + extremes.map(slope)
        let byAlpha = [self(1)] + extremes.map { self($0) - $0 * slope($0) }
        return [byLuma.min(), byLuma.max()].compactMap { $0 }.flatMap { slope in
            [byAlpha.min(), byAlpha.max()].compactMap { $0 }.map { rest in
                ColorMatrix(
                    scale: colorFactor, luma: luma, lumaScale: amount * slope + lumaFactor, alphaScale: amount * rest)
            }
        }
    }
}
