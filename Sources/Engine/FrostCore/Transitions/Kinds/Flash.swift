import Glibc

/// A flash bursts from the centre, overexposes the picture, and fades to the target.
///
///     F = fadeThreshold
///     G = 4                                   the largest gain of the light
///     r = |p - c|, limited to ½...R           R is the distance of the extent's farthest corner from the centre c
///     b = (R + 1)^(t / F) - 1                 the radius of the burst
///     q = min(1, b / r)⁴
///     l = b max(maxStriationRadius - 1, 0.01)                         the length of the rays
///     n = the noise ``rays`` at the angle of p - c, interpolated by a smoothstep
///     t < F:   m = unit(5q - 4)
///              g = G if r <= b, else min(G, G q + striationStrength striationContrast n² max(0, 1 - (r - b) / l)²)
///     t >= F:  m = 1,  g = G ((1 - t) / (1 - F))²
///
/// The light is added to the mixture of both images, and is clipped at opaque white:
///
///     alpha' = alpha + (1 - alpha) unit(g colour's alpha)
///     rgb'   = rgb + max(0, min(g colour's rgb, alpha' - rgb))        rgb is premultiplied, and the colour is too
///
/// So light never darkens a pixel. Opaque light whose components are at least 1 / 3.2 is white wherever m is above 0: it hides
/// the change of the images, and makes every pixel white at time F. That includes the default colour in linear light. Light
/// that is darker, or of a saturated colour, lets the change show through.
///
/// Because r is at least ½, the first flash of a pixel at the centre is not sudden.
public struct Flash: Sendable, Hashable {
    /// The centre, as fractions of the extent.
    public let center: SIMD2<Double>
    /// The colour of the light.
    public let color: Color
    /// The length of the rays, as a multiple of the burst's radius.
    public let maxStriationRadius: Double
    /// The strength of the rays.
    public let striationStrength: Double
    /// The contrast of the rays.
    public let striationContrast: Double
    /// The time at which the burst overexposes the whole picture, 0 to 1.
    public let fadeThreshold: Double

    package enum Drawing: TransitionDrawing {
        /// Until `fadeThreshold`: the burst over the source.
        case burst(Burst)
        /// After it: the light over the target.
        ///
        /// - Parameter gain: the gain g of the light.
        case fade(gain: Double, color: SIMD4<Double>)

        /// The shader takes number 7 for a flag: 0 is a burst, and 1 is a fade.
        package var parameters: [Double] {
            switch self {
            case .burst(let burst):
                [burst.center.x, burst.center.y, burst.reach, burst.radius, burst.rayGain, burst.rayReach]
                    + [Flash.gain, 0] + burst.color.list
            case .fade(let gain, let color): [0, 0, 0, 0, 0, 0, gain, 1] + color.list
            }
        }
    }

    /// The numbers of a frame until `fadeThreshold`.
    package struct Burst: Sendable, Hashable {
        /// The centre in pixels.
        package let center: SIMD2<Double>
        /// The distance R of the farthest corner.
        package let reach: Double
        /// The radius b of the burst.
        package let radius: Double
        /// The maximum gain of a ray.
        package let rayGain: Double
        /// 1 / (b * max(maxStriationRadius - 1, 0.01)): 1 / the length of a ray outside the burst.
        package let rayReach: Double
        package let color: SIMD4<Double>
    }

    package func drawing(_ frame: TransitionFrame) -> Drawing {
        let color = frame.premultiplied(color)
        guard frame.time < fadeThreshold else {
            let rest = (1 - frame.time) / (1 - fadeThreshold)
            return .fade(gain: Self.gain * rest * rest, color: color)
        }
        let center = frame.point(center)
        let reach = frame.farthestCorner(from: center)
        let radius = pow(reach + 1, frame.time / fadeThreshold) - 1
        return .burst(
            Burst(
                center: center, reach: reach, radius: radius, rayGain: striationStrength * striationContrast,
                rayReach: 1 / (radius * max(maxStriationRadius - 1, 0.01)), color: color))
    }
}

extension Flash: TransitionKind {
    package var ownColor: Color? { color }
    package func largestDistance(_ frame: TransitionFrame) -> Double { frame.largestDistance(from: center) }

    /// The gain G of the light inside the burst, as a multiple of its colour.
    public static let gain = 4.0

    /// The noise of the rays: values in 0...1 at equal angles around the centre, clockwise from the x axis. The noise is this
    /// table; its numbers come from a hash, because any noise that has a period of a full turn would do.
    public static let rays: [Double] = (0..<rayCount).map { index in
        var state = UInt64(index) &* 0x9E37_79B9_7F4A_7C15 &+ 0x5851_F42D_4C95_7F2D
        state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((state ^ (state >> 31)) >> 40) / Double(1 << 24)
    }
    /// The number of values in ``rays``.
    public static let rayCount = 128

    package static let descriptions = [
        TransitionDescription(
            "flash", "CIFlashTransition",
            "a flash bursts from the centre, overexposes the picture to white, and fades to the target",
            parameters: [
                .transitionCenterX, .transitionCenterY,
                EffectParameter("color", .color(default: Color(unchecked: 1, 0.8, 0.6, 1)), "colour of the light"),
                .number(
                    "max-striation-radius", 0...1000, 2.58, "length of the rays, as a multiple of the burst's radius"),
                .number("striation-strength", 0...1000, 0.5, "strength of the rays"),
                .number("striation-contrast", 0...1000, 1.375, "contrast of the rays"),
                .number("fade-threshold", 0...1, 0.85, "time at which the whole picture is overexposed"),
            ]
        ) { values throws(ParameterError) in
            .flash(
                Flash(
                    center: values.center, color: values.color("color"),
                    maxStriationRadius: values.number("max-striation-radius"),
                    striationStrength: values.number("striation-strength"),
                    striationContrast: values.number("striation-contrast"),
                    fadeThreshold: values.number("fade-threshold")))
        }
    ]
}
