import FrostCore

/// An interpolation along both axes, alike along both.
struct InterpolationTaps {
    /// In 65536ths: the weights of the first of the two outputs between the same samples.
    let taps: [UInt16]
    let half: Int

    init(taps: [UInt16], half: Int) { (self.taps, self.half) = (taps, half) }

    init(_ pass: Pass) {
        let taps = PolyphaseTaps(pass.operation)
        self.init(taps: taps.firstOfPair, half: taps.half)
    }
}

/// Which samples, along an axis, two interpolations make a pixel from.
///
/// Between n samples lie two outputs of the first interpolation, which are the samples of the second; between those lie
/// two pixels of the result, a *pair*, numbered by the first of its samples. A *square* of samples is what an output of the
/// first interpolation is made from, numbered by its first sample: one overlaps the next.
struct SampleGrid {
    /// Samples that an output of the first interpolation is made from, and of the second.
    let n: Int
    let secondN: Int
    private let half: Int
    private let secondHalf: Int

    /// - Parameter interpolations: two.
    init(_ interpolations: [InterpolationTaps]) {
        (n, half) = (interpolations[0].taps.count, interpolations[0].half)
        (secondN, secondHalf) = (interpolations[1].taps.count, interpolations[1].half)
    }

    /// The pair that a pixel of the result belongs to, and the first pixel of a pair.
    func pair(_ pixel: Int) -> Int { (pixel - secondHalf) >> 1 }
    func pixel(_ pair: Int) -> Int { 2 * pair + secondHalf }

    /// The square that an output of the first interpolation is made from, and the first output of a square.
    func square(_ between: Int) -> Int { (between - half) >> 1 }
    func between(_ square: Int) -> Int { 2 * square + half }

    /// The squares that a pair is made from.
    func squares(_ pair: Int) -> Range<Int> { square(pair)..<square(pair + secondN - 1) + 1 }

    /// The maximum number of squares that a pair is made from.
    var maximumSquares: Int { max(squares(0).count, squares(1).count) }
}
