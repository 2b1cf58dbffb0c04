/// The key of 128 bits from which secret offsets are computed, for example those of the effect `redact`.
public struct SecretKey: Sendable, Hashable {
    package let words: SIMD4<UInt32>

    /// Draws a key from the system's random number generator.
    public init() {
        words = SIMD4(
            .random(in: 0 ... .max), .random(in: 0 ... .max), .random(in: 0 ... .max), .random(in: 0 ... .max))
    }

    /// Creates a key from its bits.
    public init(bits: SIMD4<UInt32>) { words = bits }

    /// The key that everything in this process uses unless it is given another one. It is drawn when it is first used.
    ///
    /// If renderers had keys of their own, each would show another sample of the same hidden picture.
    public static let process = SecretKey()

    /// Returns a key for a purpose. From keys for some purposes, however many, nobody can compute another one.
    func derived(_ first: UInt32, _ second: UInt32) -> SecretKey {
        let (a, b) = XTEA.encrypt(first, second, words)
        let (c, d) = XTEA.encrypt(first, second ^ 0x8000_0000, words)
        return SecretKey(bits: SIMD4(a, b, c, d))
    }
}

/// The block cipher XTEA with 32 cycles: Needham and Wheeler, "Tea extensions", 1997.
enum XTEA {
    static func encrypt(_ first: UInt32, _ second: UInt32, _ key: SIMD4<UInt32>) -> (UInt32, UInt32) {
        var (a, b, sum) = (first, second, UInt32(0))
        for _ in 0..<32 {
            a = a &+ ((((b << 4) ^ (b >> 5)) &+ b) ^ (sum &+ key[Int(sum & 3)]))
            sum = sum &+ 0x9E37_79B9
            b = b &+ ((((a << 4) ^ (a >> 5)) &+ a) ^ (sum &+ key[Int(sum >> 11 & 3)]))
        }
        return (a, b)
    }
}
