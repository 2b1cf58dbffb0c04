/// The factor from premultiplied to straight colour, for a pixel whose alpha is written with rounding.
///
/// Let a be alpha and A the alpha that is written, both in steps, and s the number of steps of full scale. A reader multiplies by A, so
/// s p / A would give the premultiplied colour p best. But where A is small, it is too dark or too bright by the factor a / A, and a flat
/// colour gets a rim. Many other colours give p within half a step there. So the divisor is the number nearest to a of those in
/// A - t ... A + t, with t = (s - A) / (2 s - 1):
///
/// - The product of the written colour and A differs from p by at most t for the divisor (p is at most a) and A / 2s for the rounding
///   of the colour, together 0.501 steps. Opaque pixels have t = 0, and no error but that of the rounding.
/// - The quotient differs from s p / a by less than half a step, because a differs from A by at most half a step: s p / (A - t) >=
///   (s - 1/2) p / a for a >= A - 1/2, and p <= a. So a colour that has whole steps keeps them.
///
/// Floats have no steps. They are divided by the alpha that is written.
package enum Straightening {
    /// - Parameters:
    ///   - alpha: the alpha that is written, rounded from `exact`.
    ///   - exact: the working number of alpha.
    @inline(__always) static func factor<Sample: WorkingSample>(_ alpha: Sample, exact: Float) -> Float {
        let (written, top) = (alpha.number, Sample.maximum)
        switch Sample.rounding {
        case .steps:
            let reach = (top - written) * (1 / (2 * top - 1))
            let larger = exact > written - reach ? exact : written - reach
            return written > 0 ? top / (larger < written + reach ? larger : written + reach) : 0
        case .halves, .floats:
            // The reciprocal of a denormal number is infinite.
            return written >= .leastNormalMagnitude ? top / written : 0
        }
    }

    /// Returns the factor for alpha as parts of full scale.
    package static func factor(_ alpha: Double, exact: Double, _ sample: SampleType) -> Double {
        switch sample.traits.rounding {
        case .steps:
            let reach = (1 - alpha) / (2 * sample.maximum - 1)
            return alpha > 0 ? 1 / min(max(exact, alpha - reach), alpha + reach) : 0
        case .halves, .floats: return alpha > 0 ? 1 / alpha : 0
        }
    }
}
