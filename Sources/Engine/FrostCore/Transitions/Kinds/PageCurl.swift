import Glibc

/// The source is a page that rolls up over the target. The page is the whole canvas.
///
///     u0...u1                                 the range of u over the hull of extent and canvas, from whose centre u counts
///     a = mix(u0, u1 + r, t)                  the axis of the cylinder
///     x = a - u                               how far p lies behind the axis
///     w = unit(r - x + 1 - t)                 the weight of the page: a ramp of one pixel at x = r
///     φ = asin(unit(x / r))                   the angle on the cylinder
///     dim = 1 - 0.3 (1 - cos φ)               the brightness of the front
///     lit = cos(φ - 30°)                      the brightness of the back: the light falls on it from behind the roll
///     gloss = sheen (4 sin φ (1 - sin φ))²    the white that the back reflects
///     "at s" is p, moved along the angle by min(x, r) - s
///
///     front = the source at (x if x < 0, else rφ), times dim, with the weight w
///     back = the back at (πr - x if x < 0, else r (π - φ)), mix(lit back, white, gloss) with its alpha and the weight w
///     shading = the shading image at ½ + n/2, with the weight w C unit(x + ½); n = -sin φ along the angle, and C is the
///               canvas's coverage at the point that the back shows
///     result = mix(target, front, w front's coverage of the canvas), then back and shading over it
///
/// The back is the backside image, stretched over the source's rectangle and multiplied by this rectangle's coverage. Without
/// a backside image it is the source as seen through paper: mix(source, white, 0.7) with the source's alpha. The coverage is
/// part of the alpha of both, so the weight w does not contain it. The shading image is read in fractions of its sides,
/// clamped to its outermost pixel centres.
///
/// **With a shadow:**
///
///     σ = max(½, shadowSize r)
///     f = amount unit((a - u0) / r) unit((u1 + r - a) / r)            the shadow fades in and out
///     target is multiplied by 1 - f (1 - G((x - r) / σ))              the shadow of the roll; G is the normal integral
///     front is multiplied by 1 - f B                                  the shadow of the flat part
///     B = the canvas's rectangle, blurred by a Gaussian with sigma = σ, at the point that the back shows at p
///
/// Both are limited to the pixels of the transition's ``Transition/shadowExtent``.
public struct PageCurl: Sendable, Hashable {
    /// The direction in which the page rolls, in radians.
    public let angle: Double
    /// The cylinder's radius in pixels.
    public let radius: Double
    /// The largest amount of white that the back of the roll reflects, 0 to 1.
    public let sheen: Double
    /// The shadow; nil for none.
    public let shadow: Shadow?

    /// The shadow of the rolled page.
    public struct Shadow: Sendable, Hashable {
        /// The standard deviation of its blur, as a fraction of the cylinder's radius.
        public let size: Double
        /// Its strength, 0 to 1.
        public let amount: Double
    }

    package struct Drawing: TransitionDrawing {
        /// The distance u of a pixel.
        package let distance: LinearDistance
        /// The position a of the cylinder's axis.
        package let axis: Double
        /// The cylinder's radius in pixels.
        package let radius: Double
        /// 1 - time, the offset of the ramp.
        package let ramp: Double
        /// The maximum white that the back reflects.
        package let sheen: Double
        /// The strength f of the shadow; 0 for no shadow.
        package let shadowAmount: Double
        /// The standard deviation of the shadow's blur in pixels.
        package let shadowSigma: Double
        /// The page.
        package let canvas: Rect
        /// The rectangle to which the shadow is limited.
        package let shadowExtent: Rect

        package var parameters: [Double] {
            distance.parameters + [axis, radius, ramp, shadowAmount]
                + [(0.5).squareRoot() / shadowSigma, PageCurl.darkening, PageCurl.paper, sheen]
                + [Double(shadowExtent.x), Double(shadowExtent.y)]
                + [Double(shadowExtent.x + shadowExtent.width), Double(shadowExtent.y + shadowExtent.height)]
                + [PageCurl.flatBrightness, PageCurl.outlineBrightness]
        }

        package func reads(_ pixels: Positions, error: Double) -> TransitionReads {
            let u = pixels.range(of: distance)
            // Beyond the outline the page has no weight.
            let (low, high) = (axis - u.upperBound - error, min(axis - u.lowerBound, radius + ramp) + error)
            guard low <= high else { return TransitionReads(source: []) }
            // The front's shift falls with x, and the back's rises.
            func moved(_ shift: (Double) -> Double) -> Positions {
                let (first, last) = (shift(low), shift(high))
                return pixels.moved(along: distance.direction, by: min(first, last)...max(first, last))
            }
            return TransitionReads(
                source: [moved { min($0, radius) - arc($0) }],
                back: moved { min($0, radius) - (.pi * radius - arc($0)) })
        }

        /// Returns the distance from the axis on the page for the distance x of the formulas.
        private func arc(_ x: Double) -> Double { x > 0 ? radius * asin(min(x / radius, 1)) : x }
    }

