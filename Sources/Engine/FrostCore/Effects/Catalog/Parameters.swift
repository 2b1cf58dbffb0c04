/// The parameters that several effects share.
extension EffectParameter {
    static let scale = EffectParameter(
        "scale", .number(unit: "pixels per point", range: 1...3, default: 1),
        "pixels per point; iOS devices have 1, 2 or 3")

    static func edge(_ edge: EdgeMode) -> EffectParameter {
        EffectParameter(
            "edge", .choice(EdgeMode.allCases.map(\.rawValue), default: edge.rawValue),
            "how to choose the colours of pixels outside the image")
    }

    static func radius(points: Double, _ help: String) -> EffectParameter {
        EffectParameter("radius", .number(unit: "points", range: 0...300, default: points), help)
    }

    static func radius(pixels: Double, _ help: String) -> EffectParameter {
        EffectParameter("radius", .number(unit: "pixels", range: 0...1000, default: pixels), help)
    }

    static func number(
        _ name: String, _ range: ClosedRange<Double>, _ value: Double, unit: String = "", _ help: String
    ) -> EffectParameter {
        EffectParameter(name, .number(unit: unit, range: range, default: value), help)
    }

    /// The stops of a gradient along which the effect grows.
    static let gradient = EffectParameter(
        "gradient", .stops,
        "stops POSITION:VALUE,... between which the effect grows along a line: the value scales sigma and mixes the colours; "
            + "the picture has the positions 0 to 1")
    /// The direction of a gradient.
    static let angle = number(
        "angle", -360...360, 90, unit: "degrees",
        "direction of the gradient, clockwise: 0 is to the right, 90 is downwards")

    static func saturation(_ value: Double) -> EffectParameter {
        number(
            "saturation", -4...4, value,
            "saturation factor: 1 keeps colours, 0 gives grey, negative values give complementary colours")
    }
}

extension EffectValues {
    var edge: EdgeMode {
        guard let edge = EdgeMode(rawValue: choice("edge")) else {
            preconditionFailure("the edge mode is not declared")
        }
        return edge
    }

    /// Returns a parameter that must be an integer.
    ///
    /// - Throws: ``ParameterError/malformed(parameter:value:expected:)`` for a fraction.
    func whole(_ name: String) throws(ParameterError) -> Int {
        let value = number(name)
        guard let whole = Int(exactly: value) else {
            throw .malformed(parameter: name, value: "\(value)", expected: "a whole number")
        }
        return whole
    }

    /// Creates a Gaussian with the chosen edge mode.
    func gaussian(sigma: Double) throws(ParameterError) -> GaussianBlur {
        try GaussianBlur(sigma: sigma, edge: edge)
    }

    /// The mask of the parameters `gradient` and `angle`; nil without stops.
    var gradient: Mask? {
        let stops = stops("gradient")
        return stops.isEmpty ? nil : .ramp(Mask.Ramp(stops: stops, angle: number("angle")))
    }

    /// Creates a Gaussian with the chosen edge mode, or the variable blur of the chosen gradient.
    func gaussianOrGradient(sigma: Double) throws(ParameterError) -> any Blur {
        guard let gradient else { return try gaussian(sigma: sigma) }
        return try variable(sigma: sigma, mask: gradient)
    }

    /// Creates a variable blur with the chosen edge mode.
    func variable(sigma: Double, mask: Mask) throws(ParameterError) -> VariableBlur {
        try VariableBlur(sigma: sigma, mask: mask, edge: edge)
    }
}
