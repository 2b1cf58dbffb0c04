/// How content over a blurred backdrop gets its colour: from the backdrop itself, lightened on dark styles and darkened
/// on light ones until the content is readable. ``BlurStyle/vibrancy(_:)`` makes it, so every vibrancy belongs to a
/// style.
///
/// `label = level + gain * (luma + saturation * (colour - luma))`, clamped. On dark styles this resembles a colour
/// dodge, which divides by the distance to white, and on light ones a colour burn; both increase saturation. Weaker
/// kinds are mixed with the backdrop. Apple's matrices are not public; these keep ``Kind/label`` at a contrast of at
/// least 4.5:1 wherever a style's backdrops allow it: see docs/Effects.md.
public struct Vibrancy: Sendable, Hashable {
    /// How much the content stands out.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case label
        case secondaryLabel = "secondary-label"
        case fill
        case separator

        /// The label's share of the mixture.
        public var strength: Double {
            switch self {
            case .label: 1
            case .secondaryLabel: 0.6
            case .fill: 0.2
            case .separator: 0.3
            }
        }
    }

    public let kind: Kind
    public let appearance: Appearance
    /// Applied to the backdrop, and clamped as after every ``ColorStage``.
    public let matrix: ColorMatrix

    init(_ kind: Kind, over appearance: Appearance) {
        self.kind = kind
        self.appearance = appearance
        let (level, gain, saturation) = Self.label(appearance)
        let strength = kind.strength
        matrix = ColorMatrix(
            scale: 1 - strength + strength * gain * saturation, luma: .rec709,
            lumaScale: strength * gain * (1 - saturation), alphaScale: strength * level)
    }

    private static func label(_ appearance: Appearance) -> (level: Double, gain: Double, saturation: Double) {
        switch appearance {
        case .dark: (0.68, 0.8, 1.4)
        case .light: (-0.62, 1, 1.4)
        }
    }
}

/// A style's appearance: light styles have dark content, dark ones light content.
public enum Appearance: String, Sendable, Hashable, CaseIterable {
    case light, dark
}
