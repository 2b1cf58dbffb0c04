/// A panel of frosted glass with what lies on it, as UIVisualEffectView composes them: the blurred backdrop at the
/// bottom, then its content in the order given.
///
/// ```swift
/// let panel = VisualEffect(.material(.thick, .dark)) {
///     PanelContent(title, vibrancy: .label, mode: .top)
///     PanelContent(icon, mode: .center)
/// }
/// let result = try renderer.render(picture, panel.effect())
/// ```
///
/// Wrong nesting does not compile: content is no effect by itself, a panel is no content, and vibrancy is named by its
/// kind alone, so that it is that of the panel it is in.
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
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for scales outside of 1...3.
    public func effect(bounds: Rect? = nil, scale: Double = 1) throws(ParameterError) -> Effect {
        var effect = try style.effect(scale: scale)
        effect.outputStages.content = content.map { one in
            ContentLayer(one.image, vibrancy: one.vibrancy.map(style.vibrancy), mode: one.mode, bounds: bounds)
        }
        return effect
    }
}

/// Something on a panel.
public struct PanelContent: Sendable, Hashable {
    public var image: ContentImage
    /// Nil for content in its own colours.
    public var vibrancy: Vibrancy.Kind?
    public var mode: ContentMode

    public init(_ image: ContentImage, vibrancy: Vibrancy.Kind? = nil, mode: ContentMode = .scaleToFill) {
        self.image = image
        self.vibrancy = vibrancy
        self.mode = mode
    }
}

/// Lists what lies on a panel, from bottom to top.
@resultBuilder
public enum PanelBuilder {
    public static func buildExpression(_ content: PanelContent) -> [PanelContent] { [content] }
    public static func buildBlock(_ parts: [PanelContent]...) -> [PanelContent] { parts.flatMap { $0 } }
    public static func buildArray(_ parts: [[PanelContent]]) -> [PanelContent] { parts.flatMap { $0 } }
    public static func buildOptional(_ part: [PanelContent]?) -> [PanelContent] { part ?? [] }
    public static func buildEither(first: [PanelContent]) -> [PanelContent] { first }
    public static func buildEither(second: [PanelContent]) -> [PanelContent] { second }
}

/// A style of UIBlurEffect. What each does is declared in the catalogue, under the same names.
public struct BlurStyle: Sendable, Hashable {
    /// The effect's name in the catalogue.
    public let name: String
    public let appearance: Appearance
    /// Whether the name alone leaves the appearance open.
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

    /// How little of the backdrop shows; chrome is that of bars.
    public enum Thickness: String, Sendable, Hashable, CaseIterable {
        case ultraThin = "ultra-thin"
        case thin, regular, thick, chrome
    }

    /// A system material.
    public static func material(_ thickness: Thickness, _ appearance: Appearance) -> BlurStyle {
        BlurStyle("material-\(thickness.rawValue)-\(appearance.rawValue)", appearance)
    }

    /// What content over this style is made of.
    public func vibrancy(_ kind: Vibrancy.Kind) -> Vibrancy { Vibrancy(kind, over: appearance) }

    /// The style by itself.
    func effect(scale: Double) throws(ParameterError) -> Effect {
        var values: [String: EffectValue] = ["scale": .number(scale)]
        if choosesAppearance { values["appearance"] = .choice(appearance.rawValue) }
        return try EffectCatalog.effect(name).make(values)
    }
}
