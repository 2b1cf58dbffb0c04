/// A JSON value. The members of objects keep their order.
///
/// Swift literals make values: `["size": [1280, 720], "duration": 2]`. A value can also be read with any `Decoder`, for
/// example Foundation's JSONDecoder, which loses the order of members.
public enum JSONValue: Sendable, Hashable {
    /// The literal null.
    case null
    /// A truth value.
    case bool(Bool)
    /// A number. JSON does not distinguish integers from fractions.
    case number(Double)
    /// A text.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Members with distinct names.
    case object([Member])

    /// A member of an object.
    public struct Member: Sendable, Hashable {
        /// The member's name.
        public let name: String
        /// The member's value.
        public let value: JSONValue

        /// Creates a member.
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// Returns the value of an object's member; nil if there is no such member, and for all values that are not objects.
    public subscript(name: String) -> JSONValue? {
        switch self {
        case .object(let members): members.first { $0.name == name }?.value
        case .null, .bool, .number, .string, .array: nil
        }
    }

    /// The kind of the value in words, for errors.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates null.
    public init(nilLiteral: ()) { self = .null }
    /// Creates a truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Creates a number.
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    /// Creates a text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Creates an object.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}

extension JSONValue {
    /// A whole number; null for nil.
    package static func int(_ value: Int?) -> JSONValue { value.map { .number(Double($0)) } ?? .null }

    /// A number rounded to at most `decimals` decimals; null for nil.
    package static func number(_ value: Double?, decimals: Int) -> JSONValue {
        value.map { .number($0.rounded(toDecimals: decimals)) } ?? .null
    }

    /// A text; null for nil.
    package static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    /// A path. Each byte that is not part of a valid UTF-8 character is written as a lone surrogate; see ``FilePath/text``.
    package static func path(_ path: FilePath) -> JSONValue { .string(path.text) }

    package static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

    /// An object with the members of several objects, in order.
    package static func joined(_ objects: JSONValue...) -> JSONValue { .object(objects.flatMap(\.members)) }

    /// The members of an object; empty for all other values.
    package var members: [Member] {
        switch self {
        case .object(let members): members
        case .null, .bool, .number, .string, .array: []
        }
    }
}
