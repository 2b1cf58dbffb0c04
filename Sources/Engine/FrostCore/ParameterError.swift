/// The reason why an effect cannot be created or planned as requested. Most cases also state which values are accepted.
public enum ParameterError: Error, Sendable, Equatable {
    /// A number outside the allowed range.
    case outOfRange(parameter: String, value: Double, allowed: ClosedRange<Double>)
    /// A value that is larger than the value of another parameter, which is its upper limit.
    case exceeds(parameter: String, value: Double, limit: String, limitValue: Double)
    /// A rectangle without pixels.
    case emptyRegion(Rect)
    /// A rectangle that does not intersect the image.
    case outsideImage(Rect, image: Rect)
    /// Coordinates so large that arithmetic on them could overflow.
    case coordinatesTooLarge(Rect, limit: Int)
    /// A parameter that an effect does not have.
    case unknown(parameter: String, allowed: [String])
    /// A value of the wrong kind.
    case malformed(parameter: String, value: String, expected: String)
    /// A name that no effect has.
    case unknownEffect(String, allowed: [String])
    /// A name that no transition has.
    case unknownTransition(String, allowed: [String])
    /// If `needed` is true, the effect needs a mask image but none was given. Otherwise a mask image was given but the
    /// effect does not use one.
    case maskImage(needed: Bool)
    /// If `needed` is true, a transition needs this image but it was not given. Otherwise the image was given but the
    /// transition does not use it.
    case extraImage(String, needed: Bool)
    /// A minimum contrast that no pixel can have to the content's colour. `largest` is the largest possible contrast, rounded
    /// down.
    case contrastTooHigh(minimum: Double, content: Color, largest: Double)
    /// An effect with ``OutputStages/automaticContrast`` is planned before the colour of its content is decided.
    case undecidedContent
    /// Two parts of an effect that cannot be combined.
    case conflict(String, String)
    /// The output stages have a mask, but the blur is a variable blur, which has its own mask.
    case secondMask
}

extension ParameterError: CustomStringConvertible {
    /// The error in one line: the parameter, its value and the allowed range.
    public var description: String {
        switch self {
        case .outOfRange(let parameter, let value, let allowed):
            "\(parameter) \(numberText(value)) is out of range "
                + "(allowed: \(numberText(allowed.lowerBound)) to \(numberText(allowed.upperBound)))"
        case .exceeds(let parameter, let value, let limit, let limitValue):
            "\(parameter) \(numberText(value)) must not exceed \(limit) \(numberText(limitValue))"
        case .emptyRegion(let rect):
            "the region \(rect) is empty"
        case .outsideImage(let rect, let image):
            "the rectangle \(rect) lies outside the image of \(image.width)x\(image.height) pixels"
        case .coordinatesTooLarge(let rect, let limit):
            "the rectangle \(rect) exceeds the coordinate limit of \(limit)"
        case .unknown(let parameter, let allowed):
            allowed.isEmpty
                ? "unknown parameter \(parameter); there are no parameters"
                : "unknown parameter \(parameter)\(Suggestion.hint(for: parameter, among: allowed, "the parameters are"))"
        case .malformed(let parameter, let value, let expected):
            "\(parameter) cannot be \(value): expected \(expected)"
        case .unknownEffect(let name, let allowed):
            "unknown effect \(name)\(Suggestion.hint(for: name, among: allowed, "the effects are"))"
        case .unknownTransition(let name, let allowed):
            "unknown transition \(name)\(Suggestion.hint(for: name, among: allowed, "the transitions are"))"
        case .extraImage(let name, let needed):
            needed ? "the transition needs a \(name) image" : "the transition does not use a \(name) image"
        case .maskImage(let needed):
            needed ? "the effect needs a mask image" : "the effect does not use a mask image"
        case .contrastTooHigh(let minimum, let content, let largest):
            "min-contrast \(numberText(minimum)) cannot be reached with content of the colour \(content); "
                + "the largest is \(numberText(largest))"
        case .undecidedContent:
            "content-color auto depends on the pixels, which are not known here; give a colour"
        case .conflict(let first, let second): "\(first) cannot be combined with \(second)"
        case .secondMask: "a variable blur already uses a mask; a second mask for its result is not supported"
        }
    }
}
