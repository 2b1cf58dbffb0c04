/// A stage that changes saturation, and moves light areas towards white or dark areas towards black, without leaving the gamut:
/// no channel ever clips.
///
/// On a colour k = c / A that is not premultiplied, with its luma Y and the distances d = k - Y:
///
///     k'  = k + f d
///     f   = s - 1                                       for a saturation s ≤ 1
///     f   = (s - 1) / (1 + (s - 1)⁴ D² Σ 1/p⁴)^¼        for s > 1
///     D   = 5/4 Σ d²,  p = k (1 - k)                    the sums are over red, green and blue
///     k'' = k' + w g(Y) (1 - k')                        for a white point w ≥ 0
///     k'' = k' + w g(1 - Y) k'                          for w < 0
///     g(y) = t² (3 - 2t),  t = unit(2y - 1)
///
/// **No channel clips.** f is at most p / √D for the p of each channel, so `|f d| ≤ 0.9 p`, because D ≥ 5/4 d². And
/// `p = k (1 - k)` is at most the distance from 0 and the distance from 1. So k' stays in 0...1, and a channel that is 0 or
/// 1 keeps its value; the tenth that is left keeps colours from being rounded to the border. k'' lies between k' and white, or
/// k' and black.
///
/// **Hue and luma.** k' lies on the ray from the grey of the same luma through k, because f ≥ -1. The white point mixes all
/// channels with white or black by the same part.
///
/// **Smoothness.** f is between 0 and s - 1. It decreases where D or a 1 / p grows, and it is s - 1 on grey. There is no threshold: inside
/// the gamut, f is a smooth function of the colour. g has a continuous derivative. Each channel of the result increases with
/// the same channel of the colour, and luma increases with luma.
///
/// **Why D is in all terms.** The largest saturation that does not clip is `1 + min p* / |d|`, p* being the distance of a
/// channel from the limit that it moves to. A function of it alone would change steeply near dark, saturated blue and light,
/// saturated yellow: errors of the blur would grow by 26 there. With D, f |d| is at most p for the d of each channel and the p
/// of each other one. So a channel changes another one by at most about its own change. See `growth`.
public struct Vividness: Sendable, Hashable {
    /// The saturation that greyish colours get, 0...4: 1 keeps colours and 0 gives grey.
    public let saturation: Double
    /// How far light areas move towards white, -1...1; a negative number moves dark areas towards black.
    public let whitePoint: Double

    /// The range of the saturation.
    public static let saturationRange: ClosedRange<Double> = 0...4
    /// The range of the white point.
    public static let whitePointRange: ClosedRange<Double> = -1...1

    /// Creates a stage from a saturation and a white point.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)``.
    public init(saturation: Double, whitePoint: Double = 0) throws(ParameterError) {
        guard Self.saturationRange.contains(saturation) else {
            throw .outOfRange(parameter: "saturation", value: saturation, allowed: Self.saturationRange)
        }
        guard Self.whitePointRange.contains(whitePoint) else {
            throw .outOfRange(parameter: "white-point", value: whitePoint, allowed: Self.whitePointRange)
        }
        self.init(valid: saturation, whitePoint)
    }

    private init(valid saturation: Double, _ whitePoint: Double) {
        self.saturation = saturation
        self.whitePoint = whitePoint
    }

    /// Whether the stage changes nothing.
    public var isIdentity: Bool { saturation == 1 && whitePoint == 0 }

    package static let weights = LumaWeights.rec709

    /// The smallest p that a backend in floats divides by. With it, a channel at the border of the gamut moves by less than this.
    package static let leastRoom = 1e-6

    /// The factor of Σ d² in D.
    private static let margin = 1.25

    /// The numbers of the stage for a backend: s - 1, 5/4 of its square if it is positive and else 0, |w|, and the colour to which the
    /// white point moves: 1 for white, 0 for black.
    package var numbers: SIMD4<Double> {
        let more = saturation - 1
        return SIMD4(more, more > 0 ? Self.margin * more * more : 0, abs(whitePoint), whitePoint >= 0 ? 1 : 0)
    }

