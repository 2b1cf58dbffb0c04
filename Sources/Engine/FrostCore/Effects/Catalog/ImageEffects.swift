/// The effects of UIImage+ImageEffects, Apple's sample code shown at WWDC 2013 (1.0) and 2014 (1.1).
///
/// The original uses three box blurs. These effects use the Gaussian that has the same variance. On request, they use
/// the three boxes themselves. Blur and saturation are applied inside the mask, and the tint is applied everywhere. If
/// the radius is 0, saturation, mask and tint are still applied, as in version 1.1. In version 1.0 they were not.
enum ImageEffects {
    static let all: [EffectDescription] = [
        preset("light", "bright translucent white", radius: 30, tint: .white(1, 0.3), .light),
        preset("extra-light", "almost opaque white", radius: 20, tint: .white(0.97, 0.82), .light),
        preset("dark", "dark translucent grey", radius: 20, tint: .white(0.11, 0.73), .dark),
        EffectDescription(
            "tint", .imageEffects, "translucent colour over the picture's complementary colours",
            source: source,
            parameters: [
                EffectParameter(
                    "color", .color(default: Color(unchecked: 0, 122.0 / 255, 1, 1)),
                    "tint colour; its alpha is ignored"),
                convention, kernel, .scale, .edge(.clamp),
            ]
        ) { values throws(ParameterError) in
            try make(
                "tint", radius: presetRadius(10, values), tint: values.color("color").covering(0.6), saturation: -1,
                values)
        },
        EffectDescription(
            "image-effects", .imageEffects, "blur with a radius, tint and saturation of your choice", source: source,
            parameters: [
                .radius(
                    points: 20,
                    "radius as Apple's sample code defines it; sigma is about 0.94 radius, or 0.47 radius with "
                        + "--convention 1.1"),
                .tint, .saturation(1.8), convention, kernel, .scale, .edge(.clamp),
            ]
        ) { values throws(ParameterError) in
            try make(
                "image-effects", radius: values.number("radius"), isPreset: false, tint: values.color("tint"),
                saturation: values.number("saturation"), values)
        },
    ]

    private static let source = "UIImage+ImageEffects 1.0 (2013) and 1.1 (2014), Apple's sample code"

    private static let convention = EffectParameter(
        "convention", .choice(BoxConvention.allCases.map(\.rawValue), default: BoxConvention.v1_0.rawValue),
        "which version of Apple's sample code defines the radius; in version 1.1 the same radius blurs half as wide")

    private static let kernel = EffectParameter(
        "kernel", .choice(["gaussian", "box3"], default: "gaussian"),
        "box3 uses three box blurs as Apple's sample code does, with widths rounded to whole pixels; "
            + "gaussian uses a Gaussian of the same variance"
    )

    private static func preset(
        _ name: String, _ summary: String, radius: Double, tint: Color, _ appearance: Appearance
    ) -> EffectDescription {
        EffectDescription(
            name, .imageEffects, summary, source: source, parameters: [convention, kernel, .scale, .edge(.clamp)]
        ) { values throws(ParameterError) in
            try make(
                name, radius: presetRadius(radius, values), tint: tint, saturation: 1.8, values, appearance: appearance)
        }
    }

    /// Returns the radius of a preset. In version 1.1, the same radius blurs half as wide as in version 1.0, and the presets
    /// have radii twice as large.
    private static func presetRadius(_ radius: Double, _ values: EffectValues) -> Double {
        BoxConvention(values) == .v1_1 ? 2 * radius : radius
    }

    private static func make(
        _ name: String, radius: Double, isPreset: Bool = true, tint: Color, saturation: Double, _ values: EffectValues,
        appearance: Appearance? = nil
    ) throws(ParameterError) -> Effect {
        let (convention, scale) = (BoxConvention(values), values.number("scale"))
        let blur: any Blur =
            if values.choice("kernel") == "box3" {
                try BoxBlur(
                    width: convention.wholeWidth(radius: radius, scale: scale), passes: 3, edge: values.edge)
            } else {
                try values.gaussian(sigma: convention.sigma(radius: radius, scale: scale, rounded: isPreset))
            }
        return Effect(
            name: name, blur: blur, outputStages: .adjusting(saturation: saturation, tint: tint),
            appearance: appearance)
    }
}

/// The rule by which a version of ImageEffects converts a radius to a box's width.
enum BoxConvention: String, CaseIterable {
    case v1_0 = "1.0"
    case v1_1 = "1.1"

    init(_ values: EffectValues) {
        guard let known = BoxConvention(rawValue: values.choice("convention")) else {
            preconditionFailure("the convention is not declared")
        }
        self = known
    }

    /// Returns the width of each of the three boxes, in pixels.
    ///
    /// - Parameters:
    ///   - radius: the radius in points.
    ///   - scale: the number of pixels per point.
    ///   - rounded: whether to round the width to an odd integer, as the original does. For a radius that the user
    ///     chooses, the width is not rounded, because a rounded width jumps by two pixels when the radius is animated.
    func width(radius: Double, scale: Double, rounded: Bool) -> Double {
        let s = self == .v1_0 ? radius * scale : max(radius * scale, 2)
        // The factor is 3 sqrt(2 pi) / 4.
        let width = s * 1.879_971_205_973_250_3 + 0.5
        switch self {
        case .v1_0:
            guard rounded else { return width }
            let whole = width.rounded(.down)
            return whole.remainder(dividingBy: 2) == 0 ? whole + 1 : whole
        case .v1_1:
            guard rounded else { return width / 2 }
            return Double(Int(width / 2) | 1)
        }
    }

    /// Returns the box width that the original uses, which is an odd number of pixels. The result is 1 if the radius is
    /// almost 0.
    func wholeWidth(radius: Double, scale: Double) -> Int {
        Self.blurs(radius, scale) ? Int(width(radius: radius, scale: scale, rounded: true)) : 1
    }

    private static func blurs(_ radius: Double, _ scale: Double) -> Bool { radius * scale > 1e-6 }

    /// Returns the sigma of the Gaussian that has the same variance as the three boxes together; 0 if the radius is
    /// almost 0.
    func sigma(radius: Double, scale: Double, rounded: Bool) -> Double {
        guard Self.blurs(radius, scale) else { return 0 }
        return Self.sigma(width: width(radius: radius, scale: scale, rounded: rounded))
    }

    /// Returns the sigma of three boxes of the same width, applied one after the other. The variance of one box of
    /// width d is (d^2 - 1) / 12.
    static func sigma(width: Double) -> Double { (max(width * width - 1, 0) / 4).squareRoot() }
}
