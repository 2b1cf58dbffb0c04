/// Pseudo-random offsets that cannot be computed without a key. Each cell has one offset for red, one for green and one
/// for blue.
///
/// The position of a cell is encrypted with the block cipher XTEA and a key of 128 bits. Each offset consists of 16
/// bits of the result. Whoever knows some offsets, however many, still cannot compute another.
public struct Scatter: Sendable, Hashable {
    /// The maximum deviation, as a fraction of full scale.
    public var amplitude: Double
    /// The base-2 logarithm of a cell's side in pixels. Cells are squares at multiples of their side from the absolute
    /// origin.
    public let level: Int
    /// The 128-bit key of the cipher.
    public let key: SIMD4<UInt32>
    /// Whether the key is random and therefore secret.
    public let isSecret: Bool

    /// Creates a scatter with a key from the system's random number generator.
    ///
    /// - Parameter level: 0...15.
    public init(amplitude: Double, level: Int) {
        self.amplitude = amplitude
        self.level = min(max(level, 0), 15)
        key = SIMD4(.random(in: 0 ... .max), .random(in: 0 ... .max), .random(in: 0 ... .max), .random(in: 0 ... .max))
        isSecret = true
    }

    /// Creates a scatter with a key that depends only on the seed, for reproducible pictures. Anyone who guesses the
    /// seed has the key.
    public init(amplitude: Double, level: Int, seed: UInt32) {
        self.amplitude = amplitude
        self.level = min(max(level, 0), 15)
        key = SIMD4(seed, 0, 0, 0)
        isSecret = false
    }

    /// Returns the scatter for another picture, with a new key if the key is secret.
    public func redrawn() -> Scatter { isSecret ? Scatter(amplitude: amplitude, level: level) : self }

    /// Returns the index of a pixel's cell along an axis. The indices of pixels and cells are taken modulo 2^32.
    public func cell(_ pixel: Int) -> Int { Int(Int32(truncatingIfNeeded: pixel) >> level) }

    /// Returns the offsets of a cell's red, green and blue. Each offset is the centre of one of 65536 equal parts of
    /// the range from minus to plus ``amplitude``.
    public func value(cellX: Int, cellY: Int) -> SIMD3<Double> {
        let (a, b) = enciphered(UInt32(truncatingIfNeeded: cellX), UInt32(truncatingIfNeeded: cellY))
        let bits = SIMD3(Double(a & 0xFFFF), Double(a >> 16), Double(b & 0xFFFF))
        return ((bits + 0.5) / 32768 - 1) * amplitude
    }

    /// Encrypts 64 bits with XTEA, 32 cycles: Needham and Wheeler, "Tea extensions", 1997.
    func enciphered(_ first: UInt32, _ second: UInt32) -> (UInt32, UInt32) {
        var (a, b, sum) = (first, second, UInt32(0))
        for _ in 0..<32 {
            a = a &+ ((((b << 4) ^ (b >> 5)) &+ b) ^ (sum &+ key[Int(sum & 3)]))
            sum = sum &+ 0x9E37_79B9
            b = b &+ ((((a << 4) ^ (a >> 5)) &+ a) ^ (sum &+ key[Int(sum >> 11 & 3)]))
        }
        return (a, b)
    }
}
