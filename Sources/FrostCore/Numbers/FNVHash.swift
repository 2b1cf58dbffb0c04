/// FNV-1a of 64 bits: detects damage and names files. It does not protect against forgers.
package struct FNVHash {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init(of parts: [UInt8]...) {
        for part in parts {
            for byte in part { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
    }

    /// Of the text in UTF-8.
    package init(of text: some StringProtocol) { self.init(of: Array(text.utf8)) }

    /// 16 digits.
    package var hexadecimal: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
