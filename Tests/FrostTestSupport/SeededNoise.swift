/// Noise that depends only on a seed and a position, so that every machine and every order of evaluation gives the same
/// values. A noise image contains all frequencies, so a wrong pixel at any position is visible.
public struct SeededNoise: Sendable {
    private let seed: UInt64

    /// Creates noise from a seed. Different seeds give unrelated noise of the same quality.
    public init(seed: UInt64) { self.seed = seed }

    /// Returns a number in 0..<1 for a sample's position.
    public func value(_ x: Int, _ y: Int, _ channel: Int) -> Double {
        Double(bits(x, y, channel) >> 11) * 0x1p-53
    }

    /// Returns 64 random bits for a sample's position. The coordinates are mixed by the last step (finaliser) of SplitMix64.
    public func bits(_ x: Int, _ y: Int, _ channel: Int) -> UInt64 {
        var z = seed &* 0xD134_2543_DE82_EF95
        for part in [x, y, channel] {
            z = SeededGenerator.mixed((z ^ UInt64(bitPattern: Int64(part))) &+ SeededGenerator.increment)
        }
        return z
    }
}

/// The random number generator SplitMix64, started from a seed. It serves to choose test cases.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator from a seed. Different seeds give unrelated sequences of the same quality.
    public init(seed: UInt64) { state = seed }

    /// Returns the next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= Self.increment
        return Self.mixed(state)
    }

    /// Returns a uniform random number in 0..<1.
    public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns a uniform random number in -1..<1.
    public mutating func signed() -> Double { Double(next() >> 11) * 0x1p-52 - 1 }

    /// Returns the value changed by a random amount of up to `share` times the value, in either direction.
    public mutating func around(_ value: Double, _ share: Double) -> Double { value * (1 + share * signed()) }

    fileprivate static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The last step (finaliser) of SplitMix64: a bijective function that mixes 64 bits.
    fileprivate static func mixed(_ bits: UInt64) -> UInt64 {
        var z = bits
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
