/// Frost's own glass: a blur that is seen through a lens along the edges of its shape, and then the colours of a material.
/// docs/Glass.md derives the law.
enum GlassEffects {
    static let all = [
        glass(
            "glass", "a pane of frosted glass with a refracting edge",
            Preset(radius: 10, band: 20, thickness: 48, refraction: 0.7, rim: 0.4, shade: 0.08, shadow: 0.25)),
        glass(
            "glass-clear", "a pane of clear glass with a refracting edge",
            Preset(radius: 4, band: 28, thickness: 56, refraction: 0.85, rim: 0.5, shade: 0.12, shadow: 0.2)),
    ]

    private struct Preset {
        let radius, band, thickness, refraction, rim, shade, shadow: Double
    }

    private static func glass(_ name: String, _ summary: String, _ preset: Preset) -> EffectDescription {
        EffectDescription(
            name, .frost, summary, source: "Frost's own definition in docs/Glass.md",
            parameters: [
                .radius(points: preset.radius, "standard deviation (sigma) of the blur before the lens"),
                .number(
                    "band", 0...1000, preset.band, unit: "points",
                    "width of the band along the edge that refracts; at most a third of the shorter side"),
                .number(
                    "thickness", 0...1000, preset.thickness, unit: "points",
                    "how far the edge moves what is seen at a refraction of 1; at most half the shorter side"),
                .number(
                    "refraction", -2...2, preset.refraction,
                    "factor of the thickness: positive towards the inside, negative towards the outside, 0 for none"),
                EffectParameter(
                    "profile", .choice(Lens.Profile.allCases.map(\.rawValue), default: Lens.Profile.soft.rawValue),
                    "how the lens falls off: soft, gentle (mirrors nothing) or bevel"),
                .number(
                    "dispersion", Lens.dispersionRange, 0,
                    "part by which red is refracted less, and blue more, than green"),
                .number(
                    "saturation", Vividness.saturationRange, 1.5,
                    "saturation factor of greyish colours; others get less, so that no channel clips"),
                .number(
                    "white-point", Vividness.whitePointRange, 0.55,
                    "how far light areas move towards white, or with the dark appearance dark areas towards black; negative for the other way"
                ),
                EffectParameter(
                    "appearance", .choice(Appearance.allCases.map(\.rawValue), default: Appearance.light.rawValue),
                    "whether the glass makes light areas lighter or dark areas darker, and the content's vibrancy"),
                .number("rim", 0...1, preset.rim, "intensity of the light along the edge, as a part of full light"),
                .number("rim-width", 0...100, 1.5, unit: "points", "width of the light along the edge"),
                .number(
                    "rim-angle", -360...360, -60, unit: "degrees",
                    "direction of one of the two opposite lights, clockwise: 0 is the right, -90 the top"),
                .number(
                    "rim-sharpness", EdgeLight.sharpnessRange, 1.5,
                    "how quickly the light falls off where the edge turns away from it; 0 lights the whole edge"),
                .number("shade", 0...1, preset.shade, "strength of the shadow of the edge on its inside"),
                .number("shade-width", 0...1000, 10, unit: "points", "width of that shadow"),
                .number(
                    "shadow", 0...1, preset.shadow, "opacity of the black shadow that rectangles throw on the picture"),
                .number("shadow-radius", 0.5...250, 12, unit: "points", "standard deviation (sigma) of that shadow"),
                .number("shadow-offset", -1000...1000, 4, unit: "points", "distance of that shadow downwards"),
                .number(
                    "join", 0...1000, 0, unit: "points",
                    "distance within which rectangles flow together like drops; 0 for rectangles that do not"),
                .scale, .edge(.mirror),
            ]
        ) { values throws(ParameterError) in
            let scale = values.number("scale")
            let appearance = Appearance(rawValue: values.choice("appearance")) ?? .light
            var effect = Effect(
                name: name, blur: try values.gaussian(sigma: values.number("radius") * scale),
                outputStages: OutputStages(), appearance: appearance)
            let point = values.number("white-point")
            let vividness = try Vividness(
                saturation: values.number("saturation"), whitePoint: appearance == .dark ? -point : point)
            if !vividness.isIdentity { effect.outputStages.inside.append(.vivid(vividness)) }
            effect.outputStages.lens = try values.lens(scale)
            effect.outputStages.edge = try values.edgeLight(scale)
            effect.outputStages.join = values.number("join") * scale
            if values.number("shadow") > 0 {
                effect.outputStages.shadow = try DropShadow(
                    sigma: max(values.number("shadow-radius") * scale, DropShadow.sigmaRange.lowerBound),
                    offset: SIMD2(0, values.number("shadow-offset") * scale),
                    color: .white(0, values.number("shadow")))
            }
            return effect
        }
    }
}

extension EffectValues {
    /// Returns the lens of the parameters of glass; nil if it moves nothing.
    fileprivate func lens(_ scale: Double) throws(ParameterError) -> Lens? {
        guard let profile = Lens.Profile(rawValue: choice("profile")) else {
            preconditionFailure("the profile is not declared")
        }
        let lens = try Lens(
            band: number("band") * scale, depth: number("thickness") * scale * number("refraction"), profile: profile,
            dispersion: number("dispersion"))
        return lens.isIdentity ? nil : lens
    }

    /// Returns the light and shade of the parameters of glass; nil if they change nothing.
    fileprivate func edgeLight(_ scale: Double) throws(ParameterError) -> EdgeLight? {
        let edge = try EdgeLight(
            rim: number("rim"), rimWidth: number("rim-width") * scale, angle: number("rim-angle"),
            sharpness: number("rim-sharpness"), shade: number("shade"), shadeWidth: number("shade-width") * scale)
        return edge.isIdentity ? nil : edge
    }
}
