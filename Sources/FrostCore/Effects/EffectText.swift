// Effects as text, for interfaces that have no types for their parameters.

extension EffectDescription {
    /// The plain Gaussian, as ``Effect/init(_:)`` makes it: without dither. Not in ``EffectCatalog/all``, since whoever has
    /// types has ``GaussianBlur``.
    public static let gaussian = EffectDescription(
        "gaussian", .frost, "a Gaussian, and nothing else", source: "its definition", dither: nil,
        parameters: [
            .number("sigma", GaussianBlur.sigmaRange, 8, unit: "pixels", "standard deviation"), .edge(.clamp),
        ]
    ) { values throws(ParameterError) in
        Effect(name: "gaussian", kernel: try values.gaussian(sigma: values.number("sigma")))
    }

    /// The effect with parameters as "name=value", with spaces between: "radius=24 edge=mirror". What is not named has its
    /// default.
    ///
    /// - Throws: ``ParameterError`` for words of another form, and as ``make(_:)``.
    public func make(parsing text: String) throws(ParameterError) -> Effect {
        var given: [String: EffectValue] = [:]
        for word in text.split(whereSeparator: \.isWhitespace) {
            guard let equals = word.firstIndex(of: "=") else {
                throw .malformed(parameter: "a parameter", value: String(word), expected: "name=value")
            }
            let (name, value) = (String(word[..<equals]), String(word[word.index(after: equals)...]))
            guard let parameter = parameters.first(where: { $0.name == name }) else {
                throw .unknown(parameter: name, allowed: parameters.map(\.name))
            }
            guard given[name] == nil else {
                throw .malformed(parameter: name, value: value, expected: "given once")
            }
            given[name] = try parameter.parse(value)
        }
        return try make(given)
    }
}

extension EffectCatalog {
    /// Every effect that has a name, the plain Gaussian first.
    public static let withGaussian = [.gaussian] + all
}

extension EffectParameter {
    /// The default as ``parse(_:)`` reads it.
    public var defaultText: String {
        switch kind {
        case .number(_, _, let value): numberText(value)
        case .color(let color): color.description
        case .choice(_, let name): name
        }
    }
}
