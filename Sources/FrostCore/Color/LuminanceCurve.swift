/// Moves colours towards the grey that a curve has for their luma, as the materials of UIBlurEffect do. On straight colour
/// `colour' = mix(colour, curve(luma), amount)`, so that `luma' = mix(luma, curve(luma), amount)`: as much as luma
/// follows the curve, colour gives way to grey.
public struct LuminanceCurve: Sendable, Hashable {
    /// The ordinates of a cubic Bézier curve over luma 0...1: its values at 0 and 1 are the first and the last, and it
    /// leaves and reaches them towards the second and the third, which stand at luma 1/3 and 2/3.
    public var values: SIMD4<Double>
    /// 0 changes nothing, 1 leaves grey.
    public var amount: Double
    public var luma: LumaWeights

    public init(values: SIMD4<Double>, amount: Double, luma: LumaWeights = .rec709) {
        self.values = values
        self.amount = amount
        self.luma = luma
    }

    /// The curve in powers of luma, from the constant on.
    public var coefficients: SIMD4<Double> {
        SIMD4(
            values[0], 3 * (values[1] - values[0]), 3 * (values[2] - 2 * values[1] + values[0]),
            values[3] - 3 * values[2] + 3 * values[1] - values[0])
    }

    /// - Parameter luma: 0...1.
    public func callAsFunction(_ luma: Double) -> Double {
        let c = coefficients
        return ((c[3] * luma + c[2]) * luma + c[1]) * luma + c[0]
    }

    /// What becomes of premultiplied colour, without clamping.
    func moved(_ color: SIMD4<Double>) -> SIMD4<Double> {
        guard color[3] > 0 else { return color }
        let grey = self(min(max(luma(color) / color[3], 0), 1)) * color[3]
        return color + (SIMD4(grey, grey, grey, color[3]) - color) * amount
    }

    /// Where the curve is steepest or flattest, and where what alpha adds is the most or the least: where luma is 0 or 1,
    /// and where the curve does not bend.
    private var extremes: [Double] {
        let c = coefficients
        let straight = -c[2] / (3 * c[3])
        return (0...1).contains(straight) ? [0, 1, straight] : [0, 1]
    }

    private func slope(_ t: Double) -> Double {
        let c = coefficients
        return (3 * c[3] * t + 2 * c[2]) * t + c[1]
    }

    /// The largest slope of the curve, up or down.
    public var steepness: Double { extremes.reduce(0) { max($0, abs(slope($1))) } }

    /// With t = luma / alpha the grey is `alpha curve(t)`: by luma it grows by curve'(t), by alpha by
    /// `curve(t) - t curve'(t)`. Luma beyond 0...alpha has the curve's value there. Of the ranges of both the corners are
    /// enough: every derivative is an average of them.
    var derivatives: [ColorMatrix] {
        let byLuma = [0] + extremes.map(slope)
        let byAlpha = [self(1)] + extremes.map { self($0) - $0 * slope($0) }
        return [byLuma.min(), byLuma.max()].compactMap { $0 }.flatMap { slope in
            [byAlpha.min(), byAlpha.max()].compactMap { $0 }.map { rest in
                ColorMatrix(scale: 1 - amount, luma: luma, lumaScale: amount * slope, alphaScale: amount * rest)
            }
        }
    }
}
