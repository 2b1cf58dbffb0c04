/// Reads JSON objects of one line, such as those of a manifest.
package enum FlatJSON {
    /// A member's value.
    package enum Value: Equatable {
        case text(String)
        /// A number, true, false or null.
        case word(String)
        /// An array or an object, as its JSON text. Only its brackets and strings are checked.
        case nested(String)
    }

    /// Returns the members of a JSON object whose values are strings. If a name occurs twice, its last value counts.
    ///
    /// - Parameter all: whether to return also the members whose values are numbers, true, false and null, as text.
    /// - Returns: nil if the line is not a JSON object, or if the object contains nested values.
    package static func members(_ line: Substring, all: Bool = false) -> [String: String]? {
        guard let list = list(line) else { return nil }
        var members: [String: String] = [:]
        for (name, value) in list {
            switch value {
            case .text(let text): members[name] = text
            case .word(let word): members[name] = all ? word : nil
            case .nested: return nil
            }
        }
        return members
    }

    /// Returns the members of a JSON object in their order.
    ///
    /// - Returns: nil if the line is not a JSON object.
    package static func list(_ line: Substring) -> [(name: String, value: Value)]? {
        var rest = line.unicodeScalars[...]
        var members: [(name: String, value: Value)] = []
        guard take("{", &rest) else { return nil }
        if take("}", &rest) { return ends(rest) ? members : nil }
        repeat {
            guard take("\"", &rest), let name = text(&rest), take(":", &rest), let value = value(&rest) else {
                return nil
            }
            members.append((name, value))
        } while take(",", &rest)
        return take("}", &rest) && ends(rest) ? members : nil
    }

    private static func value(_ rest: inout Scalars) -> Value? {
        if take("\"", &rest) { return text(&rest).map { .text($0) } }
        if rest.first == "[" || rest.first == "{" { return nested(&rest).map { .nested($0) } }
        let word = rest.prefix { $0 != "," && $0 != "}" }
        guard !word.isEmpty, !word.contains(where: { "[{\"".unicodeScalars.contains($0) }) else { return nil }
        rest = rest[word.endIndex...]
        return .word(String(word).trimmed)
    }

    private static func ends(_ rest: Scalars) -> Bool { rest.allSatisfy(\.properties.isWhitespace) }

    private typealias Scalars = Substring.UnicodeScalarView.SubSequence

    private static func take(_ scalar: Unicode.Scalar, _ rest: inout Scalars) -> Bool {
        rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "\r" }
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    /// Takes the text of a string and the quotation mark that ends it. Returns nil if the string is not valid.
    private static func text(_ rest: inout Scalars) -> String? {
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == "\"" { return String(text) }
            guard scalar == "\\" else {
                text.append(scalar)
                continue
            }
            guard let escaped = rest.popFirst() else { return nil }
            switch escaped {
            case "n": text.append("\n")
            case "t": text.append("\t")
            case "r": text.append("\r")
            case "b": text.append("\u{8}")
            case "f": text.append("\u{C}")
            case "u":
                guard let high = unit(&rest) else { return nil }
                var code = high
                // JSON escapes a character above U+FFFF as a surrogate pair.
                if (0xD800..<0xDC00).contains(high) {
                    guard rest.popFirst() == "\\", rest.popFirst() == "u", let low = unit(&rest),
                        (0xDC00..<0xE000).contains(low)
                    else { return nil }
                    code = 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
                }
                // A lone surrogate from U+DC80 to U+DCFF stands for one byte of a file name that is not valid UTF-8.
                // JSONValue writes such bytes in this form.
                let escape = (0xDC80...0xDCFF).contains(code) ? FileName.scalar(for: UInt8(code & 0xFF)) : nil
                guard let character = escape ?? Unicode.Scalar(code) else { return nil }
                text.append(character)
            default: text.append(escaped)
            }
        }
        return nil
    }

    /// Takes an array or an object, up to the bracket that closes it.
    private static func nested(_ rest: inout Scalars) -> String? {
        let start = rest
        var open: [Unicode.Scalar] = []
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": guard text(&rest) != nil else { return nil }
            case "[", "{": open.append(scalar == "[" ? "]" : "}")
            case "]", "}":
                guard open.popLast() == scalar else { return nil }
                if open.isEmpty { return String(start[..<rest.startIndex]) }
            default: break
            }
        }
        return nil
    }

    private static func unit(_ rest: inout Scalars) -> UInt32? {
        let digits = rest.prefix(4)
        guard digits.count == 4, let value = UInt32(String(digits), radix: 16) else { return nil }
        rest = rest.dropFirst(4)
        return value
    }
}

extension String {
    /// The text without white space at both ends.
    fileprivate var trimmed: String {
        let start = drop { $0.isWhitespace }
        return String(start.prefix(start.count - start.reversed().prefix { $0.isWhitespace }.count))
    }
}
