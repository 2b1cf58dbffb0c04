extension Effect {
    /// Returns the effect with an image as its mask, if it has no mask yet.
    ///
    /// For a style of UIBlurEffect, the image scales sigma and mixes the colours with the blur, as a gradient does, so that
    /// nothing sharp shines through. For all other effects, it mixes the result with the original.
    public func masked() -> Effect {
        guard mask == nil else { return self }
        guard growsWithMask, let blur = (blur as? GaussianBlur).flatMap({ VariableBlur($0, mask: .image) }) else {
            var effect = self
            effect.outputStages.mask = .image
            return effect
        }
        return replacing(blur, outputStages).mixingColors()
    }

    /// Checks that an image can be the effect's mask: the effect must not have a mask of another kind, and must
    /// not be a redaction.
    ///
    /// - Throws: ``ParameterError/conflict(_:_:)``.
    package func checkMaskImage() throws(ParameterError) {
        if let reason = refusal(of: .mask) {
            throw .conflict("a mask image", "\(name), because \(reason); use rectangles")
        }
        if let mask, mask != .image { throw .conflict("a mask image", "\(name), which has its own mask") }
    }

    /// Returns the effect with an image in place of its own mask; the effect itself if it has no mask of its own.
    ///
    /// - Throws: those of ``VariableBlur/init(sigma:mask:edge:)``, which has accepted the blur before.
    package func replacingMaskByImage() throws(ParameterError) -> Effect {
        var stages = outputStages
        if stages.mask != nil { stages.mask = .image }
        guard let blur = blur as? VariableBlur else { return replacing(blur, stages) }
        return replacing(try VariableBlur(sigma: blur.sigma, mask: .image, edge: blur.edge), stages)
    }

    /// Returns the effect with its colours mixed by the mask of its blur, if this is a ``VariableBlur``. A minimum contrast
    /// is guaranteed where the mask is 0, too.
    func mixingColors() -> Effect {
        guard let mask = blur.ownMask, !(outputStages.inside.isEmpty && outputStages.over.isEmpty) else { return self }
        var effect = self
        effect.outputStages = OutputStages(
            inside: outputStages.inside + outputStages.over.filter { !$0.guaranteesContrast }, mask: mask,
            mixesBlur: true,
            over: outputStages.over.filter(\.guaranteesContrast), content: outputStages.content,
            clip: outputStages.clip, opacity: outputStages.opacity, shadow: outputStages.shadow,
            dither: outputStages.dither,
            automaticContrast: outputStages.automaticContrast)
        (effect.outputStages.lens, effect.outputStages.edge) = (outputStages.lens, outputStages.edge)
        (effect.outputStages.shapes, effect.outputStages.join) = (outputStages.shapes, outputStages.join)
        effect.outputStages.clipRule = outputStages.clipRule
        return effect
    }
}

extension VariableBlur {
    /// Creates a blur that a mask scales from nothing to a Gaussian; nil if the Gaussian has different sigmas along x and y.
    fileprivate init?(_ blur: GaussianBlur, mask: Mask) {
        guard blur.sigmaX == blur.sigmaY else { return nil }
        do throws(ParameterError) { try self.init(sigma: blur.sigmaX, mask: mask, edge: blur.edge) } catch {
            return nil
        }
    }
}
