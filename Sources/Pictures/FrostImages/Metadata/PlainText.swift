/// Decides whether a text of a file is one for people to read. A picture can be written as a text, in base64 or in
/// hexadecimal digits, or its bytes can stand where a text should be.
enum PlainText {
    /// The largest number of letters and digits in a row. The longest genuine word is a hash of 128 digits.
    static let longestWord = 128
    /// The largest number of ASCII characters without a space. Addresses of the web have up to a few hundred; bytes that are
    /// written with punctuation too, as base85 does, have thousands.
    static let longestAddress = 1024

    /// Whether the text has no control characters and no long row of letters and digits, as encoded bytes have. Line
    /// breaks do not end a row, because encoders insert them.
    static func isPlain(_ text: some Sequence<Unicode.Scalar>) -> Bool {
        var (row, address) = (0, 0)
        for scalar in text {
            switch scalar.value {
            case 9, 10, 13: continue
            case 0..<32, 127..<160: return false
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2F, 0x3D, 0x5F: row += 1
            default: row = 0
            }
            address = (33...126).contains(scalar.value) ? address + 1 : 0
            if row > longestWord || address > longestAddress { return false }
        }
        return true
    }

    /// Whether bytes are plain text in UTF-8 or, failing that, in Latin-1.
    static func isPlain(_ bytes: some Collection<UInt8>) -> Bool {
        if let text = String(validating: bytes, as: UTF8.self) { return isPlain(text.unicodeScalars) }
        return isPlain(bytes.lazy.map { Unicode.Scalar($0) })
    }

    /// Whether units of UTF-16, possibly with zeros at their end, are plain text.
    static func isPlain(_ units: [UInt16]) -> Bool {
        let text = units.prefix(units.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0)
        return String(validating: text, as: UTF16.self).map { isPlain($0.unicodeScalars) } ?? false
    }

    /// A name from a file as text for messages: printable ASCII, at most 40 characters.
    static func printable(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.prefix(40).map { (32...126).contains($0) ? $0 : 63 }, as: UTF8.self)
    }
}
