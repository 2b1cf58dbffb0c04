import FrostCore

/// The taps of an interpolation along both axes. Both axes have the same filter.
struct InterpolationTaps {
    /// The weights in 1/65536, for the first of the two outputs that are computed from the same samples.
    let taps: [UInt16]
    let half: Int

    init(taps: [UInt16], half: Int) { (self.taps, self.half) = (taps, half) }

    init(_ pass: Pass) {
        let taps = PolyphaseTaps(pass.operation)
        self.init(taps: taps.firstOfPair, half: taps.half)
    }
}

/// Determines which samples along one axis two consecutive interpolations read for a pixel of the result.
///
/// The first interpolation computes two outputs from n neighbouring samples. Its outputs are the samples of the second
/// interpolation, which computes two pixels of the result from its samples: a *pair*, numbered by the first of these
/// samples. A *square* is the group of samples that an output of the first interpolation is computed from, numbered by
/// its first sample. Consecutive squares overlap.
struct SampleGrid {
    /// The number of samples from which one output is computed: `n` for the first interpolation, `secondN` for the
    /// second.
    let n: Int
    let secondN: Int
    private let half: Int
    private let secondHalf: Int

    /// Creates the grid of two consecutive interpolations.
    ///
    /// - Parameter interpolations: the first and the second interpolation.
    init(_ interpolations: [InterpolationTaps]) {
        (n, half) = (interpolations[0].taps.count, interpolations[0].half)
        (secondN, secondHalf) = (interpolations[1].taps.count, interpolations[1].half)
    }

    /// The conversions between pixels and pairs: the pair that a pixel of the result belongs to, and the first pixel of
    /// a pair.
    func pair(_ pixel: Int) -> Int { (pixel - secondHalf) >> 1 }
    func pixel(_ pair: Int) -> Int { 2 * pair + secondHalf }

    /// Returns the square from which an output of the first interpolation is computed.
    func square(_ between: Int) -> Int { (between - half) >> 1 }
    /// Returns the first output that the first interpolation computes from a square.
    func between(_ square: Int) -> Int { 2 * square + half }

    /// Returns the squares from which the pair with the given number is computed.
    func squares(_ pair: Int) -> Range<Int> { square(pair)..<square(pair + secondN - 1) + 1 }

    /// The number of squares from which a pair is computed: the maximum over all pairs.
    var maximumSquares: Int { max(squares(0).count, squares(1).count) }
}
