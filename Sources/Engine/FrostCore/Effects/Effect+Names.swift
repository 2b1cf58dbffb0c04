// Effects by short names, such as `renderer.render(picture, .material(.thick, .dark))`.

extension Effect {
    /// A plain Gaussian blur.
    ///
    /// - Parameters:
    ///   - sigma: the standard deviation in pixels.
    ///   - edge: the pixels that the blur reads outside the image.
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)``.
    public static func gaussian(_ sigma: Double, edge: EdgeMode = .clamp) throws(ParameterError) -> Effect {
        Effect(try GaussianBlur(sigma: sigma, edge: edge))
    }

    /// The light effect of UIImage+ImageEffects.
    public static var light: Effect { get throws(ParameterError) { try named("light") } }
    /// The extra light effect of UIImage+ImageEffects.
    public static var extraLight: Effect { get throws(ParameterError) { try named("extra-light") } }
    /// The dark effect of UIImage+ImageEffects.
    public static var dark: Effect { get throws(ParameterError) { try named("dark") } }

    /// A system material of a thickness and appearance, without content: see ``VisualEffect``.
    ///
    /// - Parameter scale: the number of pixels per point, 1 to 3.
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)``.
    public static func material(
        _ thickness: BlurStyle.Thickness, _ appearance: Appearance, scale: Double = 1
    ) throws(ParameterError) -> Effect {
        try BlurStyle.material(thickness, appearance).effect(scale: scale)
    }

    /// An irreversible mosaic.
    ///
    /// - Parameter cell: the side of a cell in pixels, 4 to 1024, rounded up to a power of two. Cells larger than a letter hide
    ///   text. An opaque bar hides more: `.named("redact", ["fill": .color(.white(0, 1))])`.
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)``.
    public static func redact(cell: Double = 32) throws(ParameterError) -> Effect {
        try named("redact", ["cell": .number(cell)])
    }

    /// The effect of a name, as ``EffectCatalog`` and `frost effects` list it, with parameters:
    /// `.named("zoom", ["amount": 0.3])`.
    ///
    /// - Throws: ``ParameterError`` for an unknown name, and the errors of ``EffectDescription/make(_:)``.
    public static func named(
        _ name: String, _ parameters: [String: EffectValue] = [:]
    ) throws(ParameterError) -> Effect {
        try EffectCatalog.effect(name, among: EffectCatalog.withGaussian).make(parameters)
    }
}

extension EffectValue: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A number.
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    /// One of a parameter's words.
    public init(stringLiteral value: String) { self = .choice(value) }
}
