/// Pseudo-random offsets that cannot be computed without a key. Each cell has one offset for red, one for green and one
/// for blue.
///
///     code = E(cell)                     in the frames of a stream, and with a seed
///     code = E(E(cell) xor mean)         in still pictures
///     offset = amplitude ((16 bits of code + 1/2) / 2^15 - 1)
///
/// E is the block cipher XTEA with a key of 128 bits, `cell` the position of the cell, and `mean` its colour in 8 bits per
/// channel. Whoever knows some offsets, however many, still cannot compute another.
///
/// No number of looks at the same cell may reveal more than one look, because the mean of many results with different
/// offsets is the hidden colour. So a result must not have new offsets while the cell is the same. In a still picture, equal
/// colours of a cell have equal offsets, and the known picture of someone else, whose cells have other colours, does not
/// reveal them. In a stream, colours flicker, and each would have an offset of its own; so the colour does not count there.
public struct Scatter: Sendable, Hashable {
    /// The maximum deviation, as a fraction of full scale.
    public var amplitude: Double
    /// The base-2 logarithm of a cell's side in pixels. Cells are squares at multiples of their side from the absolute
    /// origin.
    public let level: Int
    /// The origin of the cipher's key.
    public private(set) var key: Key
    /// The pixels of the cells that have numbers of their own, as a rectangle; nil for all. Other pixels belong to the nearest of
    /// these cells, as in a ``Mosaic``. Planning an effect sets them.
    package var bounds: Rect?

    /// Where the 128-bit key of a scatter comes from, and whether the colour of a cell counts.
    public enum Key: Sendable, Hashable {
        /// The key of what renders the picture: see ``Effect/keyed(by:for:)``.
        case unset
        /// A secret key for still pictures.
        case pictures(SecretKey)
        /// A secret key for the frames of a stream.
        case frames(SecretKey)
        /// The key depends only on the seed, for reproducible pictures. Anyone who guesses the seed has the key.
        case seed(UInt32)

        /// Whether nobody can guess the key.
        public var isSecret: Bool {
            switch self {
            case .unset, .pictures, .frames: true
            case .seed: false
            }
        }
    }

    /// What a picture belongs to.
    public enum Use: Sendable, Hashable {
        /// A still picture.
        case pictures
        /// The frames of a video or of a screen.
        case frames
    }

    /// Creates a scatter.
    ///
    /// - Parameter level: 0...15.
    public init(amplitude: Double, level: Int, key: Key = .unset) {
        self.amplitude = amplitude
        self.level = min(max(level, 0), 15)
        self.key = key
    }

    /// Returns the scatter for some pictures: ``Key/unset`` is replaced by the given key.
    func keyed(by key: SecretKey, for use: Use) -> Scatter {
        switch (self.key, use) {
        case (.unset, .pictures): with(.pictures(key))
        case (.unset, .frames): with(.frames(key))
        case (.pictures, _), (.frames, _), (.seed, _): self
        }
    }

    /// Returns the scatter for a rectangle of a picture.
    func keyed(at rect: Rect) -> Scatter {
        func derived(_ key: SecretKey) -> SecretKey {
            key.derived(UInt32(truncatingIfNeeded: rect.x), UInt32(truncatingIfNeeded: rect.y))
        }
        return switch key {
        case .pictures(let key): with(.pictures(derived(key)))
        case .frames(let key): with(.frames(derived(key)))
        case .unset, .seed: self
        }
    }

    private func with(_ key: Key) -> Scatter {
        var scatter = self
        scatter.key = key
        return scatter
    }

    /// The key of the cipher. Stills and frames with the same secret key have different keys here.
    package var cipherKey: SIMD4<UInt32> {
        switch key {
        case .unset: SecretKey.process.derived(0, 0).words
        case .pictures(let key): key.derived(1, 0).words
        case .frames(let key): key.derived(2, 0).words
        case .seed(let seed): SIMD4(seed, 0, 0, 0)
        }
    }

    /// Whether the colour of a cell counts.
    package var dependsOnColor: Bool {
        switch key {
        case .pictures: true
        case .unset, .frames, .seed: false
        }
    }

    /// Returns the index of a pixel's cell along an axis. The indices of pixels and cells are taken modulo 2^32.
    public func cell(_ pixel: Int, along axis: Axis) -> Int {
        let pixel = bounds.map { min(max(pixel, $0[axis].lowerBound), $0[axis].upperBound - 1) } ?? pixel
        return Int(Int32(truncatingIfNeeded: pixel) >> level)
    }

    /// Returns the offsets of a cell's red, green and blue. Each offset is the centre of one of 65536 equal parts of
    /// the range from minus to plus ``amplitude``.
    ///
    /// - Parameters:
    ///   - color: the colour of the cell, in 0...1.
    ///   - key: ``cipherKey``, which callers compute once for many cells.
    package func value(cellX: Int, cellY: Int, color: SIMD3<Double>, key: SIMD4<UInt32>) -> SIMD3<Double> {
        var code = XTEA.encrypt(UInt32(truncatingIfNeeded: cellX), UInt32(truncatingIfNeeded: cellY), key)
        if dependsOnColor { code = XTEA.encrypt(code.0 ^ Self.rounded(color), code.1, key) }
        let bits = SIMD3(Double(code.0 & 0xFFFF), Double(code.0 >> 16), Double(code.1 & 0xFFFF))
        return ((bits + 0.5) / 32768 - 1) * amplitude
    }

    /// Returns a colour with 8 bits per channel, red in the lowest.
    package static func rounded(_ color: SIMD3<Double>) -> UInt32 {
        let steps = SIMD3<UInt32>(
            (color.clamped(lowerBound: .zero, upperBound: .one) * 255 + 0.5).rounded(.towardZero))
        return steps.x | steps.y << 8 | steps.z << 16
    }
}
