public import Frost
import FrostCore

/// The reason why a scene cannot be read, sampled or rendered. Each case states where, which value, and what is allowed.
public enum SceneError: Error, Sendable, Equatable {
    /// The text is not JSON. Lines and columns count from 1.
    case syntax(line: Int, column: Int, reason: String)
    /// The library that reads JSON cannot be opened.
    case parserMissing(String)
    /// A member that the object needs is missing.
    case missing(ScenePath, expected: String)
    /// A member that the object does not have.
    case unknownMember(ScenePath, name: String, allowed: [String])
    /// A member that is given twice. Only a value in Swift can contain such an object.
    case duplicate(ScenePath)
    /// A number outside the allowed range.
    case outOfRange(ScenePath, value: Double, allowed: ClosedRange<Double>)
    /// A word that is not one of the allowed words.
    case unknownWord(ScenePath, value: String, kind: String, allowed: [String])
    /// A value of the wrong kind, or one that contradicts another value.
    case invalid(ScenePath, value: String, expected: String)
    /// Panels that follow each other in a circle. The first is also the last.
    case circular(ScenePath, [String])
    /// An effect or a transition that refuses its parameters; those of the time in seconds if they change over time.
    case parameter(ScenePath, ParameterError, at: Double? = nil)
    /// An item or behaviour that the animator refuses.
    case dynamics(ScenePath, DynamicsError)
    /// A picture or video that cannot be read.
    case resource(ScenePath, name: String, reason: String)
    /// A picture or video that exceeds a limit of the program on size, memory or time.
    case overLimit(ScenePath, name: String, reason: String)
    /// A frame that cannot be rendered.
    case rendering(FrostError)
}

extension SceneError: CustomStringConvertible {
    /// The error in one line: the path, the value and what is allowed.
    public var description: String {
        switch self {
        case .syntax(let line, let column, let reason):
            "line \(line), column \(column): not valid JSON: \(reason)"
        case .parserMissing(let reason):
            "JSON cannot be read without the library Jansson (Debian package libjansson4): \(reason)"
        case .missing(let path, let expected):
            "\(path) is missing; expected \(expected)"
        case .unknownMember(let path, let name, let allowed):
            "\(path): unknown member \"\(name)\"" + Suggestion.hint(for: name, among: allowed, "the members are")
        case .duplicate(let path):
            "\(path) is given twice"
        case .outOfRange(let path, let value, let allowed):
            "\(path) \(numberText(value)) is out of range "
                + "(allowed: \(numberText(allowed.lowerBound)) to \(numberText(allowed.upperBound)))"
        case .unknownWord(let path, let value, let kind, let allowed):
            "\(path): unknown \(kind) \"\(value)\"" + Suggestion.hint(for: value, among: allowed, "allowed:")
        case .invalid(let path, let value, let expected):
            "\(path) cannot be \(value): expected \(expected)"
        case .circular(let path, let ids):
            "\(path): the panels follow each other in a circle: \(ids.joined(separator: " follows "))"
        case .parameter(let path, let error, let time):
            time.map { "\(path) at \(numberText($0)) seconds: \(error)" } ?? "\(path): \(error)"
        case .dynamics(let path, let error):
            "\(path): \(error)"
        case .resource(let path, let name, let reason), .overLimit(let path, let name, let reason):
            reason.contains(name) ? "\(path): \(reason)" : "\(path): \"\(name)\": \(reason)"
        case .rendering(let error):
            "\(error)"
        }
    }
}
