import FrostCore

extension JSONValue: CustomStringConvertible {
    /// The value as JSON on one line.
    public var description: String { text(indent: nil) }

    /// The value as JSON with a line for each member. An array or object that fits into about 110 characters is
    /// written on one line.
    public var prettyText: String { text(indent: 0) }

    private func text(indent: Int?) -> String {
        switch self {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        // JSON has no infinity and no NaN. A scene refuses them when it is read.
        case .number(let value): return value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
        case .string(let value): return value.quotedAsJSON
        case .array(let elements):
            return Self.joined(elements.map { text in { text.text(indent: $0) } }, "[", "]", indent)
        case .object(let members):
            let parts = members.map { member in
                { (indent: Int?) in member.name.quotedAsJSON + ": " + member.value.text(indent: indent) }
            }
            return Self.joined(parts, "{", "}", indent)
        }
    }

    private static func joined(_ parts: [(Int?) -> String], _ open: String, _ close: String, _ indent: Int?) -> String {
        let line = open + parts.map { $0(nil) }.joined(separator: ", ") + close
        guard let indent, line.utf8.count + 2 * indent > 110 else { return line }
        let space = String(repeating: " ", count: 2 * (indent + 1))
        return open + "\n" + parts.map { space + $0(indent + 1) }.joined(separator: ",\n") + "\n"
            + String(space.dropLast(2)) + close
    }
}
