extension Effect {
    /// A way in which the original could show where a redaction should hide it.
    package enum Opening: String, CaseIterable, Sendable {
        /// A mask picture.
        case mask
        /// Rounded corners of a rectangle.
        case corners
        /// An edge that fades out.
        case feather = "soft edge"
        /// A result that is mixed with the original.
        case opacity = "mixture"
    }

    /// Returns why the effect refuses an opening; nil for an effect that is not a redaction.
    package func refusal(of opening: Opening) -> String? {
        isRedaction ? "the \(opening.rawValue) would show the original picture" : nil
    }

    /// Whether the effect hides pixels below a mosaic, and not below a bar of one colour. The mosaics of many frames together show
    /// more of what moves below them than one of them does.
    package var isMosaic: Bool {
        isRedaction
            && outputStages.inside.contains { stage in
                if case .scatter = stage { true } else { false }
            }
    }
}
