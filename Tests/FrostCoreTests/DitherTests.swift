import Testing

@testable import FrostCore

/// The seeds for the tests below. They are declared outside the suite. If a suite's first test took its arguments from the
/// suite itself, the compiler would report a circular reference.
enum DitherSeeds {
    static let all: [UInt32] = Array(0..<64) + [.max, 0x8000_0000, 123_456_789]
}

/// Statistical laws that every dither table must obey.
struct DitherTests {
    /// The largest allowed difference between the distribution of 256 random numbers and the uniform distribution. By
    /// chance, about one table in 1400 exceeds it (Kolmogorov-Smirnov test: 2 / sqrt(256)).
    static let chance = 0.125

    /// Returns the dither offsets as fractions of a step.
    static func shares(_ seed: UInt32) -> [Double] {
        Dither(seed: seed).offsets.map { (Double($0) + 0.5) / 64 }
    }

    @Test("a period holds each offset of 4 to 59 about equally often", arguments: DitherSeeds.all)
    func uniform(_ seed: UInt32) {
        let offsets = Dither(seed: seed).offsets
        #expect(offsets.count == Dither.period)
        #expect(offsets.allSatisfy { (4...59).contains($0) })
        // A chi-square statistic over 56 values has a mean of 55 and a standard deviation of sqrt(110). The test allows 4.5
        // deviations above the mean.
        let expected = Double(Dither.period) / 56
        let square = (4...59).reduce(0.0) { sum, value in
            let miss = Double(offsets.count { $0 == UInt32(value) }) - expected
            return sum + miss * miss / expected
        }
        #expect(square < 55 + 4.5 * 10.5)
    }

    @Test("a flat surface keeps its mean over a period, whatever lies between two steps", arguments: DitherSeeds.all)
    func mean(_ seed: UInt32) {
        let shares = Self.shares(seed)
        // Values within 1/16 of a step from an integer are rounded as they are without dither.
        let bound = 1 / 16.0 + Self.chance
        var (worst, plain) = (0.0, 0.0)
        for step in 0...640 {
            let value = Double(step) / 640
            let mean = shares.reduce(0) { $0 + (value + $1).rounded(.down) } / Double(shares.count)
            worst = max(worst, abs(mean - value))
            plain = max(plain, abs(value.rounded() - value))
        }
        #expect(worst <= bound)
        #expect(plain > 2 * bound, "plain rounding would pass")
    }

    @Test("no period is shorter, and neighbours do not depend on each other", arguments: DitherSeeds.all)
    func correlation(_ seed: UInt32) {
        let shares = Self.shares(seed)
        let count = Double(shares.count)
        let mean = shares.reduce(0, +) / count
        let variance = shares.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
        for lag in 1..<Dither.period {
            let products = shares.indices.map {
                (shares[$0] - mean) * (shares[($0 + lag) % shares.count] - mean)
            }
            // The correlation of independent numbers has a standard deviation of 1/16. The test allows five deviations.
            #expect(abs(products.reduce(0, +) / count / variance) < 5 / 16.0, "\(lag) apart")
        }
    }

    @Test("rows begin anywhere in the period, and other seeds give other offsets", arguments: DitherSeeds.all)
    func starts(_ seed: UInt32) {
        let dither = Dither(seed: seed)
        var counts = [Int](repeating: 0, count: Dither.period)
        let rows = 64 * Dither.period
        for y in 0..<rows { counts[Int(dither.start(y: y)) % Dither.period] += 1 }
        // A chi-square statistic over 256 values has a mean of 255 and a standard deviation of sqrt(510). The test allows
        // 4.5 deviations above the mean.
        let square = counts.reduce(0.0) { $0 + (Double($1) - 64) * (Double($1) - 64) / 64 }
        #expect(square < 255 + 4.5 * 22.6)
        #expect(Dither(seed: seed &+ 1).offsets != dither.offsets)
    }

    @Test("all seeds together have no offset that is preferred")
    func seeds() {
        let shares = (0..<4096).map { Self.shares(UInt32($0)) }
        let deviations: Double = 5 * 0.875 / 12.0.squareRoot() / 64
        for place in stride(from: 0, to: Dither.period, by: 17) {
            // An offset that is uniform over 7/8 of a step has a standard deviation of 7/8 / sqrt(12). The mean over 4096
            // seeds has a standard deviation that is smaller by a factor of sqrt(4096) = 64. The test allows five
            // deviations.
            let mean = shares.reduce(0) { $0 + $1[place] } / 4096
            #expect(abs(mean - 0.5) < deviations, "place \(place)")
        }
    }
}
