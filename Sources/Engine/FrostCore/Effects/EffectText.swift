// Effects as text, for interfaces whose parameters have no types.

extension EffectDescription {
    /// The plain Gaussian without dither. For the same sigma and edge mode, it makes the same effect as
    /// ``Effect/init(_:)``. ``EffectCatalog/all`` does not contain it, because typed code uses ``GaussianBlur``.
    public static let gaussian = EffectDescription(
        "gaussian", .frost, "a Gaussian", source: "its definition", dither: nil,
        parameters: [
            .number("sigma", GaussianBlur.sigmaRange, 8, unit: "pixels", "standard deviation"), .edge(.clamp),
        ]
    ) { values throws(ParameterError) in
        Effect(name: "gaussian", blur: try values.gaussian(sigma: values.number("sigma")))
    }

    /// Creates the effect from a text of parameters. Each parameter has the form "name=value", and parameters are
    /// separated by spaces: "radius=24 edge=mirror". Parameters that are not in the text have their default values.
    ///
    /// - Throws: ``ParameterError`` for a word in another form, for a parameter given twice, and the errors of
    ///   ``make(_:)``.
    public func make(parsing text: String) throws(ParameterError) -> Effect {
        try make(try EffectParameter.values(parsing: text, of: parameters))
    }
}

extension EffectParameter {
    /// Reads a text of parameters, as ``EffectDescription/make(parsing:)`` describes it. The ranges are not checked here, but
    /// by ``EffectValues``.
    static func values(
        parsing text: String, of parameters: [EffectParameter]
    ) throws(ParameterError) -> [String: EffectValue] {
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
                throw .malformed(parameter: name, value: value, expected: "one value only")
            }
            given[name] = try parameter.parse(value)
        }
        return given
    }
}

extension EffectCatalog {
    /// All named effects and the plain Gaussian, which comes first.
    public static let withGaussian = [.gaussian] + all
}

extension EffectParameter {
    /// The parameter's default, in the form that ``parse(_:)`` reads.
    public var defaultText: String {
        switch kind {
        case .number(_, _, let value): numberText(value)
        case .color(let color): color.description
        case .colorOrAuto: EffectValues.auto
        case .choice(_, let name): name
        case .stops: "none"
        }
    }
}
