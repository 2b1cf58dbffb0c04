/// A hash of a pixel's absolute position and a seed. Its values are white noise.
///
/// The hash uses only sums, products, shifts and exclusive ors of 32-bit unsigned integers. So SIMD code and GLSL ES
/// 3.0 compute the same bits. Coordinates are taken modulo 2^32.
public struct PixelHash: Sendable, Hashable {
    /// The seed, which selects one of 2^32 noise patterns.
    public var seed: UInt32

    /// Creates a hash with a seed.
    public init(seed: UInt32) { self.seed = seed }

    /// Returns the part of the hash that all pixels of row `y` share.
    public func row(_ y: Int) -> UInt32 {
        var h = UInt32(truncatingIfNeeded: y) &* 0x9E37_79B1 &+ seed
        h = (h ^ (h >> 16)) &* 0x85EB_CA6B
        h = (h ^ (h >> 13)) &* 0xC2B2_AE35
        return h ^ (h >> 16)
    }

    /// Returns the 32-bit hash of a pixel, computed from the result of ``row(_:)``. The upper bits are the most random.
    public static func bits(x: Int, row: UInt32) -> UInt32 {
        let h = (UInt32(truncatingIfNeeded: x) &* 0x9E37_79B1) ^ row
        return (h ^ (h >> 15)) &* 0x2C1B_3C6D
    }

    /// Returns a pixel's hash as a number in 0...1: the centre of one of 256 equal parts.
    public func fraction(x: Int, y: Int) -> Double { (Double(Self.bits(x: x, row: row(y)) >> 24) + 0.5) / 256 }
}
