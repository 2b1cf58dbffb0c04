/// An element of an XML document, with resolved namespaces.
struct XMLElement {
    /// A name of an element or an attribute.
    struct Name {
        /// The namespace, a URI; empty if there is none.
        var space: String
        var local: String
        /// The prefix in the document.
        var prefix: String
    }

    var name: Name
    var attributes: [(name: Name, value: String)] = []
    var children: [XMLElement] = []
    /// The text of the element without that of its children.
    var text = ""

    /// Returns the text with those characters escaped that have a meaning in XML.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// Parses XML documents without a document type, as XMP packets are. Comments and processing instructions are skipped.
struct XMLParser {
    /// The largest depth of a document. XMP needs less than ten levels.
    private static let maximumDepth = 32

    private let bytes: [UInt8]
    private var at = 0
    /// The elements that have begun and not ended, with their written names and the namespaces of their prefixes.
    private var open: [(element: XMLElement, name: String, spaces: [String: String])] = []

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the root element of a document in UTF-8, or nil if the document is malformed.
    static func root(of bytes: [UInt8]) -> XMLElement? {
        guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
        var parser = XMLParser(bytes)
        return parser.root()
    }

    private mutating func root() -> XMLElement? {
        while at < bytes.count {
            if take("<?") {
                guard skip(past: "?>") else { return nil }
            } else if take("<!--") {
                guard skip(past: "-->") else { return nil }
            } else if take("<![CDATA[") {
                let start = at
                guard skip(past: "]]>"), !open.isEmpty else { return nil }
                open[open.count - 1].element.text += String(decoding: bytes[start..<at - 3], as: UTF8.self)
            } else if take("</") {
                let name = word()
                skipSpace()
                guard take(">"), name == open.last?.name else { return nil }
                if let root = close() { return root }
            } else if take("<") {
                // A document type could define entities that expand without limit.
                guard let isEmpty = startTag() else { return nil }
                if isEmpty, let root = close() { return root }
            } else {
                guard let text = text(upTo: 0x3C) else { return nil }
                if !open.isEmpty { open[open.count - 1].element.text += text }
            }
        }
        return nil
    }

    /// Ends the innermost element, and returns it if it is the root.
    private mutating func close() -> XMLElement? {
        guard let last = open.popLast() else { return nil }
        if open.isEmpty { return last.element }
        open[open.count - 1].element.children.append(last.element)
        return nil
    }

    /// Reads a tag that begins an element. Returns whether the same tag ends it, or nil if the tag is malformed.
    private mutating func startTag() -> Bool? {
        let name = word()
        guard !name.isEmpty, open.count < Self.maximumDepth else { return nil }
        var spaces = open.last?.spaces ?? ["xml": "http://www.w3.org/XML/1998/namespace"]
        var written: [(name: String, value: String)] = []
        while true {
            skipSpace()
            let isEmpty = take("/")
            if take(">") {
                var element = XMLElement(name: Self.name(name, spaces))
                for (name, value) in written {
                    // Attributes without a prefix have no namespace.
                    element.attributes.append(
                        (name.contains(":") ? Self.name(name, spaces) : Self.name(name, [:]), value))
                }
                open.append((element, name, spaces))
                return isEmpty
            }
            let attribute = word()
            skipSpace()
            guard !isEmpty, !attribute.isEmpty, take("=") else { return nil }
            skipSpace()
            guard at < bytes.count, bytes[at] == 0x22 || bytes[at] == 0x27 else { return nil }
            let quote = bytes[at]
            at += 1
            guard let value = text(upTo: quote), at < bytes.count else { return nil }
            at += 1
            if attribute == "xmlns" {
                spaces[""] = value
            } else if attribute.hasPrefix("xmlns:") {
                spaces[String(attribute.dropFirst(6))] = value
            } else {
                written.append((attribute, value))
            }
        }
    }

    private static func name(_ written: String, _ spaces: [String: String]) -> XMLElement.Name {
        let parts = written.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let prefix = parts.count == 2 ? parts[0] : ""
        return XMLElement.Name(space: spaces[prefix] ?? "", local: parts[parts.count - 1], prefix: prefix)
    }

    // MARK: Characters

    /// Reads up to a byte, which stays unread, or to the end. Returns nil if an entity is unknown.
    private mutating func text(upTo end: UInt8) -> String? {
        var result: [UInt8] = []
        while at < bytes.count, bytes[at] != end {
            if take("&") {
                let name = bytes[at...].prefix(10).prefix { $0 != 0x3B }
                guard let character = Self.entity(String(decoding: name, as: UTF8.self)) else { return nil }
                at += name.count + 1
                result += String(character).utf8
            } else {
                result.append(bytes[at])
                at += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func entity(_ name: String) -> Character? {
        let named: [String: Character] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        if let character = named[name] { return character }
        let code =
            name.hasPrefix("#x")
            ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
        return code.flatMap { Unicode.Scalar($0) }.map { Character($0) }
    }

    /// Reads a name: everything up to a space or a character that ends names.
    private mutating func word() -> String {
        let start = at
        while at < bytes.count, bytes[at] > 0x20, !"/>=<\"'&!".utf8.contains(bytes[at]) { at += 1 }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    private mutating func skipSpace() { while at < bytes.count, bytes[at] <= 0x20 { at += 1 } }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[at...].starts(with: text.utf8) else { return false }
        at += text.utf8.count
        return true
    }

    private mutating func skip(past text: String) -> Bool {
        while at < bytes.count {
            if bytes[at...].starts(with: text.utf8) {
                at += text.utf8.count
                return true
            }
            at += 1
        }
        return false
    }
}
