/// The colour of content over a blurred backdrop. The colour is derived from the backdrop itself. On dark styles the
/// backdrop's colour is lightened, and on light styles it is darkened, so that the content is readable.
/// ``BlurStyle/vibrancy(_:)`` creates a vibrancy, so every vibrancy belongs to a style.
///
/// `label = level + gain * (luma + saturation * (colour - luma))`, clamped. On dark styles, the formula resembles a
/// colour dodge, which divides by the distance to white. On light styles, it resembles a colour burn. On dark and
/// light styles, the formula increases saturation. For the kinds other than ``Kind/label``, the label's colour is mixed
/// with the backdrop. Apple's matrices are not public. Frost's own matrices keep ``Kind/label`` at a contrast of at
/// least 4.5:1 wherever a style's backdrops allow this: see docs/Effects.md.
public struct Vibrancy: Sendable, Hashable {
    /// The degree to which the content stands out from the backdrop.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Primary text, at full strength.
        case label
        /// Secondary text: 60 % of the label's colour, mixed with 40 % of the backdrop.
        case secondaryLabel = "secondary-label"
        /// Filled areas: 20 % of the label's colour, mixed with 80 % of the backdrop.
        case fill
        /// Separating lines: 30 % of the label's colour, mixed with 70 % of the backdrop.
        case separator

        /// The weight of the label's colour in the mixture with the backdrop.
        public var strength: Double {
            switch self {
            case .label: 1
            case .secondaryLabel: 0.6
            case .fill: 0.2
            case .separator: 0.3
            }
        }
    }

    /// The degree to which the content stands out from the backdrop.
    public let kind: Kind
    /// The appearance of the style under the content.
    public let appearance: Appearance
    /// The map that is applied to the backdrop. The result is clamped, as after every ``ColorStage``.
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

/// The appearance of a style. Light styles have dark content, and dark styles have light content.
public enum Appearance: String, Sendable, Hashable, CaseIterable {
    /// A light style.
    case light
    /// A dark style.
    case dark
}
