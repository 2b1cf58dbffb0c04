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
struct JSONForm<Value>: Sendable {
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
    func map<Other>(_ convert: @escaping @Sendable (Value, JSONNode) throws(SceneError) -> Other) -> JSONForm<Other> {
        JSONForm<Other>(expectation, schema: schema, definitions: definitions) { (node) throws(SceneError) in
            try convert(try read(node), node)
        }
    }

    /// Returns the form as a definition with a name, to which the schema refers.
    func named(_ name: String) -> JSONForm {
        var definitions = definitions
        definitions[name] = schema
        return JSONForm(
            expectation, schema: ["$ref": .string("#/$defs/\(name)")], definitions: definitions, read: read)
    }
}

extension JSONForm<Double> {
    static func number(_ range: ClosedRange<Double>) -> JSONForm {
        let limits = "\(numberText(range.lowerBound)) to \(numberText(range.upperBound))"
        return JSONForm(
            "a number from \(limits)",
            schema: ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)]
        ) { (node) throws(SceneError) in
            guard case .number(let value) = node.value else { throw node.invalid("a number from \(limits)") }
            guard range.contains(value) else { throw .outOfRange(node.path, value: value, allowed: range) }
            return value
        }
    }
}

extension JSONForm<Int> {
    static func whole(_ range: ClosedRange<Int>) -> JSONForm {
        let limits = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return JSONForm(
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

extension JSONForm<Bool> {
    static var flag: JSONForm {
        JSONForm("true or false", schema: ["type": "boolean"]) { (node) throws(SceneError) in
            guard case .bool(let value) = node.value else { throw node.invalid("true or false") }
            return value
        }
    }
}

extension JSONForm<String> {
    /// A text that is not empty.
    static func text(_ expectation: String) -> JSONForm {
        JSONForm(expectation, schema: ["type": "string", "minLength": 1]) { (node) throws(SceneError) in
            guard case .string(let value) = node.value, !value.isEmpty else { throw node.invalid(expectation) }
            return value
        }
    }

    /// One of several words.
    static func word(_ kind: String, of words: [String]) -> JSONForm {
        let expectation = "one of " + words.joined(separator: ", ")
        return JSONForm(expectation, schema: ["enum": .strings(words)]) {
            (node) throws(SceneError) in
            guard case .string(let value) = node.value else { throw node.invalid(expectation) }
            guard words.contains(value) else {
                throw .unknownWord(node.path, value: value, kind: kind, allowed: words)
            }
            return value
        }
    }
}

extension JSONForm where Value: RawRepresentable<String> & CaseIterable & Sendable {
    /// One of an enumeration's words.
    static func word(_ kind: String) -> JSONForm {
        JSONForm<String>.word(kind, of: Value.allCases.map(\.rawValue)).map { (word, node) throws(SceneError) in
            guard let value = Value(rawValue: word) else { throw node.invalid(kind) }
            return value
        }
    }
}

extension JSONForm<Color> {
    static var color: JSONForm {
        JSONForm("a colour: \(Color.forms)", schema: ["type": "string", "minLength": 1]) { (node) throws(SceneError) in
            guard case .string(let text) = node.value, !text.isEmpty else { throw node.invalid(Color.forms) }
            return try rethrow(Color(parsing: text), as: { SceneError.parameter(node.path, $0) })
        }
    }
}

extension JSONForm<EffectValue> {
    /// The stops of a parameter, in the form of the command line.
    static func stops(of parameter: EffectParameter) -> JSONForm {
        JSONForm(parameter.expectation, schema: ["type": "string"]) { (node) throws(SceneError) in
            guard case .string(let text) = node.value else { throw node.invalid(parameter.expectation) }
            return try rethrow(parameter.parse(text), as: { SceneError.parameter(node.path, $0) })
        }
    }
}

extension JSONForm<SIMD2<Double>> {
    /// Two numbers, as an array.
    static func pair(_ range: ClosedRange<Double>, _ expectation: String) -> JSONForm {
        let number = JSONForm<Double>.number(range)
        return JSONForm(
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

extension JSONForm {
    /// An array with one value for each form.
    static func tuple<Element: Sendable>(
        of forms: [JSONForm<Element>], _ expectation: String
    ) -> JSONForm where Value == [Element] {
        let schema: JSONValue = [
            "type": "array", "prefixItems": .array(forms.map(\.schema)), "minItems": .int(forms.count),
            "maxItems": .int(forms.count),
        ]
        let definitions = forms.reduce(into: [:]) { all, form in all.merge(form.definitions) { a, _ in a } }
        return JSONForm(expectation, schema: schema, definitions: definitions) { (node) throws(SceneError) in
            guard case .array(let elements) = node.value, elements.count == forms.count else {
                throw node.invalid(expectation)
            }
            var values: [Element] = []
            for (index, value) in elements.enumerated() {
                values.append(try forms[index].read(JSONNode(value: value, path: node.path.element(index))))
            }
            return values
        }
    }

    /// An array of values of one form.
    static func list<Element: Sendable>(
        of element: JSONForm<Element>, _ expectation: String, minimum: Int = 0, maximum: Int? = nil
    ) -> JSONForm where Value == [Element] {
        let schema: JSONValue = .joined(
            ["type": "array", "items": element.schema], minimum > 0 ? ["minItems": .int(minimum)] : [:],
            maximum.map { ["maxItems": .int($0)] } ?? [:])
        return JSONForm(expectation, schema: schema, definitions: element.definitions) { (node) throws(SceneError) in
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
        _ first: JSONForm, _ second: JSONForm, isFirst: @escaping @Sendable (JSONValue) -> Bool
    ) -> JSONForm {
        JSONForm(
            "\(first.expectation), or \(second.expectation)",
            schema: ["anyOf": [first.schema, second.schema]],
            definitions: first.definitions.merging(second.definitions) { a, _ in a }
        ) { (node) throws(SceneError) in
            try isFirst(node.value) ? first.read(node) : second.read(node)
        }
    }
}
