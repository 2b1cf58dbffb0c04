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
    var kind: String {
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
