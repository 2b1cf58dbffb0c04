/// A panel of frosted glass with its content, composed like a UIVisualEffectView: the blurred backdrop at the bottom,
/// then the content in the given order.
///
/// ```swift
/// let panel = VisualEffect(.material(.thick, .dark)) {
///     PanelContent(title, vibrancy: .label, mode: .top)
///     PanelContent(icon, mode: .center)
/// }
/// let result = try renderer.render(picture, panel.effect())
/// ```
///
/// Wrong nesting does not compile: content is not an effect, a panel is not content, and content names only the kind of
/// its vibrancy, which then belongs to the panel's style.
public struct VisualEffect: Sendable, Hashable {
    public var style: BlurStyle
    public var content: [PanelContent]

    public init(_ style: BlurStyle, @PanelBuilder content: () -> [PanelContent] = { [] }) {
        self.style = style
        self.content = content()
    }

    /// - Parameters:
    ///   - bounds: the panel's rectangle in the picture's pixels, in which content is placed; nil for the whole picture.
    ///   - scale: pixels per point.
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for scales outside 1...3.
    public func effect(bounds: Rect? = nil, scale: Double = 1) throws(ParameterError) -> Effect {
        var effect = try style.effect(scale: scale)
        effect.outputStages.content = content.map { one in
            ContentLayer(one.image, vibrancy: one.vibrancy.map(style.vibrancy), mode: one.mode, bounds: bounds)
        }
        return effect
    }
}

/// A picture that is drawn on a panel.
public struct PanelContent: Sendable, Hashable {
    public var image: ContentImage
    /// nil for content in its own colours.
    public var vibrancy: Vibrancy.Kind?
    public var mode: ContentMode

    public init(_ image: ContentImage, vibrancy: Vibrancy.Kind? = nil, mode: ContentMode = .scaleToFill) {
        self.image = image
        self.vibrancy = vibrancy
        self.mode = mode
    }
}

/// Lists a panel's content, from bottom to top.
@resultBuilder
public enum PanelBuilder {
    public static func buildExpression(_ content: PanelContent) -> [PanelContent] { [content] }
    public static func buildBlock(_ parts: [PanelContent]...) -> [PanelContent] { parts.flatMap { $0 } }
    public static func buildArray(_ parts: [[PanelContent]]) -> [PanelContent] { parts.flatMap { $0 } }
    public static func buildOptional(_ part: [PanelContent]?) -> [PanelContent] { part ?? [] }
    public static func buildEither(first: [PanelContent]) -> [PanelContent] { first }
    public static func buildEither(second: [PanelContent]) -> [PanelContent] { second }
}

/// A style of UIBlurEffect. The catalogue declares each under the same name.
public struct BlurStyle: Sendable, Hashable {
    /// The effect's name in the catalogue.
    public let name: String
    public let appearance: Appearance
    /// Whether the effect has an appearance parameter besides its name.
    private let choosesAppearance: Bool

    private init(_ name: String, _ appearance: Appearance, chosen: Bool = false) {
        self.name = name
        self.appearance = appearance
        choosesAppearance = chosen
    }

    public static let extraLight = BlurStyle("blur-extra-light", .light)
    public static let light = BlurStyle("blur-light", .light)
    public static let dark = BlurStyle("blur-dark", .dark)

    public static func regular(_ appearance: Appearance) -> BlurStyle {
        BlurStyle("blur-regular", appearance, chosen: true)
    }

    public static func prominent(_ appearance: Appearance) -> BlurStyle {
        BlurStyle("blur-prominent", appearance, chosen: true)
    }

    /// How much of the backdrop is hidden; chrome is the material of bars.
    public enum Thickness: String, Sendable, Hashable, CaseIterable {
        case ultraThin = "ultra-thin"
        case thin, regular, thick, chrome
    }

    /// A system material.
    public static func material(_ thickness: Thickness, _ appearance: Appearance) -> BlurStyle {
        BlurStyle("material-\(thickness.rawValue)-\(appearance.rawValue)", appearance)
    }

    /// The vibrancy of content over this style.
    public func vibrancy(_ kind: Vibrancy.Kind) -> Vibrancy { Vibrancy(kind, over: appearance) }

    /// The style without content.
    func effect(scale: Double) throws(ParameterError) -> Effect {
        var values: [String: EffectValue] = ["scale": .number(scale)]
        if choosesAppearance { values["appearance"] = .choice(appearance.rawValue) }
        return try EffectCatalog.effect(name).make(values)
    }
}
