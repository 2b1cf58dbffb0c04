/// The parameters that every effect has. If an effect declares a parameter of the same name, its own parameter is used
/// instead. The stages of saturation, tint and noise follow the effect's own stages, in the order of
/// the cases. A minimum contrast comes after all of them, and strength does not weaken it.
package enum CommonParameter: CaseIterable {
    case saturation, tint, noise, opacity, strength, minContrast, contentColor

    package var parameter: EffectParameter {
        switch self {
        case .saturation: .saturation(1)
        case .tint: .tint
        case .noise:
            .number("noise", 0...1, 0, "maximum deviation of the film grain to add, as a fraction of full scale")
        case .opacity:
            .number("opacity", 0...1, 1, "opacity of the result over the original")
        case .strength:
            .number(
                "strength", 0...1, 1,
                "part of the effect: scales its blur, curve, saturation, tint and noise together; 0 for none of it")
        case .minContrast:
            .number(
                "min-contrast", ContrastFloor.range, 1,
                "minimum WCAG contrast of every opaque pixel to content of the colour content-color; 1 for none")
        case .contentColor:
            EffectParameter(
                "content-color", .colorOrAuto,
                "colour of the content for min-contrast; auto: black or white, whichever changes the mean luminance less"
            )
        }
    }

    /// Returns an effect with the stages of some parameters added, in their order.
    package static func adding(
        _ parameters: [CommonParameter], to effect: Effect, _ given: [String: EffectValue]
    ) throws(ParameterError) -> Effect {
        let values = try EffectValues(given, of: parameters.map(\.parameter))
        var effect = effect
        for parameter in parameters { try parameter.add(to: &effect, values) }
        return effect
    }

    func add(to effect: inout Effect, _ values: EffectValues) throws(ParameterError) {
        let name = parameter.name
        switch self {
        case .saturation: effect.outputStages.add(saturation: values.number(name))
        case .tint: effect.outputStages.add(tint: values.color(name))
        case .noise: effect.outputStages.add(grain: values.number(name))
        case .opacity: effect.outputStages.opacity = values.number(name)
        case .strength: effect = try effect.weakened(to: values.number(name))
        case .minContrast:
            let minimum = values.number(name)
            if minimum > 1 {
                effect = try effect.withContrast(
                    atLeast: minimum, to: values.optionalColor(Self.contentColor.parameter.name))
            }
        case .contentColor:
            // The contrast has read the colour.
            if let color = values.optionalColor(name), effect.contrast == nil {
                throw .malformed(
                    parameter: name, value: "\(color)",
                    expected: "auto, or a \(Self.minContrast.parameter.name) above 1 as well")
            }
        }
    }
}

extension EffectParameter {
    static let tint = tint(.white(1, 0))

    static func tint(_ color: Color) -> EffectParameter {
        EffectParameter(
            "tint", .color(default: color),
            "colour to draw over the whole result, even outside a mask; its alpha is the strength")
    }
}

extension OutputStages {
    /// Adds a stage inside the mask that changes saturation, unless the factor is 1.
    package mutating func add(saturation: Double) {
        if abs(saturation - 1) > 1e-6 { inside.append(.matrix(.saturation(saturation))) }
    }

    /// Adds a stage that draws a colour over everything, unless the colour is transparent.
    package mutating func add(tint: Color) {
        if tint.alpha > 0 { over.append(.matrix(.tint(tint))) }
    }

    /// Adds grain as the last colour stage. If ``over`` is empty, the grain is added to ``inside``, so the mask limits it.
    /// Otherwise the grain is added to ``over``.
    ///
    /// - Parameter amplitude: 0 for no grain.
    mutating func add(grain amplitude: Double) {
        guard amplitude > 0 else { return }
        // The seed differs from the seed of the dither. With equal seeds, grain and dither would be correlated.
        let grain = ColorStage.grain(Grain(amplitude: amplitude, seed: 1))
        if over.isEmpty { inside.append(grain) } else { over.append(grain) }
    }

    /// Returns stages that change saturation inside the mask and draw a tint over everything.
    ///
    /// - Parameter tint: the colour to draw. Its alpha is the tint's strength.
    static func adjusting(saturation: Double, tint: Color) -> OutputStages {
        var stages = OutputStages()
        stages.add(saturation: saturation)
        stages.add(tint: tint)
        return stages
    }
}
