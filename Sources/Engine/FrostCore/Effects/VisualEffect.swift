/// A panel of frosted glass and its content, composed like a UIVisualEffectView. The blurred backdrop is at the bottom.
/// The content lies above it, in the given order.
///
/// ```swift
/// let panel = VisualEffect(.material(.thick, .dark)) {
///     PanelContent(title, vibrancy: .label, mode: .top)
///     PanelContent(icon, mode: .center)
/// }
/// let result = try renderer.render(picture, panel.effect())
/// ```
///
/// Wrong nesting does not compile, because content is not an effect, and a panel is not content. Content states only
/// the kind of its vibrancy. The colours of the vibrancy come from the panel's style.
public struct VisualEffect: Sendable, Hashable {
    /// The style of the backdrop.
    public var style: BlurStyle
    /// The pictures on the panel, in the order from bottom to top.
    public var content: [PanelContent]

    /// Creates a panel with a style and its content.
    public init(_ style: BlurStyle, @PanelBuilder content: () -> [PanelContent] = { [] }) {
        self.style = style
        self.content = content()
    }

    /// Returns the effect that draws the panel.
    ///
    /// - Parameters:
    ///   - bounds: the panel's rectangle, in pixels of the blurred picture; nil for the whole picture. Content is
    ///     placed in this rectangle.
    ///   - scale: the number of pixels per point.
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
    /// The picture to draw.
    public var image: ContentImage
    /// The vibrancy of the content; nil for content in its own colours.
    public var vibrancy: Vibrancy.Kind?
    /// How the picture is placed in the panel's rectangle.
    public var mode: ContentMode

    /// Creates content from a picture.
    public init(_ image: ContentImage, vibrancy: Vibrancy.Kind? = nil, mode: ContentMode = .scaleToFill) {
        self.image = image
        self.vibrancy = vibrancy
        self.mode = mode
    }
}

/// A result builder that lists a panel's content, from bottom to top.
@resultBuilder
public enum PanelBuilder {
    /// Returns a list that contains one picture.
    public static func buildExpression(_ content: PanelContent) -> [PanelContent] { [content] }
    /// Returns the pictures of all statements of a block, in their order.
    public static func buildBlock(_ parts: [PanelContent]...) -> [PanelContent] { parts.flatMap { $0 } }
    /// Returns the pictures of all iterations of a loop, in their order.
    public static func buildArray(_ parts: [[PanelContent]]) -> [PanelContent] { parts.flatMap { $0 } }
    /// Returns the pictures of an `if` without `else`; an empty list if the condition is false.
    public static func buildOptional(_ part: [PanelContent]?) -> [PanelContent] { part ?? [] }
    /// Returns the pictures of the first branch of a condition.
    public static func buildEither(first: [PanelContent]) -> [PanelContent] { first }
    /// Returns the pictures of the second branch of a condition.
    public static func buildEither(second: [PanelContent]) -> [PanelContent] { second }
}

/// A style of UIBlurEffect. The catalogue declares each style under the same name.
public struct BlurStyle: Sendable, Hashable {
    /// The effect's name in the catalogue.
    public let name: String
    /// Whether the style is light or dark.
    public let appearance: Appearance
    /// Whether the catalogue's effect has a parameter for the appearance.
    private let choosesAppearance: Bool

    private init(_ name: String, _ appearance: Appearance, chosen: Bool = false) {
        self.name = name
        self.appearance = appearance
        choosesAppearance = chosen
    }

    /// The extra light style of iOS 8. Its result is brighter than the backdrop.
    public static let extraLight = BlurStyle("blur-extra-light", .light)
    /// The light style of iOS 8.
    public static let light = BlurStyle("blur-light", .light)
    /// The dark style of iOS 8. Its result is darker than the backdrop.
    public static let dark = BlurStyle("blur-dark", .dark)

    /// The regular style: light or dark, depending on the appearance.
    public static func regular(_ appearance: Appearance) -> BlurStyle {
        BlurStyle("blur-regular", appearance, chosen: true)
    }

    /// The prominent style: extra light or dark, depending on the appearance.
    public static func prominent(_ appearance: Appearance) -> BlurStyle {
        BlurStyle("blur-prominent", appearance, chosen: true)
    }

    /// How much of the backdrop a material hides.
    public enum Thickness: String, Sendable, Hashable, CaseIterable {
        /// The most transparent material.
        case ultraThin = "ultra-thin"
        /// From `thin` to `thick`, materials hide more and more of the backdrop. `chrome` is the material of bars.
        case thin, regular, thick, chrome
    }

    /// Returns a system material of a thickness and appearance.
    public static func material(_ thickness: Thickness, _ appearance: Appearance) -> BlurStyle {
        BlurStyle("material-\(thickness.rawValue)-\(appearance.rawValue)", appearance)
    }

    /// Returns the vibrancy of content over this style.
    public func vibrancy(_ kind: Vibrancy.Kind) -> Vibrancy { Vibrancy(kind, over: appearance) }

    /// Returns the style's effect without content.
    func effect(scale: Double) throws(ParameterError) -> Effect {
        var values: [String: EffectValue] = ["scale": .number(scale)]
        if choosesAppearance { values["appearance"] = .choice(appearance.rawValue) }
        return try EffectCatalog.effect(name).make(values)
    }
}
