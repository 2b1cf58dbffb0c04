/// The taps along one axis as texture fetches. Each fetch reads one texel, or mixes two neighbouring texels with the
/// device's linear filter, at an offset from the first texel's centre.
///
/// Two texels are mixed only if the interpolation fraction is a whole number of eighths. Devices usually store the fraction
/// in fixed point with 8 bits. A third would then be off by 1/768, however exact the other arithmetic is.
struct LinearFetches: Hashable {
    struct Fetch: Hashable {
        /// The offset from the first texel's centre, in texels.
        var offset: Float
        var weight: Float
    }

    /// The number of fetches of each phase.
    let count: Int
    /// The fetches: `count` consecutive values for each phase.
    let values: [Fetch]

    /// A single fetch of weight 1.
    static let identity = LinearFetches(count: 1, values: [Fetch(offset: 0, weight: 1)])

    /// Converts taps to fetches.
    ///
    /// - Parameters:
    ///   - weights: the weights: `count` consecutive taps for each phase.
    ///   - paired: whether neighbouring texels are mixed if possible.
    init(_ weights: ArraySlice<Float>, count: Int, paired: Bool) {
        let phases = stride(from: weights.startIndex, to: weights.endIndex, by: count).map {
            Self.fetches(weights[$0..<min($0 + count, weights.endIndex)], paired: paired)
        }
        let longest = phases.map(\.count).max() ?? 0
        self.init(
            count: longest,
            values: phases.flatMap { phase in
                phase + Array(repeating: Fetch(offset: 0, weight: 0), count: longest - phase.count)
            })
    }

    private init(count: Int, values: [Fetch]) {
        self.count = count
        self.values = values
    }

    private static func fetches(_ taps: ArraySlice<Float>, paired: Bool) -> [Fetch] {
        var fetches: [Fetch] = []
        var index = taps.startIndex
        while index < taps.endIndex {
            let offset = Float(index - taps.startIndex)
            if paired, index + 1 < taps.endIndex, let eighths = eighths(taps[index], taps[index + 1]) {
                fetches.append(Fetch(offset: offset + Float(eighths) / 8, weight: taps[index] + taps[index + 1]))
                index += 2
            } else {
                fetches.append(Fetch(offset: offset, weight: taps[index]))
                index += 1
            }
        }
        return fetches
    }

    /// Returns `second / (first + second)` in eighths, if it is a whole number from 1 to 7 and no sum is rounded; otherwise
    /// nil.
    private static func eighths(_ first: Float, _ second: Float) -> Int? {
        // The arithmetic in Double is exact, because products and sums of floats of similar magnitude have fewer than 53
        // bits.
        let (a, b) = (Double(first), Double(second))
        guard a > 0, b > 0, Double(first + second) == a + b else { return nil }
        return (1...7).first { 8 * b == Double($0) * (a + b) }
    }
}
