/// What content over a blurred backdrop is made of: the backdrop itself, lightened on dark styles and darkened on light
/// ones until it can be read. Made by ``BlurStyle/vibrancy(_:)``, so that there is none without a style.
///
/// `label = level + gain * (luma + saturation * (colour - luma))`, clamped: on dark styles like a colour dodge, which
/// divides by what is left to white, and on light ones like a colour burn; both with more saturation. Weaker kinds are a
/// mixture with the backdrop. Apple's matrices are not public; these keep ``Kind/label`` at a contrast of 4.5:1 and more
/// wherever a style's backdrops allow it: see docs/Effects.md.
public struct Vibrancy: Sendable, Hashable {
    /// How much it stands out.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case label
        case secondaryLabel = "secondary-label"
        case fill
        case separator

        /// The label's part in the mixture.
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
    /// What becomes of the backdrop; then it is clamped as after every ``ColorStage``.
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

/// Of a style: light ones carry dark content, dark ones light content.
public enum Appearance: String, Sendable, Hashable, CaseIterable {
    case light, dark
}
