/// A named effect with its parameters and its source. Each effect is declared once, in `Effects/Catalog`.
public struct EffectDescription: Sendable {
    /// The effect's name on the command line.
    public let name: String
    /// The system or library from which the effect comes.
    public let family: Family
    /// The effect's summary in a single line.
    public let summary: String
    /// The publication or code from which the effect's numbers come.
    public let source: String
    /// The parameters of the effect, including the common parameters that every effect has.
    public let parameters: [EffectParameter]
    private let common: [CommonParameter]
    private let dither: Dither?
    private let build: @Sendable (EffectValues) throws(ParameterError) -> Effect

    /// A system or library whose effects Frost recreates, or Frost itself.
    public enum Family: String, Sendable, Hashable, CaseIterable {
        /// Apple's sample code UIImage+ImageEffects.
        case imageEffects = "UIImage+ImageEffects"
        /// 7blur, an iOS library of 2013.
        case sevenBlur = "7blur"
        /// UIKit's styles of UIBlurEffect.
        case blurEffect = "UIBlurEffect"
        /// The filters of GPUImage.
        case gpuImage = "GPUImage"
        /// Core Image's filters.
        case coreImage = "Core Image"
        /// Frost's own effects.
        case frost = "Frost"
    }

    init(
        _ name: String, _ family: Family, _ summary: String, source: String, dither: Dither? = Dither(),
        parameters: [EffectParameter], without: Set<CommonParameter> = [],
        build: @escaping @Sendable (EffectValues) throws(ParameterError) -> Effect
    ) {
        self.name = name
        self.family = family
        self.summary = summary
        self.source = source
        let own = Set(parameters.map(\.name))
        common = CommonParameter.allCases.filter { !own.contains($0.parameter.name) && !without.contains($0) }
        self.parameters = parameters + common.map(\.parameter)
        self.dither = dither
        self.build = build
    }

    /// Creates the effect with the given parameters. All other parameters have their default values. Dither is on,
    /// except for ``gaussian``.
    ///
    /// - Throws: ``ParameterError`` for a parameter that is unknown, of the wrong kind or out of range.
    public func make(_ given: [String: EffectValue] = [:]) throws(ParameterError) -> Effect {
        let values = try EffectValues(given, of: parameters)
        var effect = try build(values)
        for parameter in common { try parameter.add(to: &effect, values) }
        return effect.mixingColors().dithered(by: dither)
    }
}

/// The catalogue of all named effects.
public enum EffectCatalog {
    /// All named effects, grouped by family, without the plain Gaussian.
    public static let all: [EffectDescription] =
        ImageEffects.all + SevenBlur.all + BlurEffects.all + GPUImageEffects.all + CoreImageEffects.all
        + FrostEffects.all + GlassEffects.all

    /// Returns the effect with a given name, or with one of its ``Synonyms``.
    ///
    /// - Parameter effects: the effects to search.
    /// - Throws: ``ParameterError/unknownEffect(_:allowed:)``.
    public static func effect(
        _ name: String, among effects: [EffectDescription] = all
    ) throws(ParameterError) -> EffectDescription {
        let own = Synonyms.name(for: name, among: effects.lazy.map(\.name))
        guard let known = effects.first(where: { $0.name == own }) else {
            throw .unknownEffect(name, allowed: effects.map(\.name))
        }
        return known
    }
}
