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
    /// The origin of the cipher's key.
    public let key: Key

    /// Where the 128-bit key of a scatter comes from.
    public enum Key: Sendable, Hashable {
        /// Each rendering of a picture draws a new key from the system's random number generator. If two pictures had the
        /// same key, the offsets of a known picture would reveal the cells of the other one.
        case new
        /// A key that was drawn for one picture: see ``Effect/keyed()``.
        case drawn(SIMD4<UInt32>)
        /// The key depends only on the seed, for reproducible pictures. Anyone who guesses the seed has the key.
        case seed(UInt32)

        /// Whether nobody can guess the key.
        public var isSecret: Bool {
            switch self {
            case .new, .drawn: true
            case .seed: false
            }
        }
    }

    /// Creates a scatter.
    ///
    /// - Parameter level: 0...15.
    public init(amplitude: Double, level: Int, key: Key = .new) {
        self.amplitude = amplitude
        self.level = min(max(level, 0), 15)
        self.key = key
    }

    /// Returns the scatter for one picture: ``Key/new`` is replaced by the given key.
    func keyed(by key: SIMD4<UInt32>) -> Scatter {
        switch self.key {
        case .new: Scatter(amplitude: amplitude, level: level, key: .drawn(key))
        case .drawn, .seed: self
        }
    }

    /// Draws a key from the system's random number generator.
    package static func newKey() -> SIMD4<UInt32> {
        SIMD4(.random(in: 0 ... .max), .random(in: 0 ... .max), .random(in: 0 ... .max), .random(in: 0 ... .max))
    }

    /// The key of the cipher; for ``Key/new`` another one each time.
    package var cipherKey: SIMD4<UInt32> {
        switch key {
        case .new: Self.newKey()
        case .drawn(let key): key
        case .seed(let seed): SIMD4(seed, 0, 0, 0)
        }
    }

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
        let key = cipherKey
        var (a, b, sum) = (first, second, UInt32(0))
        for _ in 0..<32 {
            a = a &+ ((((b << 4) ^ (b >> 5)) &+ b) ^ (sum &+ key[Int(sum & 3)]))
            sum = sum &+ 0x9E37_79B9
            b = b &+ ((((a << 4) ^ (a >> 5)) &+ a) ^ (sum &+ key[Int(sum >> 11 & 3)]))
        }
        return (a, b)
    }
}
