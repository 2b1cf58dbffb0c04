/// The conditions of a request that compare entity tags (RFC 9110, section 13).
package enum EntityTag {
    /// Returns whether a header, such as If-None-Match, lists a tag.
    ///
    /// - Parameters:
    ///   - tag: the strong tag of the result, with its quotation marks.
    ///   - weakly: whether a weak tag with the same text counts.
    package static func list(_ header: String, contains tag: String, weakly: Bool) -> Bool {
        if header == "*" { return true }
        var rest = header[...]
        while true {
            rest = rest.drop { $0 == " " || $0 == "," || $0 == "\t" }
            guard !rest.isEmpty else { return false }
            let isWeak = rest.hasPrefix("W/")
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.first == "\"" else { return false }
            let content = rest.dropFirst().prefix { $0 != "\"" }
            guard content.endIndex < rest.endIndex else { return false }
            if weakly || !isWeak, "\"\(content)\"" == tag { return true }
            rest = rest[content.endIndex...].dropFirst()
        }
    }

    /// What the conditions of a request decide about a result that exists.
    package enum Verdict: Equatable {
        case send
        case notModified
        case failed
    }

    /// Evaluates If-Match and If-None-Match. The other conditions need a time of modification, which a result does not have:
    /// a new version of Frost changes it as well.
    package static func verdict(_ head: RequestHead, _ tag: String) -> Verdict {
        if let wanted = head["if-match"], !list(wanted, contains: tag, weakly: false) { return .failed }
        if let known = head["if-none-match"], list(known, contains: tag, weakly: true) { return .notModified }
        return .send
    }
}
