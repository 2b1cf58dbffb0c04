/// The source is a page that rolls up over the target.
///
/// The page is the whole canvas. A cylinder of radius r rolls along the angle. Its axis is at a = mix(u0, u1 + r, time),
/// where u is the distance along the angle from the centre of the smallest rectangle that contains the extent and the
/// canvas, and u0...u1 its range over this rectangle. Let x = a - u. Ahead of the axis (x < 0) the page lies flat, and its
/// rolled part lies flat on top of it, with its back up: the back shows the page's point at πr - x from the axis line. On the cylinder (0 <= x <= r) the front shows the
/// point at r * asin(x / r), and above it the back shows the point at r * (π - asin(x / r)). Behind it (x > r) is the
/// target. Here a point "at s" is the pixel's position moved along the angle by x - s. The border at x = r is a ramp of one
/// pixel: front and back have the weight clamp(r - x + 1 - time), and x is clamped to r for all other purposes. The weight
/// of the back is also multiplied by the canvas's coverage of the point that it shows.
///
/// The back is the backside image, stretched over the source's rectangle and multiplied by this rectangle's coverage.
/// Without a backside image it is the source as seen through paper: mix(source, white, 0.7) with the source's alpha. Front
/// and back are darkened on the cylinder by the factor 1 - 0.3 * (1 - √(1 - (x / r)²)). A shading image is drawn over the
/// back there, with the back's weight times clamp(x + ½), a ramp of one pixel. It is read at ½ + n/2 in fractions of its
/// sides, clamped to its outermost pixel centres, where n is the cylinder's normal: minus the direction of the angle, times
/// x / r.
///
/// **With a shadow.** Let G be the normal distribution's integral with standard deviation σ = shadowSize * r (at least half
/// a pixel), and f = amount * clamp((a - u0) / r) * clamp((u1 + r - a) / r), so that the shadow fades in and out. The roll's
/// shadow darkens the target by f * (1 - G(x - r)), with x not clamped. The flat
/// part's shadow darkens the front by f times the Gaussian blur of the canvas's rectangle, at the point of the page that the
/// back shows there. Both are limited to the pixels of the transition's ``Transition/shadowExtent``.
public struct PageCurl: Sendable, Hashable {
    /// The direction in which the page rolls, in radians.
    public let angle: Double
    /// The cylinder's radius in pixels.
    public let radius: Double
    /// The shadow; nil for none.
    public let shadow: Shadow?

    /// The shadow of the rolled page.
    public struct Shadow: Sendable, Hashable {
        /// The standard deviation of its blur, as a fraction of the cylinder's radius.
        public let size: Double
        /// Its strength, 0 to 1.
        public let amount: Double
    }

    /// The numbers of one frame.
    public struct Drawing: Sendable, Hashable {
        /// The distance u of a pixel.
        public let distance: LinearDistance
        /// The position a of the cylinder's axis.
        public let axis: Double
        /// The cylinder's radius in pixels.
        public let radius: Double
        /// 1 - time, the offset of the ramp.
        public let ramp: Double
        /// The strength f of the shadow; 0 for no shadow.
        public let shadowAmount: Double
        /// The standard deviation of the shadow's blur in pixels.
        public let shadowSigma: Double
        /// The page.
        public let canvas: Rect
        /// The source's rectangle, over which the backside image is stretched.
        public let source: Rect
        /// The rectangle to which the shadow is limited.
        public let shadowExtent: Rect

        var numbers: [Double] {
            distance.numbers + [axis, radius, ramp, shadowAmount]
                + [(0.5).squareRoot() / shadowSigma, PageCurl.darkening, PageCurl.paper, 0]
                + [Double(shadowExtent.x), Double(shadowExtent.y)]
                + [Double(shadowExtent.x + shadowExtent.width), Double(shadowExtent.y + shadowExtent.height)]
        }
    }

    func drawing(_ frame: TransitionFrame, source: Rect) -> Drawing {
        let distance = frame.distance(along: LinearDistance.direction(angle), over: frame.extent.hull(frame.canvas))
        let (low, high) = (distance.range.lowerBound, distance.range.upperBound + radius)
        let axis = low + (high - low) * frame.time
        return Drawing(
            distance: distance, axis: axis, radius: radius, ramp: 1 - frame.time,
            shadowAmount: (shadow?.amount ?? 0) * min(1, (axis - low) / radius) * min(1, (high - axis) / radius),
            shadowSigma: max(0.5, (shadow?.size ?? 0) * radius), canvas: frame.canvas, source: source,
            shadowExtent: frame.shadowExtent)
    }
}

extension PageCurl {
    /// The white that paper adds to the source on the back of a page without a backside image.
    public static let paper = 0.7
    /// How much darker the page is at the cylinder's outline.
    public static let darkening = 0.3

    private static let parameters: [EffectParameter] = [
        .angle(0, "direction in which the page rolls up, clockwise: 0 is to the right, 90 is downwards"),
        .number("radius", 0.01...100_000, 100, unit: "pixels", "radius of the roll"),
    ]

    static let description = TransitionDescription(
        "page-curl", "CIPageCurlTransition", "the source rolls up like a page; takes --backside and --shading",
        parameters: parameters
    ) { values throws(ParameterError) in
        .pageCurl(PageCurl(angle: values.angle, radius: values.number("radius"), shadow: nil))
    }

    static let descriptionWithShadow = TransitionDescription(
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
                angle: values.angle, radius: values.number("radius"),
                shadow: Shadow(size: values.number("shadow-size"), amount: values.number("shadow-amount"))))
    }
}
