/// Noise that no one can compute who does not have its key: each cell's own for each colour.
///
/// 16 bits of a cell's place under the block cipher XTEA, with a key of 128 bits: from as much of the noise as one likes, no
/// more of it follows.
public struct Scatter: Sendable, Hashable {
    /// The largest deviation, of full scale.
    public var amplitude: Double
    /// Cells are squares of `2^level` pixels, at multiples of their side from the absolute origin.
    public let level: Int
    public let key: SIMD4<UInt32>
    /// Whether the key was drawn at random.
    public let isSecret: Bool

    /// With a key from the system's source of random numbers.
    ///
    /// - Parameter level: 0...15.
    public init(amplitude: Double, level: Int) {
        self.amplitude = amplitude
        self.level = min(max(level, 0), 15)
        key = SIMD4(.random(in: 0 ... .max), .random(in: 0 ... .max), .random(in: 0 ... .max), .random(in: 0 ... .max))
        isSecret = true
    }

    /// With a key that anyone has who guesses the seed: for pictures that are to come out alike.
    public init(amplitude: Double, level: Int, seed: UInt32) {
        self.amplitude = amplitude
        self.level = min(max(level, 0), 15)
        key = SIMD4(seed, 0, 0, 0)
        isSecret = false
    }

    /// For another picture: with a new key, if it is secret.
    public func redrawn() -> Scatter { isSecret ? Scatter(amplitude: amplitude, level: level) : self }

    /// The cell along an axis of a pixel, both modulo 2^32.
    public func cell(_ pixel: Int) -> Int { Int(Int32(truncatingIfNeeded: pixel) >> level) }

    /// For red, green and blue of a cell: in the middle of one of 65536 equal parts of plus and minus ``amplitude``.
    public func value(cellX: Int, cellY: Int) -> SIMD3<Double> {
        let (a, b) = enciphered(UInt32(truncatingIfNeeded: cellX), UInt32(truncatingIfNeeded: cellY))
        let bits = SIMD3(Double(a & 0xFFFF), Double(a >> 16), Double(b & 0xFFFF))
        return ((bits + 0.5) / 32768 - 1) * amplitude
    }

    /// XTEA, 32 cycles: Needham and Wheeler, "Tea extensions", 1997.
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
