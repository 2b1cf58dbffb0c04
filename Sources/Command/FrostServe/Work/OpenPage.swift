import Frost
import FrostCLI
import FrostImages

/// The page that `frost open` shows to one user, under a path that nobody else knows.
struct OpenPage: Sendable {
    /// The picture that the page begins with.
    struct Picture: Sendable {
        let name: String
        let bytes: [UInt8]
        let mediaType: String
    }

    /// The first part of the paths of all requests.
    let token: String
    /// Nil for the sample.
    let picture: Picture?

    init(_ picture: Picture?) {
        let digits = Array("0123456789abcdef")
        token = String((0..<32).map { _ in digits[Int.random(in: 0..<16)] })
        self.picture = picture
    }

    /// Returns a path without the token. The time does not depend on how much of the token is right.
    func removingToken(_ segments: [[UInt8]]) throws(Refusal) -> [[UInt8]] {
        let (own, given) = (Array(token.utf8), segments.first ?? [])
        guard own.count == given.count, zip(own, given).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0 else {
            throw .notFound("only the page that 'frost open' has opened may use this server")
        }
        return Array(segments.dropFirst())
    }
}
