import Frost
package import FrostCLI

/// The target of a request: the path, and the options of the query.
package struct RequestTarget: Equatable {
    /// The host and the port, if the target is a whole URL; otherwise nil.
    package let authority: String?
    /// The path as it was sent.
    package let path: String
    /// The decoded parts of the path between its slashes. None is empty, "." or "..", or has a slash.
    package let segments: [[UInt8]]
    /// The options of the query as they were sent, and decoded.
    package let query: [Item]

    package struct Item: Equatable {
        package let raw: String
        package let option: RequestOption
    }

    /// Parses a target.
    ///
    /// - Throws: ``Refusal`` for a target that is not a valid path and query.
    package init(_ bytes: [UInt8]) throws(Refusal) {
        var rest = bytes[...]
        var authority: String?
        for scheme in ["http://", "https://"] where bytes.count >= scheme.utf8.count {
            guard String(decoding: bytes[..<scheme.utf8.count], as: UTF8.self).lowercased() == scheme else { continue }
            let name = bytes[scheme.utf8.count...].prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            authority = String(decoding: name, as: UTF8.self)
            rest = bytes[name.endIndex...]
            if rest.first != UInt8(ascii: "/") { rest = [UInt8(ascii: "/")] + rest }
        }
        guard rest.first == UInt8(ascii: "/") else { throw .badTarget("the target is not a path") }
        guard rest.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else {
            throw .badTarget("the target has a character that must be written in the form %20")
        }
        self.authority = authority
        let path = rest.prefix { $0 != UInt8(ascii: "?") }
        self.path = String(decoding: path, as: UTF8.self)
        var segments: [[UInt8]] = []
        if path.count > 1 {
            for part in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
                let segment = try Self.decoded(part, plusIsSpace: false)
                guard !segment.isEmpty, segment != [0x2E], segment != [0x2E, 0x2E], !segment.contains(0x2F) else {
                    throw .badTarget("a part of the path is empty, \".\" or \"..\", or has a slash")
                }
                segments.append(segment)
            }
        }
        self.segments = segments
        var query: [Item] = []
        for pair in rest[path.endIndex...].dropFirst().split(separator: UInt8(ascii: "&")) {
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            query.append(
                Item(
                    raw: String(decoding: pair, as: UTF8.self),
                    option: RequestOption(
                        try Self.text(name), try Self.text(pair[name.endIndex...].dropFirst()))))
        }
        self.query = query
    }

    private static func text(_ bytes: ArraySlice<UInt8>) throws(Refusal) -> String {
        guard let text = String(validating: try decoded(bytes, plusIsSpace: true), as: UTF8.self) else {
            throw .badTarget("the query is not UTF-8")
        }
        return text
    }

    /// Decodes the form %20.
    private static func decoded(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) throws(Refusal) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+"), plusIsSpace {
                out.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
                    throw .badTarget("% is not followed by two hexadecimal digits")
                }
                let value = high << 4 | low
                guard value != 0 else { throw .badTarget("the target has a zero byte") }
                out.append(value)
            } else {
                out.append(byte)
            }
        }
        return out
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}
