/// Reads JSON objects without nested values, such as the lines of a manifest.
package enum FlatJSON {
    /// Returns the members of a JSON object whose values are strings.
    ///
    /// - Parameter all: whether to return also the members whose values are numbers, true, false and null, as text.
    /// - Parameter arrays: whether a value may be an array of numbers and of such arrays, which is returned as text.
    /// - Returns: nil if the line is not a JSON object, or if the object contains other nested values.
    package static func members(_ line: Substring, all: Bool = false, arrays: Bool = false) -> [String: String]? {
        var rest = line.unicodeScalars[...]
        var members: [String: String] = [:]
        guard take("{", &rest) else { return nil }
        if take("}", &rest) { return ends(rest) ? members : nil }
        repeat {
            guard take("\"", &rest), let name = text(&rest), take(":", &rest) else { return nil }
            // If a name occurs twice, its last value counts.
            if take("\"", &rest) {
                guard let value = text(&rest) else { return nil }
                members[name] = value
            } else if arrays, rest.first == "[" {
                guard let value = array(&rest) else { return nil }
                members[name] = value
            } else {
                // The value is a number or a word such as true.
                let word = rest.prefix { $0 != "," && $0 != "}" }
                guard !word.isEmpty, !word.contains(where: { "[{\"".unicodeScalars.contains($0) }) else { return nil }
                members[name] = all ? String(word).trimmed : nil
                rest = rest[word.endIndex...]
            }
        } while take(",", &rest)
        return take("}", &rest) && ends(rest) ? members : nil
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

    /// Takes an array of numbers and of such arrays.
    private static func array(_ rest: inout Scalars) -> String? {
        let allowed = "[],.+-0123456789eE \t".unicodeScalars
        var depth = 0
        for index in rest.indices {
            guard allowed.contains(rest[index]) else { return nil }
            if rest[index] == "[" { depth += 1 }
            if rest[index] == "]" { depth -= 1 }
            guard depth > 0 else {
                defer { rest = rest[rest.index(after: index)...] }
                return String(rest[...index])
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
