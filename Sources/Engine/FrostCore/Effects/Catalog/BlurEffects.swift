/// The effects of UIBlurEffect. The styles of iOS 8 have their public tints. The numbers of the system materials come
/// from published measurements.
///
/// A material applies its luminance curve, then its saturation, then its brightness, in the order of the system's filters. The
/// measured numbers belong to this order: it sends white to 0.96 or 0.97 under all five light materials, and black to 0.12 under
/// four dark ones. The system blurs after these filters; here the blur comes first, so that all panels over a picture share it. The
/// curve is then applied to mixtures of colours: docs/Effects.md has the difference.
enum BlurEffects {
    static let all = styles + materials

    // MARK: Styles

    private struct Style {
        var radius: Double
        let tint: Color
        let appearance: Appearance

        static let extraLight = Style(radius: 20, tint: .white(0.97, 0.82), appearance: .light)
        static let light = Style(radius: 30, tint: .white(1, 0.3), appearance: .light)
        static let dark = Style(radius: 20, tint: .white(0.11, 0.73), appearance: .dark)
    }

    private static let styles: [EffectDescription] = [
        style("blur-extra-light", "the extra light style: brighter than its background", .extraLight),
        style("blur-light", "the light style", .light),
        style("blur-dark", "the dark style: darker than its background", .dark),
        style("blur-regular", "light or dark, depending on the appearance", .light, dark: .dark),
        style("blur-prominent", "extra light or dark, depending on the appearance", .extraLight, dark: .dark),
    ]

    private static func style(
        _ name: String, _ summary: String, _ style: Style, dark: Style? = nil
    ) -> EffectDescription {
        let appearance = EffectParameter(
            "appearance", .choice(Appearance.allCases.map(\.rawValue), default: "light"), "system appearance to imitate"
        )
        return EffectDescription(
            name, .blurEffect, summary, source: "UIBlurEffect.Style; fills and radii as published",
            // A style with two appearances has a fixed radius for each appearance, so it has no parameter for the
            // radius.
            parameters: [dark == nil ? sigma(style.radius) : appearance, .scale, .edge(.mirror), .gradient, .angle]
        ) { values throws(ParameterError) in
            var chosen = style
            if let dark {
                if values.choice("appearance") == "dark" { chosen = dark }
            } else {
                chosen.radius = values.number("radius")
            }
            return Effect(
                name: name, blur: try values.gaussianOrGradient(sigma: chosen.radius * values.number("scale")),
                outputStages: OutputStages(inside: [.matrix(.saturation(1.8)), .matrix(.tint(chosen.tint))]),
                appearance: chosen.appearance, growsWithMask: true)
        }
    }

    private static func sigma(_ points: Double) -> EffectParameter {
        .radius(
            points: points,
            "standard deviation (sigma) of the blur")
    }

    // MARK: Materials

    private struct Material {
        let radius, amount: Double
        let light, dark: Look

        struct Look {
            let saturation, brightness: Double
            let curve: SIMD4<Double>
        }
    }

    private static let materials: [EffectDescription] =
        material(
            "ultra-thin", "the most transparent material",
            Material(
                radius: 22.5, amount: 0.5,
                light: .init(saturation: 1.1, brightness: 0.12, curve: [0.45, 0.55, 0.65, 0.68]),
                dark: .init(saturation: 1.1, brightness: 0, curve: [0.24, 0.24, 0.3, 0.39])))
        + material(
            "thin", "a mostly transparent material",
            Material(
                radius: 30, amount: 0.6,
                light: .init(saturation: 1.35, brightness: 0.12, curve: [0.725, 0.825, 0.76, 0.73]),
                dark: .init(saturation: 1.35, brightness: 0, curve: [0.2, 0.21, 0.1, 0.15])))
        + material(
            "regular", "a translucent material",
            Material(
                radius: 30, amount: 0.75,
                light: .init(saturation: 1.5, brightness: 0.1, curve: [0.9, 0.83, 0.925, 0.815]),
                dark: .init(saturation: 1.5, brightness: 0, curve: [0.16, 0.26, 0.1, 0.1])))
        + material(
            "thick", "a mostly opaque material",
            Material(
                radius: 45, amount: 0.88,
                light: .init(saturation: 1.5, brightness: 0.045, curve: [0.99, 0.95, 0.98, 0.905]),
                dark: .init(saturation: 1.5, brightness: 0, curve: [0.14, 0.16, 0.1, 0.03])))
        + material(
            "chrome", "the material of toolbars",
            Material(
                radius: 22.5, amount: 0.75,
                light: .init(saturation: 1.1, brightness: 0.1, curve: [0.8, 0.9, 1.1, 0.825]),
                dark: .init(saturation: 2, brightness: -0.1, curve: [0.23, 0.52, 0.27, 0.255])))

    private static func material(_ name: String, _ summary: String, _ material: Material) -> [EffectDescription] {
        [(Appearance.light, material.light), (.dark, material.dark)].map { appearance, look in
            let name = "material-\(name)-\(appearance.rawValue)"
            return EffectDescription(
                name, .blurEffect, "\(summary), \(appearance.rawValue)",
                source: "published measurements of the system materials",
                parameters: [sigma(material.radius), .scale, .edge(.mirror), .gradient, .angle]
            ) { values throws(ParameterError) in
                var stages: [ColorStage] = [
                    .luminance(LuminanceCurve(values: look.curve, amount: material.amount, saturation: look.saturation))
                ]
                if look.brightness != 0 { stages.append(.matrix(.brightness(look.brightness))) }
                return Effect(
                    name: name,
                    blur: try values.gaussianOrGradient(sigma: values.number("radius") * values.number("scale")),
                    outputStages: OutputStages(inside: stages), appearance: appearance, growsWithMask: true)
            }
        }
    }
}
