/// The colour of content over a blurred backdrop. The colour is derived from the backdrop itself. On dark styles the
/// backdrop's colour is lightened, and on light styles it is darkened, so that the content is readable.
/// ``BlurStyle/vibrancy(_:)`` creates a vibrancy, so every vibrancy belongs to a style.
///
/// `label = level + gain * (luma + saturation * (colour - luma))`, clamped. On dark styles, the formula resembles a
/// colour dodge, which divides by the distance to white. On light styles, it resembles a colour burn. On dark and
/// light styles, the formula increases saturation. For the weaker kinds, ``Kind/secondaryLabel``, ``Kind/separator`` and
/// ``Kind/fill``, the label's colour is mixed with the backdrop. These matrices are Frost's own: they keep ``Kind/label`` at a
/// contrast of at least 4.5:1, and ``Kind/secondaryLabel`` of at least 3:1, wherever a style's backdrops allow this: see
/// docs/Effects.md. ``Kind/system`` has other matrices: those that were measured on the system's labels. They guarantee no
/// contrast.
public struct Vibrancy: Sendable, Hashable {
    /// The degree to which the content stands out from the backdrop.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Primary text, at full strength.
        case label
        /// Secondary text: 75 % of the label's colour, mixed with 25 % of the backdrop.
        case secondaryLabel = "secondary-label"
        /// Filled areas: 20 % of the label's colour, mixed with 80 % of the backdrop.
        case fill
        /// Separating lines: 30 % of the label's colour, mixed with 70 % of the backdrop.
        case separator
        /// Primary text in the colours that were measured on the system's regular material.
        case system

        /// The weight of the label's colour in the mixture with the backdrop.
        public var strength: Double {
            switch self {
            case .label, .system: 1
            case .secondaryLabel: 0.75
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
        switch kind {
        case .label, .secondaryLabel, .fill, .separator:
            let (level, gain, saturation) = Self.label(appearance)
            let strength = kind.strength
            matrix = ColorMatrix(
                scale: 1 - strength + strength * gain * saturation, luma: .rec709,
                lumaScale: strength * gain * (1 - saturation), alphaScale: strength * level)
        case .system: matrix = Self.system(appearance)
        }
    }

    /// The measured matrices.
    private static func system(_ appearance: Appearance) -> ColorMatrix {
        var matrix = ColorMatrix()
        switch appearance {
        case .dark:
            matrix.red = [1.376, -0.374, -0.375, 0]
            matrix.green = [-0.735, 1.016, -0.733, 0]
            matrix.blue = [-0.142, -0.143, 1.608, 0]
            matrix.alpha = [0.5, 0.5, 0.5, 1]
        case .light:
            matrix.red = [1.514, -0.486, -0.487, 0]
            matrix.green = [-0.955, 1.046, -0.953, 0]
            matrix.blue = [-0.184, -0.186, 1.815, 0]
            matrix.alpha = [0.0625, 0.0625, 0.0625, 1]
        }
        return matrix
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
