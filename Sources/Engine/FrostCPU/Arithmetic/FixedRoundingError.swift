import CFrostKernels
import FrostCore

/// An interval that contains the difference between a plan's result in fixed point and in real numbers.
///
/// All filters have weights of at least 0 whose sum is 1. A filter therefore does not amplify the error of an earlier
/// filter, and the error intervals of all filters add up. The formulas of the filters are in CFrostKernels.h. Their
/// errors, in 1/256 of an 8-bit step, are:
///
/// - avg rounds up by at most 1/2. An average of averages rounds up by at most another 1/2.
/// - Each mul rounds down by less than 1, so a sum of n products is too low by less than n. The constant term of the
///   formula compensates for about half of this.
struct FixedRoundingError: Equatable {
    /// The deepest level that uses fixed point: levels 0 to `level` use it.
    private(set) var level = 0
    /// Whether the convolution at the lowest resolution uses fixed point.
    private(set) var convolves = false
    private var low = 0.0
    private var high = 0.0

    /// The maximum magnitude of the error, in 8-bit steps.
    var steps: Double { max(-low, high) / 256 }

    /// The deepest level that may use fixed point. Deeper levels have at most 1/64 of the pixels, so fixed point would
    /// save almost no time there but would add rounding errors.
    private static let deepest = 2

    /// The maximum error of premultiplication, in 8-bit steps: it rounds c a / 255 down.
    static let premultiplication = 1.01 / 256

    /// Returns the choices of the passes that run in fixed point, those with the most passes first.
    static func choices(_ plan: Plan, straight: Bool) -> [FixedRoundingError] {
        if case .kernel2D(let kernel) = plan.work {
            return FixedRoundingError(kernel, straight: straight).map { [$0] } ?? []
        }
        return [(deepest, true), (deepest, false), (1, false)].compactMap { level, convolves in
            FixedRoundingError(plan, straight: straight, deepest: level, convolves: convolves)
        }
    }

    /// Determines which passes of a plan can run in fixed point, and bounds their rounding errors.
    ///
    /// - Parameters:
    ///   - straight: whether the source has straight alpha, so that pixels are premultiplied when they are read.
    ///   - deepest: the deepest level that may use fixed point.
    ///   - mayConvolve: whether the convolution at the lowest resolution may use fixed point.
    /// - Returns: nil if no pass of the plan can run in fixed point.
    init?(_ plan: Plan, straight: Bool, deepest: Int = deepest, convolves mayConvolve: Bool = true) {
        // The loop covers the decimations along both axes, from the finest level on. Each pair of decimations has a
        // matching pair of interpolations later in the plan, so their errors are added here too.
        var rest = plan.passes[...]
        while level < deepest, let step = Self.step(rest), case .decimation(let y, _) = step {
            let n = y.operation.taps.count
            // The decimation of bytes along y is exact.
            if level > 0 || straight { add(Self.decimation(n)) }
            add(Self.decimation(n))
            add(Self.interpolation((n + 1) / 2))
            add(Self.interpolation((n + 1) / 2))
            level += 1
            rest = rest.dropFirst(2)
        }
        if mayConvolve, case .convolution(let x, let y)? = Self.step(rest), let x = FixedTaps(x.operation.taps),
            let y = FixedTaps(y.operation.taps)
        {
            convolves = true
            add(x.roundingError)
            add(y.roundingError)
        } else if level > 0 {
            // The conversion from floats rounds to the nearest number.
            add((-0.5, 0.5))
        } else {
            return nil
        }
        if straight { add((-256 * Self.premultiplication, 0)) }
        // A lens rounds to the nearest number.
        if case .refraction = plan.work { add((-0.5, 0.5)) }
    }

    /// The maximum error of a conversion from floats, which rounds to the nearest number, in 8-bit steps.
    static let conversion = 0.5 / 256

    /// The maximum error of a mixture of two levels, in 8-bit steps. The two products are too low by less than 1/256 of a
    /// step each, but with opposite signs, and the weights have an error of at most 1/65536.
    static let mixture = 2.0 / 256

    private static func step(_ passes: ArraySlice<Pass>) -> ChainStep? {
        guard let first = passes.first, let second = passes.dropFirst().first else { return nil }
        return ChainStep(first, second, convolves: true)
    }

    /// Creates an interval in 1/256 of a step.
    init(_ interval: (low: Double, high: Double)) { add(interval) }

    mutating func add(_ interval: (low: Double, high: Double)) {
        low += interval.low
        high += interval.high
    }

    static func decimation(_ n: Int) -> (low: Double, high: Double) {
        n == 4 ? (0, 1.25) : (Double(n / 4 - (n + 1) / 2), Double(n / 4) + 0.5)
    }

    static func interpolation(_ n: Int) -> (low: Double, high: Double) {
        n == 2 ? (0, 0.75) : (Double(n / 2 - n), Double(n / 2))
    }
}

/// The taps of a symmetric filter in fixed point.
struct FixedTaps: Equatable {
    /// The weights in 1/65536. The first weight belongs to the centre sample. Each following weight belongs to the
    /// average of two samples at equal distances from the centre, from the centre outwards. The sum of the weights is
    /// exactly 65536.
    let weights: [UInt16]
    /// The interval of the error that the filter adds, in 1/256 of an 8-bit step.
    let roundingError: (low: Double, high: Double)

    var radius: Int { weights.count - 1 }

    /// Returns nil if there are too many taps, or if taps are negative or too large for 16 bits.
    init?(_ taps: [Float]) {
        let radius = taps.count / 2
        guard taps.count & 1 == 1, radius <= Int(FROST_MAXIMUM_RADIUS), taps.allSatisfy({ $0 >= 0 && $0 < 1 }) else {
            return nil
        }
        let exact = [Double(taps[radius])] + taps[(radius + 1)...].map { 2 * Double($0) }
        var rounded = exact.map { Int(($0 * 65536).rounded()) }
        rounded[0] = 65536 - rounded.dropFirst().reduce(0, +)
        weights = rounded.compactMap { UInt16(exactly: $0) }
        guard weights.count == rounded.count else { return nil }
        // The error is largest for one of two images. The first image is full scale at all samples whose rounded weight
        // is too large, and 0 at all other samples. The second image is the reverse.
        let differences = zip(rounded, exact).map { Double($0) / 65536 - $1 }
        let above = differences.reduce(0) { $0 + max(0, $1) } * 65280
        let below = differences.reduce(0) { $0 + min(0, $1) } * 65280
        let constant = Double((radius + 1) / 2)
        roundingError = (below + constant - Double(radius + 1), above + constant + 0.5)
    }

    static func == (a: Self, b: Self) -> Bool { a.weights == b.weights }
}
