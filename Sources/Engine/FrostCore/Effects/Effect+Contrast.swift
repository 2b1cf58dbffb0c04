extension Effect {
    /// Returns the effect with a minimum contrast between its pixels and content that is drawn on them, for example
    /// `effect.withContrast(atLeast: 4.5, to: white)`. The contrast holds for opaque pixels that the effect covers completely,
    /// in any 8-bit or more precise format, with dither and at any strength that was set before, unless the strength is an opacity, as that of boxes. It replaces an
    /// earlier contrast. It is applied after all colour stages, and where a mask is 0, too.
    ///
    /// - Parameters:
    ///   - minimum: the contrast of WCAG 2, 1...21; 4.5 for text, 3 for large text.
    ///   - color: the colour of the content, encoded as sRGB; its alpha does not count. With nil, the content is black or
    ///     white, which is decided when the pixels are known: see ``decidingContent(for:after:)``.
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)``,
    ///   ``ParameterError/contrastTooHigh(minimum:content:largest:)``.
    public func withContrast(atLeast minimum: Double, to color: Color?) throws(ParameterError) -> Effect {
        var effect = self
        effect.outputStages.over.removeAll(where: \.guaranteesContrast)
        effect.outputStages.automaticContrast = nil
        if let color {
            effect.outputStages.over.append(.contrast(try ContrastFloor(minimum: minimum, content: color)))
        } else {
            effect.outputStages.automaticContrast = try AutomaticContrast(minimum: minimum)
        }
        return effect
    }

    /// The minimum contrast of the effect; nil if there is none, or if the colour of the content is not decided.
    public var contrast: ContrastFloor? {
        outputStages.over.lazy.compactMap { stage in
            if case .contrast(let floor) = stage { floor } else { nil }
        }.first
    }

    /// Returns the effect with an ``OutputStages/automaticContrast`` decided: for black or for white content, whichever changes
    /// the luminance of the mean colour less. All other effects are returned unchanged.
    ///
    /// - Parameters:
    ///   - mean: the mean colour of the picture where the effect is visible, as premultiplied RGBA of encoded numbers. It passes
    ///     all colour stages but grain and scatter, at full strength of a mask.
    ///   - last: the colour that was chosen for the picture before, if it is one of pictures that follow each other. It is kept
    ///     unless the other changes the luminance by less than half as much, so that the choice does not flicker.
    /// - Throws: ``ParameterError``; an ``AutomaticContrast`` that exists is possible.
    public func decidingContent(
        for mean: SIMD4<Double>, after last: Color? = nil
    ) throws(ParameterError) -> Effect {
        guard let automatic = outputStages.automaticContrast else { return self }
        let color = (outputStages.inside + outputStages.over).reduce(mean) { color, stage in
            switch stage {
            case .matrix, .luminance, .vivid, .contrast: stage.apply(to: color, x: 0, y: 0)
            // Their mean is 0. The mean colour is encoded.
            case .grain, .scatter, .encode: color
            }
        }
        let straight = color[3] > 0 ? color / color[3] : color
        return with(try automatic.decided(for: ContrastFloor.luminance(straight), after: last))
    }

    /// Returns the effect decided for black or for white content. All other effects are returned unchanged.
    ///
    /// - Parameter content: one of the colours between which ``decidingContent(for:after:)`` decides.
    package func decidingContent(as content: Color) throws(ParameterError) -> Effect {
        let floor = try outputStages.automaticContrast?.both().first { $0.content == content }
        return floor.map { with($0) } ?? self
    }

    /// The effects that this one can become when the colour of its content is decided; the effect itself if there is nothing to
    /// decide.
    package func decisions() throws(ParameterError) -> [Effect] {
        try outputStages.automaticContrast?.both().map { with($0) } ?? [self]
    }

    /// Returns the effect with a stage in place of the undecided contrast.
    private func with(_ floor: ContrastFloor) -> Effect {
        var effect = self
        effect.outputStages.automaticContrast = nil
        effect.outputStages.over.append(.contrast(floor))
        return effect
    }
}
