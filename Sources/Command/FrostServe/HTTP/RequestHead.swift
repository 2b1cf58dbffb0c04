/// The method and the header fields of a request.
package struct RequestHead: Sendable {
    package let method: String
    package let version: String
    /// The fields in their order, with names in small letters.
    package let fields: [(name: String, value: String)]

    package init(method: String, version: String = "HTTP/1.1", fields: [(name: String, value: String)] = []) {
        (self.method, self.version) = (method, version)
        self.fields = fields.map { ($0.name.lowercased(), $0.value) }
    }

    /// Returns the values of a field; empty if the request has none.
    package func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// Returns the value of a field, with those of repeated fields joined as a list; nil if the request has none.
    package subscript(name: String) -> String? {
        let values = values(name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// How the length of the body is given.
    package enum Length: Equatable {
        case none
        case bytes(Int)
        case chunked
    }

    /// The length of the body.
    ///
    /// - Throws: ``Refusal`` for fields that contradict each other, with which two programs could see two requests.
    package func length() throws(Refusal) -> Length {
        let codings = values("transfer-encoding")
        let lengths = Set(values("content-length"))
        if let coding = codings.first {
            guard lengths.isEmpty else {
                throw .badRequest("Content-Length and Transfer-Encoding contradict each other")
            }
            guard version != "HTTP/1.0" else { throw .badRequest("HTTP/1.0 has no Transfer-Encoding") }
            guard codings.count == 1, coding.lowercased() == "chunked" else {
                throw Refusal(501, "transfer-encoding", "the only transfer encoding is chunked", closes: true)
            }
            return .chunked
        }
        guard let text = lengths.first else { return .none }
        guard lengths.count == 1, !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            throw .badRequest("Content-Length is not a number")
        }
        return .bytes(Int(text) ?? .max)
    }

    /// Whether the client waits for "100 Continue" before it sends the body.
    package var expectsContinue: Bool { self["expect"]?.lowercased() == "100-continue" }
}
