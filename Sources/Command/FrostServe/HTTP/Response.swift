/// A response of the server.
package struct Response: Sendable {
    package var status: Int
    package var headers: [Header]
    package var body: [UInt8]
    /// The number of bytes of the body, also after it was given away.
    package private(set) var length: Int
    /// The length of the result that was not modified, for status 304; nil if it is not known.
    package var knownLength: Int?
    /// Whether the connection ends with this response.
    package var closes = false
    /// What the access log and the metrics get to know.
    package var facts = Facts()

    /// Facts about the work on a request.
    package struct Facts: Sendable {
        package var effect: String?
        package var error: String?
        package var width = 0
        package var height = 0
        package var queued = Duration.zero
        package var decode = Duration.zero
        package var blur = Duration.zero
        package var encode = Duration.zero

        package init() {}
    }

    package init(_ status: Int, _ headers: [Header], _ body: [UInt8]) {
        (self.status, self.headers, self.body) = (status, headers, body)
        length = body.count
    }

    /// Creates the response for a refusal.
    package init(_ refusal: Refusal) {
        self.init(refusal.status, refusal.headers + [Header("Content-Type", "application/json")], refusal.body)
        closes = refusal.closes
        facts.error = refusal.message
    }

    /// Creates a response with a text.
    init(_ status: Int, _ type: String, _ text: String) {
        self.init(status, [Header("Content-Type", type), Header("Cache-Control", "no-store")], Array(text.utf8))
    }
}
