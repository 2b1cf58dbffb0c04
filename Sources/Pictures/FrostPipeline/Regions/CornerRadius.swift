import Frost

/// The radius of the corners of a rectangle, as users write it.
package enum CornerRadius: Sendable, Hashable {
    case pixels(Double)
    /// In percent of the shorter side.
    case percent(Double)

    /// The maximum number of pixels. Sums of such lengths are exact.
    package static let maximum = 0x1p29

    /// Parses a radius such as "20" or "50%".
    package init?(written text: String) {
        let isPercent = text.hasSuffix("%")
        guard let number = Double(isPercent ? String(text.dropLast()) : text), (0...Self.maximum).contains(number)
        else {
            return nil
        }
        self = isPercent ? .percent(number) : .pixels(number)
    }

    /// Returns the radius in a rectangle, reduced to the largest one that fits.
    func pixels(in rect: Rect, _ corners: CornerCurve) -> Double {
        let (width, height) = (Double(rect.width), Double(rect.height))
        let radius =
            switch self {
            case .pixels(let number): number
            case .percent(let number): number / 100 * min(width, height)
            }
        return min(radius, corners.maximumRadius(width: width, height: height))
    }
}
