import Glibc

/// A stage that guarantees a contrast between each pixel and the colour of content that will be drawn on it.
///
/// The contrast is that of WCAG 2: `(L + 0.05) / (D + 0.05)`, where L is the lighter and D the darker relative luminance of two
/// colours. Relative luminance is `Y = 0.2126 red + 0.7152 green + 0.0722 blue` of colours that are decoded by the transfer
/// function of sRGB. WCAG 2 writes 0.03928 for the threshold of that function, and IEC 61966-2-1 and Frost use 0.04045. No
/// 8-bit code lies between the two, so 8-bit colours have the same luminance by both.
///
/// If the content is dark, the stage raises Y by mixing the pixel with white; if it is light, the stage lowers Y by scaling the
/// pixel. Both happen in linear light, so hue is kept, no colour leaves the gamut, and grey stays grey. The functions of Y
/// increase strictly and are continuously differentiable:
///
///     raise:  Y' = Y + A (c0 + c1 A²),  A = max(0, 1 - Y / K)      rgb' = rgb + (1 - rgb) (Y' - Y) / (1 - Y)
///     lower:  Y' = Y - u² / (h + u),    u = max(0, Y - K)          rgb' = rgb Y' / Y
///
/// With T, the `limit` that Y' reaches:
/// - raise, T ≤ 1/4: K = 4T, c0 = 0, c1 = T, so Y'(0) = T and Y' = Y from K on. The slope is at least 1/4.
/// - raise, T > 1/4: K = 1, c0 = (4T - 1) / 3, c1 = (1 - T) / 3, so Y'(0) = T and Y'(1) = 1. The slope is at least (1 - T) / 3.
/// - lower: K = T / 4, h = 1 / (1 / (T - K) - 1 / (1 - K)), so Y' = Y up to K, and Y'(1) = T. The slope is at least
///   ((T - K) / (1 - K))². In encoded numbers, about half of the range below the limit stays as it is.
///
/// Colours with alpha below 1 are divided by alpha before, and multiplied by it afterwards. The numbers of the image must be
/// encoded as sRGB. The guarantee holds for pixels that are opaque and completely covered by the effect.
public struct ContrastFloor: Sendable, Hashable {
    /// The minimum contrast, 1...21.
    public let minimum: Double
    /// The colour of the content. Its alpha does not count.
    public let content: Color
    /// Whether the content is dark, so that pixels become lighter.
    public let raises: Bool
    /// The luminance that no result passes before it is rounded: the minimum if ``raises`` is true, else the maximum.
    package let limit: Double
    /// The part of the change that is applied, 0...1; the contrast is guaranteed for 1 only.
    package private(set) var strength = 1.0

    /// The range of the minimum contrast. 1 demands nothing, and 21 is the contrast of black and white.
    public static let range: ClosedRange<Double> = 1...21

    /// Creates a stage for a contrast and a colour.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)``, or
    ///   ``ParameterError/contrastTooHigh(minimum:content:largest:)`` if no colour has this contrast to the content after
    ///   rounding.
    public init(minimum: Double, content: Color) throws(ParameterError) {
        guard Self.range.contains(minimum) else {
            throw .outOfRange(parameter: "min-contrast", value: minimum, allowed: Self.range)
        }
        let luminance = Self.luminance(content)
        // The direction in which the larger contrast is possible.
        let raises = 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05
        let limit =
            raises
            ? Self.raisedLimit(minimum * (luminance + 0.05) - 0.05)
            : Self.loweredLimit((luminance + 0.05) / minimum - 0.05)
        guard Self.limits.contains(limit) else {
            throw .contrastTooHigh(minimum: minimum, content: content, largest: Self.largest(luminance, raises))
        }
        (self.minimum, self.content, self.raises, self.limit) = (minimum, content, raises, limit)
    }

    /// The limits that are accepted. Beyond them the slope of the function comes too close to 0.
    private static let limits = 0.001...0.99

    /// Returns the relative luminance of an encoded colour, in 0...1.
    public static func luminance(_ color: Color) -> Double { luminance(SIMD4(color.red, color.green, color.blue, 1)) }

    /// Returns the relative luminance of an encoded colour that is not premultiplied. Alpha is ignored.
    package static func luminance(_ color: SIMD4<Double>) -> Double {
        weights(SIMD4((0..<3).map { curve.decode(color[$0]) } + [1]))
    }

    /// Returns the contrast of two relative luminances: 1...21.
    public static func contrast(_ a: Double, _ b: Double) -> Double { (max(a, b) + 0.05) / (min(a, b) + 0.05) }

    package static let curve = TransferFunction.sRGB
    package static let weights = LumaWeights.rec709

    /// Returns the stage at a part of its strength. The contrast is then no longer guaranteed.
    func weakened(to part: Double) -> ContrastFloor {
        var stage = self
        stage.strength *= part
        return stage
    }
}

// MARK: - Limits

extension ContrastFloor {
    /// The maximum distance that a channel moves after the stage, on a scale of 0...1. Dither and rounding move it by at most
    /// 60/64 of an 8-bit step, and the arithmetic by less than 0.2 steps. This is below 1.25 steps.
    package static let margin = 1.25 / 255

    /// The luminance from which grey loses most, and from which grey gains most, by a change of all channels: see
    /// ``raisedLimit(_:)`` and ``loweredLimit(_:)``. The tests check both.
    package static let (leastRaised, greyGains) = (0.014, 0.013)