    /// Returns the stage at a part of its strength.
    func weakened(to part: Double) -> Vividness {
        Vividness(valid: 1 + part * (saturation - 1), part * whitePoint)
    }

    /// Applies the stage to premultiplied colour. Only rounding errors leave the gamut.
    func moved(_ color: SIMD4<Double>) -> SIMD4<Double> {
        let alpha = color[3]
        guard alpha > 0 else { return color }
        let straight = SIMD3(color[0], color[1], color[2]) / alpha
        let luma = Self.weights(color) / alpha
        let vivid = straight + (straight - luma) * factor(straight, luma)
        let target = whitePoint >= 0 ? 1.0 : 0
        let result = vivid + (target - vivid) * (abs(whitePoint) * part(luma))
        return SIMD4(result * alpha, alpha)
    }

    /// Returns the factor f of a colour that is not premultiplied.
    private func factor(_ color: SIMD3<Double>, _ luma: Double) -> Double {
        let more = saturation - 1
        guard more > 0 else { return more }
        let distance = color - luma
        // At the border of the gamut, the sum is infinite, and f is 0. Black and white are grey.
        let room = (color * (1 - color)).replacing(with: 1e-12, where: color * (1 - color) .< 1e-12)
        let (square, inverse) = (Self.margin * more * more * (distance * distance).sum(), 1 / (room * room))
        return more / (1 + square * square * (inverse * inverse).sum()).squareRoot().squareRoot()
    }

    /// Returns g: the part of the white point that a luma gets.
    private func part(_ luma: Double) -> Double {
        let t = min(max(whitePoint >= 0 ? 2 * luma - 1 : 1 - 2 * luma, 0), 1)
        return t * t * (3 - 2 * t)
    }

    /// The maximum factor by which the stage amplifies an error: an upper bound of the sums of absolute derivatives in a row of
    /// its Jacobian matrix, alpha's included, over all colours.
    ///
    /// The derivatives are linear in w, and the sums convex. So between no white point and a full one, the sums are at most the mean
    /// of those at both ends. At the ends, they are at most 1 for s ≤ 1, and `max(1 + 1.8556 (s - 1), 2.78)` for s > 1, where the
    /// first number is the matrix of the saturation, on grey, and the second one is next to yellow; and with a full white point
    /// at most 5.3 and 6.3 for white, and 4.4 and 5.0 for black. These numbers are maxima over a grid of colours; the tests
    /// repeat this.
    var growth: Double {
        let more = saturation - 1
        let without = more > 0 ? max(1 + 1.8556 * more, 2.85) : 1
        return mean(without, whitePoint >= 0 ? (more > 0 ? 6.4 : 5.5) : (more > 0 ? 5.1 : 4.6))
    }

    /// The maximum factor by which the stage amplifies the error of a filter: less than ``growth``, because the errors of colours and
    /// alpha are not independent. If a filter is exact to e on every picture, so it is on the premultiplied colour c, on alpha A, and
    /// on A - c, which is a picture too. So the error of alpha and those of the colours differ by at most e. With the
    /// derivatives g of a channel and h of alpha, the error of the result is then at most e times the largest of Σ |g|, Σ max(g, 0) + h
    /// and Σ max(-g, 0) - h. Their maxima over a grid of colours are 1.94 for s > 1, or `1 + 1.8556 (s - 1)`, and with a full
    /// white point 3.55 for s ≤ 1 and 4.05 for s > 1.
    var growthOfFilters: Double {
        let more = saturation - 1
        let without = more > 0 ? max(1 + 1.8556 * more, 2) : 1
        return mean(without, more > 0 ? 4.15 : 3.6)
    }

    /// Returns the mean of bounds without a white point and with a full one.
    private func mean(_ without: Double, _ full: Double) -> Double {
        without + (max(full, without) - without) * abs(whitePoint)
    }
}
