/// The effects of 7blur. 7blur takes a snapshot, reduces the part behind the panel to a quarter of its width and
/// height, blurs this part with ImageEffects 1.0, and draws it at full size. The reduction multiplies the radius by 4
/// and has no other visible effect.
///
///     W = the odd box width of ImageEffects 1.0 for the preset's own radius r₀, for example 11 for 6
///     sigma = 4 √((W² - 1) / 4) radius / r₀
///
/// So the preset itself is the original's. Another radius is in proportion to it: a rounded width would jump when the radius
/// is animated.
enum SevenBlur {
    static let all: [EffectDescription] = [
        preset("7blur-light", "lightened a little", radius: 6, tint: .white(0.8, 0.2), saturation: 1.8),
        preset("7blur-dark", "darkened and strongly saturated", radius: 8, tint: .white(0, 0.5), saturation: 3),
        preset(
            "7blur-coral", "strongly saturated with a trace of red", radius: 8, tint: Color(unchecked: 1, 0, 0, 0.1),
            saturation: 3),
        preset(
            "7blur-neon", "strongly saturated with a trace of green", radius: 8, tint: Color(unchecked: 0, 1, 0, 0.1),
            saturation: 3),
        preset(
            "7blur-sky", "strongly saturated with a trace of blue", radius: 8, tint: Color(unchecked: 0, 0, 1, 0.1),
            saturation: 3),
    ]

    /// The factor by which the snapshot is reduced.
    private static let reduction = 4.0

    private static func preset(
        _ name: String, _ summary: String, radius: Double, tint: Color, saturation: Double
    ) -> EffectDescription {
        EffectDescription(
            name, .sevenBlur, summary, source: "the presets of 7blur's source",
            parameters: [
                .radius(points: radius, "radius in points of the reduced snapshot; sigma is in proportion to it"),
                .tint(tint), .saturation(saturation), .edge(.clamp),
            ]
        ) { values throws(ParameterError) in
            let width = BoxConvention.v1_0.width(radius: radius, scale: 1, rounded: true)
            let sigma = BoxConvention.sigma(width: width) * reduction * (values.number("radius") / radius)
            return Effect(
                name: name, blur: try values.gaussian(sigma: sigma),
                outputStages: .adjusting(saturation: values.number("saturation"), tint: values.color("tint")))
        }
    }
}
