/// Noise that depends on a seed and a place alone, so that every machine and every order of evaluation give the same.
/// A picture of it has all frequencies, so that a wrong pixel anywhere shows.
public struct SeededNoise: Sendable {
    private let seed: UInt64

    /// Any seed is as good as another.
    public init(seed: UInt64) { self.seed = seed }

    /// A number in 0..<1 for a sample's place.
    public func value(_ x: Int, _ y: Int, _ channel: Int) -> Double {
        Double(bits(x, y, channel) >> 11) * 0x1p-53
    }

    /// 64 bits for a sample's place, mixed from its coordinates by the finaliser of SplitMix64.
    public func bits(_ x: Int, _ y: Int, _ channel: Int) -> UInt64 {
        var z = seed &* 0xD134_2543_DE82_EF95
        for part in [x, y, channel] {
            z = SeededGenerator.mixed((z ^ UInt64(bitPattern: Int64(part))) &+ SeededGenerator.increment)
        }
        return z
    }
}

/// SplitMix64: a random generator that starts from a seed, for choosing test cases.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Any seed is as good as another.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= Self.increment
        return Self.mixed(state)
    }

    /// Uniform in 0..<1.
    public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Uniform in -1..<1.
    public mutating func signed() -> Double { Double(next() >> 11) * 0x1p-52 - 1 }

    /// A value that is off by up to `share` of itself.
    public mutating func around(_ value: Double, _ share: Double) -> Double { value * (1 + share * signed()) }

    fileprivate static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The finaliser of SplitMix64.
    fileprivate static func mixed(_ bits: UInt64) -> UInt64 {
        var z = bits
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
