/// A value that an effect does not accept, with what it would accept.
public enum ParameterError: Error, Sendable, Equatable {
    case outOfRange(parameter: String, value: Double, allowed: ClosedRange<Double>)
    case emptyRegion(Rect)
    /// A rectangle that has nothing of the image in it.
    case outsideImage(Rect, image: Rect)
    /// Coordinates so large that arithmetic on them could overflow.
    case coordinatesTooLarge(Rect, limit: Int)
}

extension ParameterError: CustomStringConvertible {
    /// One line: the parameter, its value and the allowed range.
    public var description: String {
        switch self {
        case .outOfRange(let parameter, let value, let allowed):
            "\(parameter) \(shortest(value)) is out of range: allowed are "
                + "\(shortest(allowed.lowerBound)) to \(shortest(allowed.upperBound))"
        case .emptyRegion(let rect):
            "the region \(rect) is empty"
        case .outsideImage(let rect, let image):
            "the rectangle \(rect) lies outside of the image, which is \(image.width)x\(image.height)"
        case .coordinatesTooLarge(let rect, let limit):
            "the rectangle \(rect) reaches beyond coordinate \(limit)"
        }
    }

    /// Whole numbers without a fraction, others as Swift prints them.
    private func shortest(_ value: Double) -> String {
        abs(value) < 1e15 && value == value.rounded() ? "\(Int(value))" : "\(value)"
    }
}
