import Frost
import FrostMotion

/// Checks values against a JSON Schema: the part of draft 2020-12 that the schema of scenes uses. It is independent of the
/// reader of scenes.
struct SchemaValidator {
    let root: JSONValue

    /// Returns whether the schema accepts a value. Traps for a keyword that it does not know, so that no rule is ignored.
    func accepts(_ value: JSONValue) -> Bool { accepts(value, by: root) }

    private func accepts(_ value: JSONValue, by schema: JSONValue) -> Bool {
        guard case .object(let rules) = schema else {
            preconditionFailure("a schema is an object")
        }
        return rules.allSatisfy { allows($0.name, $0.value, value, schema) }
    }

    private func allows(_ keyword: String, _ rule: JSONValue, _ value: JSONValue, _ schema: JSONValue) -> Bool {
        switch keyword {
        case "$schema", "title", "description", "default", "$defs", "then": return true
        case "$ref": return accepts(value, by: target(of: rule))
        case "type": return matches(value, type: rule)
        case "const": return value == rule
        case "enum": return elements(rule).contains(value)
        case "anyOf": return elements(rule).contains { accepts(value, by: $0) }
        case "oneOf": return elements(rule).filter { accepts(value, by: $0) }.count == 1
        case "allOf": return elements(rule).allSatisfy { accepts(value, by: $0) }
        case "not": return !accepts(value, by: rule)
        case "if": return !accepts(value, by: rule) || schema["then"].map { accepts(value, by: $0) } ?? true
        case "minimum": return number(value).map { $0 >= number(rule) ?? 0 } ?? true
        case "maximum": return number(value).map { $0 <= number(rule) ?? 0 } ?? true
        case "minLength":
            if case .string(let text) = value { return Double(text.count) >= number(rule) ?? 0 } else { return true }
        case "items": return elements(value).allSatisfy { accepts($0, by: rule) }
        case "prefixItems": return zip(elements(value), elements(rule)).allSatisfy { accepts($0, by: $1) }
        case "minItems", "maxItems":
            guard case .array(let all) = value else { return true }
            return compare(all.count, keyword, rule)
        case "properties":
            return members(rule).allSatisfy { member in value[member.name].map { accepts($0, by: member.value) } ?? true
            }
        case "additionalProperties":
            let known = Set(members(schema["properties"] ?? .null).map(\.name))
            return members(value).allSatisfy { known.contains($0.name) }
        case "required":
            guard case .object = value else { return true }
            return elements(rule).allSatisfy { name in
                if case .string(let name) = name { value[name] != nil } else { false }
            }
        case "dependentRequired":
            return members(rule).allSatisfy { member in
                value[member.name] == nil || allows("required", member.value, value, schema)
            }
        case "minProperties", "maxProperties":
            guard case .object(let all) = value else { return true }
            return compare(all.count, keyword, rule)
        case _: preconditionFailure("unknown keyword \(keyword)")
        }
    }

    private func target(of reference: JSONValue) -> JSONValue {
        guard case .string(let text) = reference, let name = text.split(separator: "/").last,
            let target = root["$defs"]?[String(name)]
        else { preconditionFailure("unknown reference \(reference)") }
        return target
    }

    private func compare(_ count: Int, _ keyword: String, _ rule: JSONValue) -> Bool {
        let limit = number(rule) ?? 0
        return keyword.hasPrefix("min") ? Double(count) >= limit : Double(count) <= limit
    }

    private func matches(_ value: JSONValue, type: JSONValue) -> Bool {
        switch (value, type) {
        case (.number(let number), "integer"): number == number.rounded()
        case (.number, "number"), (.string, "string"), (.array, "array"), (.object, "object"), (.bool, "boolean"): true
        case (_, _): false
        }
    }

    private func number(_ value: JSONValue) -> Double? { if case .number(let number) = value { number } else { nil } }
    private func elements(_ value: JSONValue) -> [JSONValue] { if case .array(let all) = value { all } else { [] } }
    private func members(_ value: JSONValue) -> [JSONValue.Member] {
        if case .object(let all) = value { all } else { [] }
    }
}
