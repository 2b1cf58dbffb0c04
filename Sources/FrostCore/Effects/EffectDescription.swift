/// A named effect: its parameters and its source. Each is declared once, in `Effects/Catalog`.
public struct EffectDescription: Sendable {
    /// The name on the command line.
    public let name: String
    public let family: Family
    /// A single line.
    public let summary: String
    /// The source of the effect's numbers.
    public let source: String
    public let parameters: [EffectParameter]
    private let common: [CommonParameter]
    private let dither: Dither?
    private let build: @Sendable (EffectValues) throws(ParameterError) -> Effect

    public enum Family: String, Sendable, Hashable, CaseIterable {
        case imageEffects = "UIImage+ImageEffects"
        case sevenBlur = "7blur"
        case blurEffect = "UIBlurEffect"
        case gpuImage = "GPUImage"
        case coreImage = "Core Image"
        case frost = "Frost"
    }

    init(
        _ name: String, _ family: Family, _ summary: String, source: String, dither: Dither? = Dither(),
        parameters: [EffectParameter],
        build: @escaping @Sendable (EffectValues) throws(ParameterError) -> Effect
    ) {
        self.name = name
        self.family = family
        self.summary = summary
        self.source = source
        let own = Set(parameters.map(\.name))
        common = CommonParameter.allCases.filter { !own.contains($0.parameter.name) }
        self.parameters = parameters + common.map(\.parameter)
        self.dither = dither
        self.build = build
    }

    /// Makes the effect with these parameters, and defaults for the others. Dither is on, except for ``gaussian``.
    ///
    /// - Throws: ``ParameterError`` for a parameter that is unknown, of the wrong kind or out of range.
    public func make(_ given: [String: EffectValue] = [:]) throws(ParameterError) -> Effect {
        let values = try EffectValues(given, of: parameters)
        var effect = try build(values)
        for parameter in common { parameter.add(to: &effect.outputStages, values) }
        effect.outputStages.dither = dither
        return effect
    }
}

/// All named effects.
public enum EffectCatalog {
    public static let all: [EffectDescription] =
        ImageEffects.all + SevenBlur.all + BlurEffects.all + GPUImageEffects.all + CoreImageEffects.all
        + FrostEffects.all

    /// - Parameter effects: the effects to search.
    /// - Throws: ``ParameterError/unknownEffect(_:allowed:)``.
    public static func effect(
        _ name: String, among effects: [EffectDescription] = all
    ) throws(ParameterError) -> EffectDescription {
        guard let known = effects.first(where: { $0.name == name }) else {
            throw .unknownEffect(name, allowed: effects.map(\.name))
        }
        return known
    }
}
