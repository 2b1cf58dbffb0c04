/// The 64-bit FNV-1a hash. It detects damage and names files. It does not protect against forgery.
package struct FNVHash {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init(of parts: [UInt8]...) {
        for part in parts {
            for byte in part { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
    }

    /// Hashes the UTF-8 bytes of a text.
    package init(of text: some StringProtocol) { self.init(of: Array(text.utf8)) }

    /// The hash as 16 hexadecimal digits.
    package var hexadecimal: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
