import Frost
import FrostCore

/// A member of an object of a scene, declared once: the reader and the schema use the declaration.
struct Field<Value: Sendable>: Sendable {
    let name: String
    let jsonForm: JSONForm<Value>
    let help: String
    /// The value of a member that is missing; nil if the member must not be missing.
    let fallback: Value?

    /// Declares a member that must be given.
    init(_ name: String, _ jsonForm: JSONForm<Value>, _ help: String) {
        (self.name, self.jsonForm, self.help, fallback) = (name, jsonForm, help, nil)
    }

    /// Declares a member with a default.
    init(_ name: String, _ jsonForm: JSONForm<Value>, default fallback: Value, _ help: String) {
        (self.name, self.jsonForm, self.help, self.fallback) = (name, jsonForm, help, fallback)
    }

    /// Declares a member that may be missing.
    static func optional<Given: Sendable>(
        _ name: String, _ jsonForm: JSONForm<Given>, _ help: String
    ) -> Field where Value == Given? {
        let given = jsonForm.map { (value, _) throws(SceneError) -> Given? in value }
        return Field(name, given, default: nil, help)
    }

    var declaration: FieldDeclaration {
        let stated = (fallback as? any SchemaDefault).map { ["default": $0.schemaDefault] as JSONValue } ?? [:]
        return FieldDeclaration(
            name: name, isRequired: fallback == nil,
            schema: .joined(jsonForm.schema, ["description": .string(help)], stated), definitions: jsonForm.definitions)
    }
}

/// A value that a schema can state as the default of a member.
protocol SchemaDefault {
    var schemaDefault: JSONValue { get }
}

extension Double: SchemaDefault { var schemaDefault: JSONValue { .number(self) } }
extension Bool: SchemaDefault { var schemaDefault: JSONValue { .bool(self) } }
extension String: SchemaDefault { var schemaDefault: JSONValue { .string(self) } }
extension Color: SchemaDefault { var schemaDefault: JSONValue { .string(description) } }
extension SIMD2<Double>: SchemaDefault { var schemaDefault: JSONValue { [.number(x), .number(y)] } }
extension RawRepresentable<String> { var schemaDefault: JSONValue { .string(rawValue) } }
extension ContentMode: SchemaDefault {}
extension MaskPlacement: SchemaDefault {}
extension SceneBehavior.Attachment.Form: SchemaDefault {}
extension Keyframes: SchemaDefault {
    var schemaDefault: JSONValue { (values.first as? any SchemaDefault)?.schemaDefault ?? .null }
}
extension TimingCurve: SchemaDefault {
    var schemaDefault: JSONValue { TimingCurve.named.first { $0.curve == self }.map { .string($0.name) } ?? .null }
}

/// A rule that an object has some members only if another member has one of some words.
struct WordRule: Sendable {
    let members: [String]
    let needs: String
    let words: [String]
    /// Whether the rule is met if the other member is missing.
    let isDefault: Bool

    init(_ members: String..., onlyWith needs: String, _ words: [String], isDefault: Bool = false) {
        (self.members, self.needs, self.words, self.isDefault) = (members, needs, words, isDefault)
    }

    var schema: JSONValue {
        let given: JSONValue = ["properties": .object([.init(needs, ["enum": .strings(words)])])]
        return [
            "anyOf": [
                isDefault ? given : .joined(given, ["required": [.string(needs)]]),
                ["not": ["anyOf": .array(members.map { ["required": [.string($0)]] })]],
            ]
        ]
    }

    /// - Throws: ``SceneError/invalid(_:value:expected:)``.
    func check(_ object: ObjectReader, word: String) throws(SceneError) {
        guard !words.contains(word) else { return }
        try object.refuse(members, "only with \(needs) \(words.joined(separator: " or "))")
    }
}

/// What the schema says about a member.
struct FieldDeclaration: Sendable {
    let name: String
    let isRequired: Bool
    let schema: JSONValue
    var definitions: [String: JSONValue]
}

/// An object of a scene while it is read. Its members are read by their fields.
struct ObjectReader {
    let node: JSONNode
    private let members: [String: JSONValue]

    /// - Throws: ``SceneError/invalid(_:value:expected:)`` for a value that is not an object,
    ///   ``SceneError/unknownMember(_:name:allowed:)``, ``SceneError/duplicate(_:)``.
    init(_ node: JSONNode, fields: [FieldDeclaration], _ expectation: String) throws(SceneError) {
        guard case .object(let given) = node.value else { throw node.invalid(expectation) }
        var members: [String: JSONValue] = [:]
        for member in given {
            guard fields.contains(where: { $0.name == member.name }) else {
                throw .unknownMember(node.path, name: member.name, allowed: fields.map(\.name))
            }
            guard members.updateValue(member.value, forKey: member.name) == nil else {
                throw .duplicate(node.path.member(member.name))
            }
        }
        self.node = node
        self.members = members
    }

    /// Whether a member is given.
    func has(_ name: String) -> Bool { members[name] != nil }

    /// Checks that none of some members is given.
    ///
    /// - Throws: ``SceneError/invalid(_:value:expected:)``.
    func refuse(_ names: [String], _ expected: String) throws(SceneError) {
        guard let name = names.first(where: has) else { return }
        throw .invalid(path(name), value: "given", expected: expected)
    }

    /// The path of a member.
    func path(_ name: String) -> ScenePath { node.path.member(name) }

    /// Returns the value of a member.
    func callAsFunction<Value>(_ field: Field<Value>) throws(SceneError) -> Value {
        let path = path(field.name)
        guard let value = members[field.name] else {
            guard let fallback = field.fallback else { throw .missing(path, expected: field.jsonForm.expectation) }
            return fallback
        }
        return try field.jsonForm.read(JSONNode(value: value, path: path))
    }
}

extension JSONForm {
    /// An object with known members.
    ///
    /// - Parameter extra: further members of the schema, for rules about several members.
    static func object(
        _ expectation: String, _ fields: [FieldDeclaration], extra: JSONValue = [:],
        read: @escaping @Sendable (ObjectReader) throws(SceneError) -> Value
    ) -> JSONForm {
        let required = fields.filter(\.isRequired).map(\.name)
        let schema: JSONValue = .joined(
            [
                "type": "object", "properties": .object(fields.map { .init($0.name, $0.schema) }),
                "additionalProperties": false,
            ], required.isEmpty ? [:] : ["required": .strings(required)], extra)
        let definitions = fields.reduce(into: [:]) { all, field in all.merge(field.definitions) { a, _ in a } }
        return JSONForm(expectation, schema: schema, definitions: definitions) { (node) throws(SceneError) in
            try read(try ObjectReader(node, fields: fields, expectation))
        }
    }
}
