extension Effect {
    /// Returns the effect at a part of its strength, for an effect that comes or goes smoothly.
    ///
    /// The lengths of the blur and the amounts of all colour stages are multiplied by `strength`: the standard deviation, and
    /// how far a matrix, a curve or grain changes a colour. The content keeps its opacity. The result changes continuously
    /// with the strength. Blurs whose lengths are whole pixels, boxes and mosaics, cannot: such an effect is mixed with the
    /// original by ``OutputStages/opacity`` instead, together with its content.
    ///
    /// - Parameter strength: from 0, which leaves only the content, to 1, which returns the effect itself.
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)``.
    public func weakened(to strength: Double) throws(ParameterError) -> Effect {
        guard (0...1).contains(strength) else {
            throw .outOfRange(parameter: "strength", value: strength, allowed: 0...1)
        }
        if strength == 1 { return self }
        guard let blur = try blur.scaled(by: strength) else {
            var effect = self
            effect.outputStages.opacity *= strength
            return effect
        }
        var stages = outputStages
        // The amplification is computed once for all stages.
        stages = OutputStages(
            inside: strength == 0 ? [] : stages.inside.map { $0.weakened(to: strength) }, mask: stages.mask,
            mixesBlur: stages.mixesBlur,
            over: strength == 0 ? [] : stages.over.map { $0.weakened(to: strength) }, content: stages.content,
            clip: stages.clip, opacity: stages.opacity,
            shadow: strength == 0 ? nil : stages.shadow?.weakened(to: strength),
            dither: strength == 0 ? nil : stages.dither,
            automaticContrast: strength == 0 ? nil : stages.automaticContrast?.weakened(to: strength))
        stages.lens = strength == 0 ? nil : outputStages.lens?.weakened(to: strength)
        stages.edge = strength == 0 ? nil : outputStages.edge?.weakened(to: strength)
        (stages.shapes, stages.join) = (outputStages.shapes, outputStages.join)
        stages.clipRule = outputStages.clipRule
        return replacing(blur, stages)
    }

    /// Returns the effect with another blur and other output stages.
    func replacing(_ blur: any Blur, _ outputStages: OutputStages) -> Effect {
        var effect = Effect(
            name: name, blur: blur, outputStages: outputStages, appearance: appearance, growsWithMask: growsWithMask)
        (effect.growthX, effect.growthY) = (growthX, growthY)
        (effect.decoding, effect.maskBounds) = (decoding, maskBounds)
        return effect
    }

    /// Returns the effect with dither, or without if it leaves every pixel as it is.
    package func dithered(by dither: Dither?) -> Effect {
        var effect = self
        effect.outputStages.dither = nil
        if !effect.blur.isIdentity || !effect.outputStages.onlyMix { effect.outputStages.dither = dither }
        return effect
    }
}

extension ColorStage {
    /// Returns a stage that moves each colour by a part of the way.
    fileprivate func weakened(to strength: Double) -> ColorStage {
        switch self {
        case .matrix(let matrix):
            let none = ColorMatrix()
            var weak = matrix
            weak.red = none.red + (matrix.red - none.red) * strength
            weak.green = none.green + (matrix.green - none.green) * strength
            weak.blue = none.blue + (matrix.blue - none.blue) * strength
            weak.alpha = none.alpha + (matrix.alpha - none.alpha) * strength
            weak.one = matrix.one * strength
            return .matrix(weak)
        case .luminance(var curve):
            curve.amount *= strength
            curve.saturation = 1 + (curve.saturation - 1) * strength
            return .luminance(curve)
        case .vivid(let vividness): return .vivid(vividness.weakened(to: strength))
        case .grain(var grain):
            grain.amplitude *= strength
            return .grain(grain)
        case .scatter(var scatter):
            scatter.amplitude *= strength
            return .scatter(scatter)
        case .contrast(let floor): return .contrast(floor.weakened(to: strength))
        // Belongs to the decoding before the blur.
        case .encode: return self
        }
    }
}