    /// Returns the smallest luminance whose colours keep the luminance `minimum` if each channel falls by ``margin``.
    ///
    /// With the decoding f, the encoding e and the margin s, the light u of a channel falls to `g(u) = f(max(0, e(u) - s))`, and
    /// the luminance of a colour to the weighted mean of its three g. If g were convex, Jensen's inequality would say that this
    /// mean is at least g(Y): of all colours with the luminance Y, grey would lose most. `g'(u) = f'(e(u) - s) / f'(e(u))`. On
    /// the power `((x + a) / (1 + a))^p` this is `((x - s + a) / (x + a))^(p - 1)`, which increases, so g is convex there.
    /// Near black g is not convex: f is a straight line up to the threshold, where g' is 1, and g is 0 below f(s). But Jensen's
    /// inequality needs only that g lies nowhere below its tangent at Y. This is so for all Y from ``leastRaised`` on. So for
    /// smaller minimums the limit is that luminance, whose contrast to black is below 1.3.
    static func raisedLimit(_ minimum: Double) -> Double {
        max(curve.decode(curve.encode(minimum) + margin), leastRaised)
    }

    /// Returns the largest luminance whose colours keep the luminance `maximum` if each channel rises by ``margin``.
    ///
    /// The light of a channel rises to `g(u) = f(min(1, e(u) + s))`. On the power, `g'(u)` decreases, and it is 0 where white
    /// is reached, so g is concave there, and grey gains most. Near the threshold of f, g' rises from 1, and so a mixture of
    /// black and lighter channels may gain more than grey. From ``greyGains`` on, g lies nowhere above its tangent at Y, and
    /// grey gains most. Below this luminance v, the tangent at v is a bound for the luminance of all colours: the result is at
    /// most `g(v) + g'(v) (Y - v)`.
    static func loweredLimit(_ maximum: Double) -> Double {
        let code = curve.encode(greyGains)
        let bend = curve.decode(code + margin)
        guard maximum < bend else { return curve.decode(curve.encode(maximum) - margin) }
        let power = curve.exponent - 1
        let slope = pow((code + margin + curve.offset) / (code + curve.offset), power)
        return greyGains + (maximum - bend) / slope
    }

    /// Returns the largest contrast to a luminance that the stage accepts, rounded down to a hundredth.
    private static func largest(_ luminance: Double, _ raises: Bool) -> Double {
        func isAccepted(_ minimum: Double) -> Bool {
            limits.contains(
                raises
                    ? raisedLimit(minimum * (luminance + 0.05) - 0.05)
                    : loweredLimit((luminance + 0.05) / minimum - 0.05))
        }
        return Double((100...2100).last { isAccepted(Double($0) / 100) } ?? 100) / 100
    }
}

// MARK: - Applying

extension ContrastFloor {
    /// The numbers of the function that raises: 1 / K, c0 and c1, the last two times the strength.
    package var raise: (inverseKnee: Double, constant: Double, square: Double) {
        limit <= 0.25
            ? (1 / (4 * limit), 0, limit * strength)
            : (1, (4 * limit - 1) / 3 * strength, (1 - limit) / 3 * strength)
    }

    /// The numbers of the function that lowers: K and h.
    package var lower: (knee: Double, bend: Double) {
        let knee = limit / 4
        return (knee, 1 / (1 / (limit - knee) - 1 / (1 - knee)))
    }

    /// The numbers of the function for a backend: 1 / K, c0 and c1, or K, h and the strength.
    package var numbers: SIMD3<Double> {
        raises
            ? SIMD3(raise.inverseKnee, raise.constant, raise.square) : SIMD3(lower.knee, lower.bend, strength)
    }

    /// The luminance up to which, or from which on, no colour changes.
    package var knee: Double { raises ? 1 / raise.inverseKnee : lower.knee }

    /// Returns the luminance that a luminance becomes. Both are in 0...1.
    package func callAsFunction(_ luminance: Double) -> Double {
        raises ? luminance + (1 - luminance) * mixture(luminance) : luminance * factor(luminance)
    }

    /// Returns the part of white in the mixture: (Y' - Y) / (1 - Y).
    private func mixture(_ luminance: Double) -> Double {
        let below = max(0, 1 - luminance * raise.inverseKnee)
        // At white, where the mixture changes nothing, both differences are 0.
        return below * (raise.constant + raise.square * below * below) / max(1 - luminance, 1e-6)
    }

    /// Returns the factor of the colour: Y' / Y.
    private func factor(_ luminance: Double) -> Double {
        let above = luminance - lower.knee
        return above > 0 ? 1 - strength * above * above / ((lower.bend + above) * luminance) : 1
    }

    /// Applies the stage to premultiplied colour, without clamping.
    func moved(_ color: SIMD4<Double>) -> SIMD4<Double> {
        let alpha = color[3]
        guard alpha > 0 else { return color }
        let light = Self.curve.decode(color)
        let luminance = Self.weights(light) / alpha
        let moved: SIMD4<Double>
        if raises {
            let part = mixture(luminance)
            guard part > 0 else { return color }
            moved = light + (SIMD4(repeating: alpha) - light) * part
        } else {
            let factor = factor(luminance)
            guard factor < 1 else { return color }
            moved = light * factor
        }
        return Self.curve.encode(SIMD4(moved[0], moved[1], moved[2], alpha))
    }

    /// The maximum factor by which the stage amplifies an error: an upper bound of the sums of absolute derivatives in a row
    /// of its Jacobian matrix, alpha's included, over all colours and all strengths. It depends on the limit only. The bounds
    /// were fitted to maxima that were computed over a grid of colours; the tests repeat this. Errors grow most where a mixture
    /// with little white lifts a channel from black, because the encoding is steep there.
    var growth: Double {
        guard raises else { return max(1.9, 0.22 * pow(limit, -0.4)) }
        return limit <= 0.25 ? 2.2 + 7.6 * limit : min(4.1, 1 + 0.19 * pow(limit - 0.25, -0.37))
    }
}
