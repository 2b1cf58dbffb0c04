import CCommand
import FrostCLI

/// Signs and checks the targets of requests for sources: HMAC-SHA256 over the path and the sorted options.
package struct Signature: Sendable {
    private let key: [UInt8]

    /// The name of the option that has the signature.
    package static let option = "signature"
    /// The number of bytes that a key may have.
    package static let keyBytes = 16...4096

    /// - Parameter key: the bytes of the key's file. Line feeds at its end are not part of the key.
    package init?(key bytes: [UInt8]) {
        var key = bytes
        while key.last == 0x0A || key.last == 0x0D { key.removeLast() }
        guard Self.keyBytes.contains(key.count) else { return nil }
        self.key = key
    }

    /// The text that is signed: the path as it was sent, "?", and the options as they were sent, sorted by their bytes and joined
    /// by "&". Without options it is the path alone.
    package static func text(_ target: RequestTarget) -> String {
        let options = target.query.filter { $0.option.name != option }.map(\.raw)
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return options.isEmpty ? target.path : "\(target.path)?\(options.joined(separator: "&"))"
    }

    /// Returns the signature of a target as 64 hexadecimal digits.
    package func signature(of target: RequestTarget) -> String {
        let digits = Array("0123456789abcdef")
        return String(
            digest(of: Array(Self.text(target).utf8)).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    /// Returns whether a target has the signature of this key. The time does not depend on how much of it is right.
    package func isValid(_ target: RequestTarget) -> Bool {
        let given = target.query.filter { $0.option.name == Self.option }
        guard given.count == 1 else { return false }
        let (own, other) = (Array(signature(of: target).utf8), Array(given[0].option.value.lowercased().utf8))
        guard own.count == other.count else { return false }
        // SAFETY: both arrays have this number of bytes.
        return unsafe nettle_memeql_sec(own, other, own.count) != 0
    }

    private func digest(of bytes: [UInt8]) -> [UInt8] {
        var context = hmac_sha256_ctx()
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        // SAFETY: the context is a local variable, and no byte count exceeds the size of its array.
        unsafe nettle_hmac_sha256_set_key(&context, key.count, key)
        unsafe nettle_hmac_sha256_update(&context, bytes.count, bytes)
        unsafe nettle_hmac_sha256_digest(&context, digest.count, &digest)
        return digest
    }
}
