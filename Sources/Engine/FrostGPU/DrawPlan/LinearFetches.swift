/// The taps of a filter along one axis, converted to texture fetches. A fetch either reads one texel, or it lets the
/// device's linear filter mix two neighbouring texels. The position of each fetch is an offset from the centre of the first
/// texel.
///
/// Two texels are mixed only if the interpolation fraction is a whole number of eighths. Devices usually store the fraction
/// in fixed point with 8 bits. A fraction of 1/3 would then have an error of 1/768, however exact the other arithmetic is.
struct LinearFetches: Hashable {
    struct Fetch: Hashable {
        /// The offset from the first texel's centre, in texels.
        var offset: Float
        var weight: Float
    }

    /// The number of fetches of each phase. A phase is one of the sets of taps that consecutive output texels use in turn.
    let count: Int
    /// The fetches: `count` consecutive values for each phase.
    let values: [Fetch]

    /// A single fetch of weight 1, which copies a texel unchanged.
    static let identity = LinearFetches(count: 1, values: [Fetch(offset: 0, weight: 1)])

    /// Converts taps to fetches.
    ///
    /// - Parameters:
    ///   - weights: the weights of the taps, with `count` consecutive values for each phase.
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

    /// Returns the fraction `second / (first + second)` as a number of eighths. Returns nil if this is not a whole number
    /// from 1 to 7, or if the sum of the two floats would be rounded.
    private static func eighths(_ first: Float, _ second: Float) -> Int? {
        // The arithmetic in Double is exact, because products and sums of floats of similar magnitude have fewer than 53
        // bits.
        let (a, b) = (Double(first), Double(second))
        guard a > 0, b > 0, Double(first + second) == a + b else { return nil }
        return (1...7).first { 8 * b == Double($0) * (a + b) }
    }
}
