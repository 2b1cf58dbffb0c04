/// Protects against web pages that make a browser send requests here: by a name that resolves to this server (DNS rebinding),
/// and across origins.
package struct HostCheck: Sendable {
    /// The names besides addresses and localhost; "*" for all names.
    private let names: Set<String>

    package init(names: [String]) { self.names = Set(names.map { $0.lowercased() }) }

    /// Checks the header fields Host and Origin.
    ///
    /// - Parameter authority: the host of the target, if that is a whole URL.
    package func check(_ head: RequestHead, authority: String?) throws(Refusal) {
        let hosts = head.values("host")
        guard hosts.count == 1 || hosts.isEmpty && head.version == "HTTP/1.0" else {
            throw .badRequest(hosts.isEmpty ? "the field Host is missing" : "the field Host occurs twice")
        }
        guard let host = authority ?? hosts.first else { return }
        guard let name = Self.name(of: host) else { throw .badRequest("the field Host is not a name or an address") }
        guard isOwn(name) else {
            throw Refusal(
                421, "wrong-host", "\(name) is not a name of this server; --host \(name) allows it", closes: true)
        }
        guard let origin = head["origin"] else { return }
        let own = ["http://", "https://"].map { $0 + host.lowercased() }
        guard own.contains(origin.lowercased()) else {
            throw Refusal(403, "wrong-origin", "a page of another origin may not use this server")
        }
    }

    /// Refuses a request that a page of another site makes.
    package func checkSite(_ head: RequestHead) throws(Refusal) {
        guard head["sec-fetch-site"]?.lowercased() == "cross-site" else { return }
        throw Refusal(403, "wrong-origin", "a page of another site may not use this server without a signature")
    }

    /// An attacker can give a name any address, but cannot own the origin of an address.
    private func isOwn(_ name: String) -> Bool {
        names.contains("*") || names.contains(name) || name == "localhost" || name.hasSuffix(".localhost")
            || name.hasPrefix("[") || Self.isIPv4(name)
    }

    private static func isIPv4(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { $0.count <= 3 && UInt8($0) != nil && !$0.hasPrefix("+") }
    }

    /// Returns the host in small letters, without the port; nil if the text is not a host.
    static func name(of authority: String) -> String? {
        let text = authority.lowercased()
        let name: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            name = text[...end]
            guard name.dropFirst().dropLast().allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }), name.count > 3
            else { return nil }
        } else {
            name = text.prefix { $0 != ":" }
            guard name.utf8.allSatisfy({ (97...122).contains($0) || (45...57).contains($0) && $0 != 47 || $0 == 95 })
            else { return nil }
        }
        let port = text[name.endIndex...]
        guard port.isEmpty || port.first == ":" && port.dropFirst().utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        // A dot at the end means the same name.
        let plain = name.hasSuffix(".") ? name.dropLast() : name
        return plain.isEmpty ? nil : String(plain)
    }
}
