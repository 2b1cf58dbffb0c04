extension JSONValue: CustomStringConvertible {
    /// The value as JSON on one line.
    public var description: String { text(space: " ", indent: nil) }

    /// The value as JSON with a line for each member. An array or object that fits into about 110 characters is
    /// written on one line.
    public var prettyText: String { text(space: " ", indent: 0) }

    /// The value as JSON on one line without spaces.
    package var line: String { text(space: "", indent: nil) }

    private func text(space: String, indent: Int?) -> String {
        switch self {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        // JSON has no infinity and no NaN. A scene refuses them when it is read.
        case .number(let value): return value.isFinite ? numberText(value) : "null"
        case .string(let value): return value.quotedAsJSON
        case .array(let elements):
            return Self.joined(
                elements.map { text in { text.text(space: space, indent: $0) } }, "[", "]", space, indent)
        case .object(let members):
            let parts = members.map { member in
                { (indent: Int?) in
                    member.name.quotedAsJSON + ":" + space + member.value.text(space: space, indent: indent)
                }
            }
            return Self.joined(parts, "{", "}", space, indent)
        }
    }

    private static func joined(
        _ parts: [(Int?) -> String], _ open: String, _ close: String, _ space: String, _ indent: Int?
    ) -> String {
        let line = open + parts.map { $0(nil) }.joined(separator: "," + space) + close
        guard let indent, line.utf8.count + 2 * indent > 110 else { return line }
        let margin = String(repeating: " ", count: 2 * (indent + 1))
        return open + "\n" + parts.map { margin + $0(indent + 1) }.joined(separator: ",\n") + "\n"
            + String(margin.dropLast(2)) + close
    }
}

extension String {
    fileprivate var quotedAsJSON: String {
        var out = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\t": out += "\\t"
            case "\r": out += "\\r"
            // A byte of a file name that is not valid UTF-8 is written in the form of Python's surrogateescape, so
            // os.fsencode restores the byte.
            case _ where FileName.byte(of: scalar) != nil:
                out += "\\udc" + String(FileName.byte(of: scalar) ?? 0, radix: 16)
            case _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            case _: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }
}
