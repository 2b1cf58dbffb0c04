/// A value that an effect does not accept, with the accepted ones.
public enum ParameterError: Error, Sendable, Equatable {
    case outOfRange(parameter: String, value: Double, allowed: ClosedRange<Double>)
    /// A value that is larger than that of another parameter, its upper limit.
    case exceeds(parameter: String, value: Double, limit: String, limitValue: Double)
    case emptyRegion(Rect)
    /// A rectangle that does not intersect the image.
    case outsideImage(Rect, image: Rect)
    /// Coordinates so large that arithmetic on them could overflow.
    case coordinatesTooLarge(Rect, limit: Int)
    /// A parameter that an effect does not have.
    case unknown(parameter: String, allowed: [String])
    /// A value of the wrong kind.
    case malformed(parameter: String, value: String, expected: String)
    case unknownEffect(String, allowed: [String])
    /// An effect with a mask image was given none, or an effect without one was given one.
    case maskImage(needed: Bool)
    /// Output stages with a mask after a variable blur, which has its own mask.
    case secondMask
}

extension ParameterError: CustomStringConvertible {
    /// One line: the parameter, its value and the allowed range.
    public var description: String {
        switch self {
        case .outOfRange(let parameter, let value, let allowed):
            "\(parameter) \(numberText(value)) is out of range: allowed are "
                + "\(numberText(allowed.lowerBound)) to \(numberText(allowed.upperBound))"
        case .exceeds(let parameter, let value, let limit, let limitValue):
            "\(parameter) \(numberText(value)) must not exceed \(limit) \(numberText(limitValue))"
        case .emptyRegion(let rect):
            "the region \(rect) is empty"
        case .outsideImage(let rect, let image):
            "the rectangle \(rect) lies outside of the image, which is \(image.width)x\(image.height)"
        case .coordinatesTooLarge(let rect, let limit):
            "the rectangle \(rect) reaches beyond coordinate \(limit)"
        case .unknown(let parameter, let allowed):
            allowed.isEmpty
                ? "no parameter \(parameter): there are none"
                : "no parameter \(parameter): there are \(allowed.joined(separator: ", "))"
        case .malformed(let parameter, let value, let expected):
            "\(parameter) cannot be \(value): expected is \(expected)"
        case .unknownEffect(let name, let allowed):
            "no effect \(name): there are \(allowed.joined(separator: ", "))"
        case .maskImage(let needed):
            needed ? "the effect needs a mask image" : "the effect takes no mask image"
        case .secondMask: "a variable blur has a mask already, so its output stages cannot have another"
        }
    }
}
