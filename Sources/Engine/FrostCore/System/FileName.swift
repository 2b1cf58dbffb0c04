/// Converts file names between the system's form, bytes, and Frost's form, text. In a name that is not valid UTF-8,
/// each byte that is not part of a character becomes a code point for private use: U+10FF00 plus the byte. In the other
/// direction, the code point becomes the byte again. If the bytes of a name already encode such a code point, each of
/// these bytes is converted as if it were invalid. So two different names never become the same text.
///
/// Python's surrogateescape works in the same way, but its code points cannot be part of Swift's strings.
package enum FileName {
    private static let base: UInt32 = 0x10FF00
    private static let escapes: ClosedRange<UInt32> = base + 0x80...base + 0xFF

    /// Returns the byte that a code point stands for; nil for all other code points.
    package static func byte(of scalar: Unicode.Scalar) -> UInt8? {
        escapes.contains(scalar.value) ? UInt8(scalar.value - base) : nil
    }

    /// Returns the code point that stands for a byte; nil for ASCII bytes, which are valid UTF-8.
    package static func scalar(for byte: UInt8) -> Unicode.Scalar? {
        byte < 0x80 ? nil : Unicode.Scalar(base + UInt32(byte))
    }

    /// Converts a file name's bytes from the system to text.
    package static func decode(_ bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        if let text = String(validating: bytes, as: UTF8.self),
            !text.unicodeScalars.contains(where: { byte(of: $0) != nil })
        {
            return text
        }
        var text = String.UnicodeScalarView()
        var i = 0
        while i < bytes.count {
            let length = characterLength(bytes[i...])
            let character = String(decoding: bytes[i..<i + max(length, 1)], as: UTF8.self).unicodeScalars
            if length > 0, let scalar = character.first, byte(of: scalar) == nil {
                text.append(scalar)
                i += length
            } else {
                if let escape = scalar(for: bytes[i]) { text.append(escape) }
                i += 1
            }
        }
        return String(text)
    }

    /// Converts text to the bytes of a file name.
    package static func bytes(of text: String) -> [UInt8] {
        guard text.unicodeScalars.contains(where: { byte(of: $0) != nil }) else { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar in byte(of: scalar).map { [$0] } ?? Array(String(scalar).utf8) }
    }

    /// Returns the number of bytes of the first character; 0 if the bytes do not begin with a character in UTF-8.
    private static func characterLength(_ bytes: ArraySlice<UInt8>) -> Int {
        guard let first = bytes.first else { return 0 }
        let length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 0
        let part = bytes.prefix(length)
        return part.count == length && String(validating: part, as: UTF8.self) != nil ? length : 0
    }
}

extension String {
    /// Creates text from a C string of the system: a word of the command line, or a variable of the environment. It may
    /// be the name of a file, so bytes that are not valid UTF-8 are preserved.
    @unsafe package init(system text: UnsafePointer<CChar>) {
        // SAFETY: the caller passes a C string, which is copied.
        self = unsafe FilePath(cString: text).text
    }

    /// The file name for display. The name is unchanged if none of its characters could control the terminal or end the
    /// line. Otherwise it is quoted as `ls` quotes names: 'a'$'\n''b'.
    package var shownName: String {
        guard unicodeScalars.contains(where: Self.needsEscape) else { return self }
        var text = "'"
        var isEscaping = false
        for scalar in unicodeScalars {
            let escapes = Self.needsEscape(scalar)
            if escapes != isEscaping { text += escapes ? "'$'" : "''" }
            isEscaping = escapes
            if escapes {
                text += Self.escape(scalar)
            } else if scalar == "'" {
                text += "'\\''"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text + "'"
    }

    /// The text as a line for display. Characters that could control the terminal or end the line are escaped. This is
    /// a second protection for file names within messages.
    package var shownLine: String {
        guard unicodeScalars.contains(where: Self.needsEscape) else { return self }
        var line = ""
        for scalar in unicodeScalars {
            if Self.needsEscape(scalar) { line += Self.escape(scalar) } else { line.unicodeScalars.append(scalar) }
        }
        return line
    }

    /// Returns whether a character is a control character, changes the direction of text, or stands for a byte that is
    /// not UTF-8.
    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: FileName.byte(of: scalar) != nil || scalar.properties.isBidiControl
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "\\n"
        case "\t": return "\\t"
        case "\r": return "\\r"
        default:
            let bytes = FileName.byte(of: scalar).map { [$0] } ?? Array(String(scalar).utf8)
            return bytes.map { byte in
                let digits = String(byte, radix: 8)
                return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
            }.joined()
        }
    }
}
