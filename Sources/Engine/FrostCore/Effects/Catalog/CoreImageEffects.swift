/// Core Image's filters with their documented parameters.
///
/// With clear edges, the result is larger than the picture. On each side, it grows by the distance over which the
/// filter spreads the picture.
enum CoreImageEffects {
    static let all: [EffectDescription] = [
        EffectDescription(
            "ci-gaussian", .coreImage,
            "CIGaussianBlur: soft transparent edges and a larger result, or with --edge clamp as with CIAffineClamp",
            source: source + ": CIGaussianBlur, CIAffineClamp",
            parameters: [.radius(pixels: 10, "standard deviation (sigma) of the blur"), .edge(.clear)]
        ) { values throws(ParameterError) in
            // The result grows by 3 sigma on each side. To cut the kernel at this distance changes the result by less
            // than half an 8-bit step.
            grown(
                "ci-gaussian", try values.gaussian(sigma: values.number("radius")), 3 * values.number("radius"),
                3 * values.number("radius"))
        },
        EffectDescription(
            "ci-box", .coreImage, "CIBoxBlur: the mean of a square of pixels", source: source + ": CIBoxBlur",
            parameters: [
                .radius(pixels: 10, "radius in whole pixels; the box is 2 x radius + 1 pixels wide"), .edge(.clear),
            ]
        ) { values throws(ParameterError) in
            let radius = try values.whole("radius")
            return grown(
                "ci-box", try BoxBlur(width: 2 * radius + 1, edge: values.edge), Double(radius), Double(radius))
        },
        EffectDescription(
            "ci-disc", .coreImage, "CIDiscBlur: the mean of a disc of pixels", source: source + ": CIDiscBlur",
            parameters: [
                .number("radius", DiscBlur.radiusRange, 8, unit: "pixels", "radius of the disc"), .edge(.clear),
            ]
        ) { values throws(ParameterError) in
            let disc = try DiscBlur(radius: values.number("radius"), edge: values.edge)
            return grown("ci-disc", disc, disc.radius, disc.radius)
        },
        EffectDescription(
            "ci-motion", .coreImage, "CIMotionBlur: motion blur along a line", source: source + ": CIMotionBlur",
            parameters: [
                .number("radius", MotionBlur.radiusRange, 20, unit: "pixels", "half the length of the motion blur"),
                .number(
                    "angle", MotionBlur.angleRange, 0, unit: "radians",
                    "direction of the blur as an angle, counter-clockwise"),
                .edge(.clear),
            ]
        ) { values throws(ParameterError) in
            let motion = try MotionBlur(
                radius: values.number("radius"), angle: values.number("angle"), edge: values.edge)
            return grown("ci-motion", motion, motion.reach(.x), motion.reach(.y))
        },
        EffectDescription(
            "ci-zoom", .coreImage, "CIZoomBlur: zoom blur towards a centre", source: source + ": CIZoomBlur",
            parameters: [.zoomAmount, .centerX, .centerY]
        ) { values throws(ParameterError) in
            Effect(name: "ci-zoom", blur: try values.zoom())
        },
        EffectDescription(
            "ci-masked-variable", .coreImage,
            "CIMaskedVariableBlur: the lighter the mask, the wider the blur; needs --mask",
            source: source + ": CIMaskedVariableBlur",
            parameters: [.radius(pixels: 5, "standard deviation (sigma) where the mask is white"), .edge(.clamp)]
        ) { values throws(ParameterError) in
            Effect(
                name: "ci-masked-variable",
                blur: try values.variable(sigma: values.number("radius"), mask: .image))
        },
    ]

    private static let source = "Core Image Filter Reference"

    /// Returns an effect whose result is larger than the picture if the edges are clear.
    ///
    /// - Parameters:
    ///   - x: the number of pixels by which the filter spreads the picture to the left and right.
    ///   - y: the number of pixels by which the filter spreads the picture up and down.
    private static func grown(_ name: String, _ blur: any Blur, _ x: Double, _ y: Double) -> Effect {
        var effect = Effect(name: name, blur: blur)
        // A blur that copies every pixel, or an edge mode other than clear, spreads nothing outside the picture.
        guard blur.spreadsOutside else { return effect }
        // Subtracts the rounding error of a sine or cosine that should be 0.
        (effect.growthX, effect.growthY) = (Int((x - 1e-9).rounded(.up)), Int((y - 1e-9).rounded(.up)))
        return effect
    }
}
