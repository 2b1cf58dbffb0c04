/// White noise: a number for each pixel that depends on its absolute place and a seed alone.
///
/// Sums, products, shifts and exclusive ors of 32-bit unsigned integers: so vectors and GLSL ES 3.0 make the same bits.
/// Coordinates are taken modulo 2^32.
public struct PixelHash: Sendable, Hashable {
    public var seed: UInt32

    public init(seed: UInt32) { self.seed = seed }

    /// The part of the hash that a row has in common.
    public func row(_ y: Int) -> UInt32 {
        var h = UInt32(truncatingIfNeeded: y) &* 0x9E37_79B1 &+ seed
        h = (h ^ (h >> 16)) &* 0x85EB_CA6B
        h = (h ^ (h >> 13)) &* 0xC2B2_AE35
        return h ^ (h >> 16)
    }

    /// 32 bits for a pixel, of which the upper ones are the better, from what ``row(_:)`` gave.
    public static func bits(x: Int, row: UInt32) -> UInt32 {
        let h = (UInt32(truncatingIfNeeded: x) &* 0x9E37_79B1) ^ row
        return (h ^ (h >> 15)) &* 0x2C1B_3C6D
    }

    /// In the middle of one of 256 equal parts of 0...1.
    public func fraction(x: Int, y: Int) -> Double { (Double(Self.bits(x: x, row: row(y)) >> 24) + 0.5) / 256 }
}
