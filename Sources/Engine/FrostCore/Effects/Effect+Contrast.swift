/// A minimum contrast for content whose colour is not known yet: black or white.
public struct AutomaticContrast: Sendable, Hashable {
    /// The minimum contrast, 1...21.
    public let minimum: Double
    private var strength = 1.0

    /// Creates the demand for a contrast to black or white content.
    ///
    /// - Throws: ``ParameterError``, as ``ContrastFloor/init(minimum:content:)`` does for both colours.
    public init(minimum: Double) throws(ParameterError) {
        self.minimum = minimum
        for color in Self.colors { _ = try ContrastFloor(minimum: minimum, content: color) }
    }

    private static let colors = [Color.white(0, 1), Color.white(1, 1)]

    func weakened(to part: Double) -> AutomaticContrast {
        var contrast = self
        contrast.strength *= part
        return contrast
    }

    /// Returns the stage for black or for white content: the one that changes a luminance less. If both change it equally, the
    /// content is black.
    func decided(for luminance: Double) throws(ParameterError) -> ContrastFloor {
        let black = try ContrastFloor(minimum: minimum, content: Self.colors[0])
        let white = try ContrastFloor(minimum: minimum, content: Self.colors[1])
        let isBlack = abs(black(luminance) - luminance) <= abs(white(luminance) - luminance)
        return (isBlack ? black : white).weakened(to: strength)
    }
}

extension Effect {
    /// Returns the effect with a minimum contrast between its pixels and content that is drawn on them, for example
    /// `effect.withContrast(atLeast: 4.5, to: white)`. The contrast holds for opaque pixels that the effect covers completely,
    /// in any 8-bit or more precise format, with dither and at any strength that was set before. It replaces an earlier
    /// contrast. It is applied after all colour stages, and where a mask is 0, too.
    ///
    /// - Parameters:
    ///   - minimum: the contrast of WCAG 2, 1...21; 4.5 for text, 3 for large text.
    ///   - color: the colour of the content, encoded as sRGB; its alpha does not count. With nil, the content is black or
    ///     white, which is decided when the pixels are known: see ``decidingContent(for:)``.
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
    /// - Parameter mean: the mean colour of the picture where the effect is visible, as premultiplied RGBA of encoded numbers.
    ///   It passes all colour stages but grain and scatter, at full strength of a mask.
    /// - Throws: ``ParameterError``; an ``AutomaticContrast`` that exists is possible.
    public func decidingContent(for mean: SIMD4<Double>) throws(ParameterError) -> Effect {
        guard let automatic = outputStages.automaticContrast else { return self }
        let color = (outputStages.inside + outputStages.over).reduce(mean) { color, stage in
            switch stage {
            case .matrix, .luminance, .vivid, .contrast: stage.apply(to: color, x: 0, y: 0)
            // Their mean is 0. The mean colour is encoded.
            case .grain, .scatter, .encode: color
            }
        }
        let straight = color[3] > 0 ? color / color[3] : color
        var effect = self
        effect.outputStages.automaticContrast = nil
        effect.outputStages.over.append(.contrast(try automatic.decided(for: ContrastFloor.luminance(straight))))
        return effect
    }
}
