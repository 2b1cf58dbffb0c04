import FrostCore

/// The maximum difference between a plan's result in fixed point and in real numbers.
///
/// All filters have weights of at least 0 whose sum is 1. So a filter does not amplify the error of an earlier one, and
/// the error intervals add up. In 256ths of a step, with the formulas of CFrostKernels.h:
///
/// - avg rounds up by at most 1/2; an average of averages by at most 1/2 more.
/// - Each mul rounds down by less than 1, so a sum of n products is too low by less than n. The constant term of the
///   formula adds about half of that.
struct FixedRoundingError: Equatable {
    /// Levels 0 to this one are fixed point.
    private(set) var level = 0
    /// Whether the low-resolution filter is, too.
    private(set) var convolves = false
    private var low = 0.0
    private var high = 0.0

    /// The worst case, in steps of 8 bits.
    var steps: Double { max(-low, high) / 256 }

    /// Deeper levels have a 64th of the pixels: fixed point gains nothing there, and would add roundings.
    private static let deepest = 2

    /// - Parameter straight: pixels are premultiplied as they are read.
    /// - Returns: nil if no pass of the plan can be computed this way.
    init?(_ plan: Plan, straight: Bool) {
        // Decimations along both axes from the finest level on; the interpolations mirror them.
        guard case .passes(let passes) = plan.work else { return nil }
        var rest = passes.list[...]
        while level < Self.deepest, let step = Self.step(rest), case .decimation(let y, _) = step {
            let n = y.operation.taps.count
            // Sums of bytes are exact.
            if level > 0 || straight { add(Self.decimation(n)) }
            add(Self.decimation(n))
            add(Self.interpolation(n / 2))
            add(Self.interpolation(n / 2))
            level += 1
            rest = rest.dropFirst(2)
        }
        if case .convolution(let x, let y)? = Self.step(rest), let x = FixedTaps(x.operation.taps),
            let y = FixedTaps(y.operation.taps)
        {
            convolves = true
            add(x.roundingError)
            add(y.roundingError)
        } else if level > 0 {
            // From floats.
            add((-0.5, 0.5))
        } else {
            return nil
        }
        // c a / 255 is cut off.
        if straight { add((-1.01, 0)) }
    }

    private static func step(_ passes: ArraySlice<Pass>) -> ChainStep? {
        guard let first = passes.first, let second = passes.dropFirst().first else { return nil }
        return ChainStep(first, second, convolves: true)
    }

    private mutating func add(_ interval: (low: Double, high: Double)) {
        low += interval.low
        high += interval.high
    }

    static func decimation(_ n: Int) -> (low: Double, high: Double) {
        n == 4 ? (0, 1.25) : (Double(n / 4 - n / 2), Double(n / 4) + 0.5)
    }

    static func interpolation(_ n: Int) -> (low: Double, high: Double) {
        n == 2 ? (0, 0.75) : (Double(n / 2 - n), Double(n / 2))
    }
}

/// The taps of a symmetric filter for fixed-point numbers.
struct FixedTaps: Equatable {
    /// In 65536ths: of the centre, and of the averages of two numbers from there outwards. Their sum is exactly 65536.
    let weights: [UInt16]
    /// The worst error that the filter adds, in 256ths of a step.
    let roundingError: (low: Double, high: Double)

    var radius: Int { weights.count - 1 }

    /// Beyond this a direct filter costs more than any other.
    private static let maximumRadius = 12

    /// Nil for taps that are too many, negative or too large for 16 bits.
    init?(_ taps: [Float]) {
        let radius = taps.count / 2
        guard taps.count & 1 == 1, radius <= Self.maximumRadius, taps.allSatisfy({ $0 >= 0 && $0 < 1 }) else {
            return nil
        }
        let exact = [Double(taps[radius])] + taps[(radius + 1)...].map { 2 * Double($0) }
        var rounded = exact.map { Int(($0 * 65536).rounded()) }
        rounded[0] = 65536 - rounded.dropFirst().reduce(0, +)
        weights = rounded.compactMap { UInt16(exactly: $0) }
        guard weights.count == rounded.count else { return nil }
        // The worst image is full scale wherever the rounded weights are larger, or wherever they are smaller.
        let differences = zip(rounded, exact).map { Double($0) / 65536 - $1 }
        let above = differences.reduce(0) { $0 + max(0, $1) } * 65280
        let below = differences.reduce(0) { $0 + min(0, $1) } * 65280
        let constant = Double((radius + 1) / 2)
        roundingError = (below + constant - Double(radius + 1), above + constant + 0.5)
    }

    static func == (a: Self, b: Self) -> Bool { a.weights == b.weights }
}
