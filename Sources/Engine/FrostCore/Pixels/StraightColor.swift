/// Converts premultiplied to straight colour, for one pixel whose alpha is written with rounding.
///
/// Let a be alpha and A the alpha that is written, both in steps, and s the number of steps of full scale. A reader multiplies by A. So
/// every straight colour c with |c A / s - p| <= 1/2 gives the premultiplied colour p within half a step. Where A is small, these
/// are many, and s p / A is not the best one: it is too dark or too bright by the factor a / A, so a flat colour would get a rim. The
/// colour that is written is, of these integers, the one nearest to s p / a. As A is the integer nearest to a, a colour that is the
/// same in all pixels is always among them.
///
/// Let m = s p / A and h = (s / A - 1) / 2, which is at least 0. The integers in m - h - 1/2 ... m + h + 1/2 are those that are
/// allowed, so the result is clamp(s p / a, m - h, m + h), rounded. Opaque pixels have h = 0.
///
/// Floats have no steps. They are divided by the alpha that is written.
package struct StraightColor<Sample: WorkingSample> {
    private let ratio, quotient, reach: Float

    /// - Parameters:
    ///   - alpha: the alpha that is written, rounded from `exact`.
    ///   - exact: the working number of alpha.
    @inline(__always) package init(_ alpha: Sample, exact: Float) {
        let written = alpha.number
        // The reciprocal of a denormal number is infinite.
        let isVisible = written >= .leastNormalMagnitude
        ratio = isVisible ? Sample.maximum / written : 0
        switch Sample.rounding {
        case .steps:
            quotient = isVisible ? Sample.maximum / (exact < Sample.maximum ? exact : Sample.maximum) : 0
            let half = (ratio - 1) * 0.5
            reach = half > 0 ? half : 0
        case .halves, .floats:
            quotient = ratio
            reach = 0
        }
    }

    /// Returns the straight colour of a working number, before it is rounded. NaN stays NaN.
    @inline(__always) package func callAsFunction(_ number: Float) -> Float {
        switch Sample.rounding {
        case .steps:
            let (middle, value) = (number * ratio, number * quotient)
            let larger = value > middle - reach ? value : middle - reach
            return larger < middle + reach ? larger : middle + reach
        case .halves, .floats: return number * ratio
        }
    }
}
