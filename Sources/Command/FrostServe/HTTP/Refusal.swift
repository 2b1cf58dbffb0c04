import Frost
import FrostCLI

/// The reason why a request gets no result: a status of HTTP, and the content of its JSON body.
package struct Refusal: Error, Equatable {
    package let status: Int
    /// A word that programs can compare.
    package let code: String
    package let message: String
    /// The name of the option that is the cause; nil if none is.
    package var option: String?
    /// The values that the option allows; nil if they are not the cause.
    package var range: String?
    /// More header fields.
    package var headers: [Header] = []
    /// Whether the connection ends with this response.
    package var closes = false

    package init(
        _ status: Int, _ code: String, _ message: String, option: String? = nil, range: String? = nil,
        headers: [Header] = [], closes: Bool = false
    ) {
        (self.status, self.code, self.message, self.option, self.range) = (status, code, message, option, range)
        (self.headers, self.closes) = (headers, closes)
    }

    /// The JSON body of the response.
    package var body: [UInt8] {
        let json: JSONValue = [
            "code": .string(code), "message": .string(message), "option": .optional(option), "range": .optional(range),
        ]
        return Array((json.line + "\n").utf8)
    }
}

extension Refusal {
    static func badTarget(_ reason: String) -> Refusal { Refusal(400, "bad-target", reason) }

    static func badRequest(_ reason: String) -> Refusal { Refusal(400, "bad-request", reason, closes: true) }

    static func notFound(_ reason: String) -> Refusal { Refusal(404, "not-found", reason) }

    static func methodNotAllowed(_ method: String, allowed: [String]) -> Refusal {
        Refusal(
            405, "method-not-allowed", "\(method) is not possible here; allowed: \(allowed.joined(separator: ", "))",
            headers: [Header("Allow", allowed.joined(separator: ", "))])
    }

    static func busy(_ code: String, _ reason: String, retryAfter seconds: Int) -> Refusal {
        Refusal(429, code, reason, headers: [Header("Retry-After", "\(seconds)")])
    }

    static func unavailable(_ code: String, _ reason: String, closes: Bool = false) -> Refusal {
        Refusal(503, code, reason, headers: [Header("Retry-After", "1")], closes: closes)
    }

    init(_ error: RequestError) {
        self.init(400, "invalid-option", error.message, option: error.option, range: error.range)
    }
}

/// A field of a response's header.
package struct Header: Sendable, Equatable {
    package let name: String
    package let value: String

    /// - Parameter value: the value. Characters that a header cannot hold become question marks.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = String(
            decoding: value.utf8.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
