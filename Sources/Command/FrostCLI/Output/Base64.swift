/// Encodes bytes as Base64 text (RFC 4648, section 4).
package enum Base64 {
    package static func text(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var out: [UInt8] = []
        out.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            // Each group of three bytes gives four letters. The last group may have fewer bytes; the missing bytes
            // count as 0. A letter that depends only on missing bytes is replaced by "=".
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for letter in 0..<4 {
                out.append(letter <= group.count ? letters[bits >> (18 - 6 * letter) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
