import FrostCore

/// A value of a scene's JSON together with its place.
struct JSONNode {
    let value: JSONValue
    let path: ScenePath

    func invalid(_ expected: String) -> SceneError {
        let text = value.description
        return .invalid(path, value: text.utf8.count <= 60 ? text : value.kind, expected: expected)
    }
}

/// The form of a value: how it is read from JSON, and the JSON Schema that describes it. Each form is declared once, so the
/// published schema and the reader agree.
struct Shape<Value>: Sendable {
    /// What the form is in words, for errors: "expected …".
    let expectation: String
    /// The JSON Schema. References point into ``definitions``.
    let schema: JSONValue
    /// The definitions that the schema refers to, by name.
    let definitions: [String: JSONValue]
    let read: @Sendable (JSONNode) throws(SceneError) -> Value

    init(
        _ expectation: String, schema: JSONValue, definitions: [String: JSONValue] = [:],
        read: @escaping @Sendable (JSONNode) throws(SceneError) -> Value
    ) {
        (self.expectation, self.schema, self.definitions, self.read) = (expectation, schema, definitions, read)
    }

    /// Returns the form with a conversion, which may check what a schema cannot express.
    func map<Other>(_ convert: @escaping @Sendable (Value, JSONNode) throws(SceneError) -> Other) -> Shape<Other> {
        Shape<Other>(expectation, schema: schema, definitions: definitions) { (node) throws(SceneError) in
            try convert(try read(node), node)
        }
    }

    /// Returns the form as a definition with a name, to which the schema refers.
    func named(_ name: String) -> Shape {
        var definitions = definitions
        definitions[name] = schema
        return Shape(
            expectation, schema: ["$ref": .string("#/$defs/\(name)")], definitions: definitions, read: read)
    }
}

extension Shape<Double> {
    static func number(_ range: ClosedRange<Double>) -> Shape {
        let limits = "\(numberText(range.lowerBound)) to \(numberText(range.upperBound))"
        return Shape(
            "a number from \(limits)",
            schema: ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)]
        ) { (node) throws(SceneError) in
            guard case .number(let value) = node.value else { throw node.invalid("a number from \(limits)") }
            guard range.contains(value) else { throw .outOfRange(node.path, value: value, allowed: range) }
            return value
        }
    }
}

extension Shape<Int> {
    static func whole(_ range: ClosedRange<Int>) -> Shape {
        let limits = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return Shape(
            limits,
            schema: ["type": "integer", "minimum": .int(range.lowerBound), "maximum": .int(range.upperBound)]
        ) { (node) throws(SceneError) in
            guard case .number(let value) = node.value, value == value.rounded() else { throw node.invalid(limits) }
            let allowed = Double(range.lowerBound)...Double(range.upperBound)
            guard allowed.contains(value) else { throw .outOfRange(node.path, value: value, allowed: allowed) }
            return Int(value)
        }
    }
}

extension Shape<Bool> {
    static var flag: Shape {
        Shape("true or false", schema: ["type": "boolean"]) { (node) throws(SceneError) in
            guard case .bool(let value) = node.value else { throw node.invalid("true or false") }
            return value
        }
    }
}

extension Shape<String> {
    /// A text that is not empty.
    static func text(_ expectation: String) -> Shape {
        Shape(expectation, schema: ["type": "string", "minLength": 1]) { (node) throws(SceneError) in
            guard case .string(let value) = node.value, !value.isEmpty else { throw node.invalid(expectation) }
            return value
        }
    }

    /// One of several words.
    static func word(_ kind: String, of words: [String]) -> Shape {
        let expectation = "one of " + words.joined(separator: ", ")
        return Shape(expectation, schema: ["enum": .strings(words)]) {
            (node) throws(SceneError) in
            guard case .string(let value) = node.value else { throw node.invalid(expectation) }
            guard words.contains(value) else {
                throw .unknownWord(node.path, value: value, kind: kind, allowed: words)
            }
            return value
        }
    }
}

extension Shape where Value: RawRepresentable<String> & CaseIterable & Sendable {
    /// One of an enumeration's words.
    static func word(_ kind: String) -> Shape {
        Shape<String>.word(kind, of: Value.allCases.map(\.rawValue)).map { (word, node) throws(SceneError) in
            guard let value = Value(rawValue: word) else { throw node.invalid(kind) }
            return value
        }
    }
}

extension Shape<Color> {
    static var color: Shape {
        Shape("a colour: \(Color.forms)", schema: ["type": "string"]) { (node) throws(SceneError) in
            guard case .string(let text) = node.value else { throw node.invalid(Color.forms) }
            return try rethrow(Color(parsing: text), as: { SceneError.parameter(node.path, $0) })
        }
    }
}

extension Shape<SIMD2<Double>> {
    /// Two numbers, as an array.
    static func pair(_ range: ClosedRange<Double>, _ expectation: String) -> Shape {
        let number = Shape<Double>.number(range)
        return Shape(
            expectation,
            schema: ["type": "array", "items": number.schema, "minItems": 2, "maxItems": 2]
        ) { (node) throws(SceneError) in
            guard case .array(let elements) = node.value, elements.count == 2 else { throw node.invalid(expectation) }
            return SIMD2(
                try number.read(JSONNode(value: elements[0], path: node.path.element(0))),
                try number.read(JSONNode(value: elements[1], path: node.path.element(1))))
        }
    }
}

extension Shape {
    /// An array of values of one form.
    static func list<Element: Sendable>(
        of element: Shape<Element>, _ expectation: String, minimum: Int = 0, maximum: Int? = nil
    ) -> Shape where Value == [Element] {
        let schema: JSONValue = .joined(
            ["type": "array", "items": element.schema], minimum > 0 ? ["minItems": .int(minimum)] : [:],
            maximum.map { ["maxItems": .int($0)] } ?? [:])
        return Shape(expectation, schema: schema, definitions: element.definitions) { (node) throws(SceneError) in
            guard case .array(let elements) = node.value, elements.count >= minimum,
                elements.count <= maximum ?? .max
            else { throw node.invalid(expectation) }
            var values: [Element] = []
            values.reserveCapacity(elements.count)
            for (index, value) in elements.enumerated() {
                values.append(try element.read(JSONNode(value: value, path: node.path.element(index))))
            }
            return values
        }
    }

    /// One of two forms. The second is tried if `isFirst` is false for the value.
    static func either(
        _ first: Shape, _ second: Shape, isFirst: @escaping @Sendable (JSONValue) -> Bool
    ) -> Shape {
        Shape(
            "\(first.expectation), or \(second.expectation)",
            schema: ["anyOf": [first.schema, second.schema]],
            definitions: first.definitions.merging(second.definitions) { a, _ in a }
        ) { (node) throws(SceneError) in
            try isFirst(node.value) ? first.read(node) : second.read(node)
        }
    }
}