    package func drawing(_ frame: TransitionFrame) -> Drawing {
        let distance = frame.distance(along: LinearDistance.direction(angle), over: frame.extent.hull(frame.canvas))
        let (low, high) = (distance.range.lowerBound, distance.range.upperBound + radius)
        let axis = low + (high - low) * frame.time
        return Drawing(
            distance: distance, axis: axis, radius: radius, ramp: 1 - frame.time, sheen: sheen,
            shadowAmount: (shadow?.amount ?? 0) * min(1, (axis - low) / radius) * min(1, (high - axis) / radius),
            shadowSigma: max(0.5, (shadow?.size ?? 0) * radius), canvas: frame.canvas,
            shadowExtent: frame.shadowExtent)
    }
}

extension PageCurl: TransitionKind {
    package static var extraImages: Set<Transition.ExtraImage> { [.backside, .shading] }
    package var usesShadowExtent: Bool { shadow != nil }
    package func largestDistance(_ frame: TransitionFrame) -> Double { frame.side + .pi * radius }

    /// The white that paper adds to the source on the back of a page without a backside image.
    public static let paper = 0.7
    /// How much darker the front of the page is at the cylinder's outline.
    public static let darkening = 0.3
    /// The brightness of the flat back, cos 30°.
    public static let flatBrightness = 0.75.squareRoot()
    /// sin 30°, the brightness of the back at the cylinder's outline.
    public static let outlineBrightness = 0.5

    private static let parameters: [EffectParameter] = [
        .angle(0, "direction in which the page rolls up, clockwise: 0 is to the right, 90 is downwards"),
        .number("radius", 0.01...100_000, 100, unit: "pixels", "radius of the roll"),
        .number("sheen", 0...1, 0.5, "gloss of the rolled back; 0 is matt paper"),
    ]

    package static let descriptions = [
        TransitionDescription(
            "page-curl", "CIPageCurlTransition", "the source rolls up like a page; takes --backside and --shading",
            parameters: parameters
        ) { values throws(ParameterError) in
            .pageCurl(
                PageCurl(
                    angle: values.angle, radius: values.number("radius"), sheen: values.number("sheen"), shadow: nil))
        },
        TransitionDescription(
            "page-curl-with-shadow", "CIPageCurlWithShadowTransition",
            "the source rolls up like a page that casts a shadow; takes --backside and --shading",
            parameters: parameters + [
                .number(
                    "shadow-size", 0...1, 0.5, unit: "fraction", "softness of the shadow, as a fraction of the radius"),
                .number("shadow-amount", 0...1, 0.7, "strength of the shadow"),
            ]
        ) { values throws(ParameterError) in
            .pageCurl(
                PageCurl(
                    angle: values.angle, radius: values.number("radius"), sheen: values.number("sheen"),
                    shadow: Shadow(size: values.number("shadow-size"), amount: values.number("shadow-amount"))))
        },
    ]
}
