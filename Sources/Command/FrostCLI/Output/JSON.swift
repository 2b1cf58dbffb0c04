package import Frost

/// A JSON value. The members of objects keep their order.
///
/// The conformance to Sendable is written explicitly: if it is inferred, Swift 6.3 reports the recursion as a circular
/// reference, depending on the file that it reads first.
package enum JSON: Sendable {
    case null
    case bool(Bool)
    case int(Int)
    /// A number with at most `decimals` decimals. Infinities and NaN become null.
    case number(Double, decimals: Int)
    case string(String)
    case array([JSON])
    case object([(String, JSON)])

    /// A path. Each byte that is not part of a valid UTF-8 character is written as a lone surrogate; see ``FilePath/text``.
    package static func path(_ path: FilePath) -> JSON { .string(path.text) }

    package static func optional(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

    package var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): "\(value)"
        case .number(let value, let decimals):
            !value.isFinite ? "null" : abs(value) < 1e15 ? Self.trimmed(fixed(value, decimals)) : "\(value)"
        case .string(let value): value.quotedAsJSON
        case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { $0.0.quotedAsJSON + ":" + $0.1.text }.joined(separator: ",") + "}"
        }
    }

    private static func trimmed(_ number: String) -> String {
        guard number.contains(".") else { return number }
        var number = number
        while number.hasSuffix("0") { number.removeLast() }
        if number.hasSuffix(".") { number.removeLast() }
        return number
    }
}
