/// A named transition with its parameters. Each transition is declared once, in the file of its kind.
public struct TransitionDescription: Sendable {
    /// The transition's name on the command line.
    public let name: String
    /// The filter of Core Image that the transition recreates.
    public let source: String
    /// The transition's summary in a single line.
    public let summary: String
    /// The parameters of the transition.
    public let parameters: [EffectParameter]
    private let build: @Sendable (EffectValues) throws(ParameterError) -> Transition.Kind

    init(
        _ name: String, _ source: String, _ summary: String, parameters: [EffectParameter] = [],
        build: @escaping @Sendable (EffectValues) throws(ParameterError) -> Transition.Kind
    ) {
        self.name = name
        self.source = source
        self.summary = summary
        self.parameters = parameters
        self.build = build
    }

    /// Creates the transition with the given parameters. All other parameters have their default values.
    ///
    /// - Throws: ``ParameterError`` for a parameter that is unknown, of the wrong kind or out of range.
    public func make(_ given: [String: EffectValue] = [:]) throws(ParameterError) -> Transition {
        Transition(name: name, try build(try EffectValues(given, of: parameters)))
    }

    /// Creates the transition from a text of parameters, as ``EffectDescription/make(parsing:)`` does.
    public func make(parsing text: String) throws(ParameterError) -> Transition {
        try make(try EffectParameter.values(parsing: text, of: parameters))
    }
}

extension EffectParameter {
    static func angle(_ degrees: Double, _ help: String) -> EffectParameter {
        number("angle", -360...360, degrees, unit: "degrees", help)
    }

    static let transitionCenterX = number(
        "center-x", -10...10, 0.5, unit: "fraction", "x of the centre, as a fraction of the extent's width")
    static let transitionCenterY = number(
        "center-y", -10...10, 0.5, unit: "fraction", "y of the centre, as a fraction of the extent's height")
}

extension EffectValues {
    /// The parameter `angle` in radians.
    var angle: Double { number("angle") * .pi / 180 }

    /// The parameters `center-x` and `center-y`.
    var center: SIMD2<Double> { SIMD2(number("center-x"), number("center-y")) }
}
