@testable import FrostGPU
import FrostCore
import Testing

/// Tests how filter taps are converted to linear texture fetches. The tests need no GL.
@Suite struct LinearFetchesTests {
    private func fetches(_ operation: Pass.Operation) throws -> LinearFetches {
        let taps = try ShaderTaps(operation)
        return LinearFetches(taps.weights[...], count: taps.count, paired: true)
    }

    /// Returns two numbers for each fetch: its offset in units of 1/8 texel, and its weight in units of 1/128.
    private func numbers(_ fetches: LinearFetches) -> [[Float]] {
        fetches.values.map { [$0.offset * 8, $0.weight * 128] }
    }

    @Test func binomialDecimationsArePairs() throws {
        let four = try fetches(.decimate(taps: Plans.four))
        #expect(numbers(four) == [[6, 64], [18, 64]])
        let eight = try fetches(.decimate(taps: Plans.eight))
        #expect(numbers(eight) == [[7, 8], [21, 56], [35, 56], [49, 8]])
    }

    @Test func interpolationByFourTapsIsOneFetch() throws {
        let four = try fetches(.interpolate(taps: Plans.four))
        #expect(four.count == 1)
        #expect(numbers(four) == [[6, 128], [2, 128]])
        // In one phase the taps have the weights 1, 21, 35 and 7; in the other phase the order is reversed. The two middle
        // taps become one fetch. Each of the outer taps is a fetch of its own.
        let eight = try fetches(.interpolate(taps: Plans.eight))
        #expect(eight.count == 3)
        #expect(numbers(eight) == [[0, 2], [13, 112], [24, 14], [0, 14], [11, 112], [24, 2]])
    }

    /// Two taps can become one fetch only if the position of this fetch between the two texels is a multiple of 1/8 texel.
    /// Taps with negative weights are never paired.
    @Test func onlyEighthsArePaired() throws {
        for taps: [Float] in [[1, 5, 10, 5, 1], [1, 2, 4], [0.3, 0.4, 0.3], [-1, 3, -1], [0, 1, 0]] {
            #expect(try fetches(.convolve(taps: taps)).count == taps.count, "\(taps)")
        }
        let six: [Float] = [1, 5, 10, 10, 5, 1].map { $0 / 32 }
        #expect(numbers(try fetches(.decimate(taps: six))) == [[0, 4], [8, 20], [20, 80], [32, 20], [40, 4]])
    }

    /// A fetch spreads its weight over two neighbouring texels. For each texel, the sum of these shares over all fetches
    /// must be exactly the weight of the texel's tap.
    @Test func fetchesStandForTheTaps() throws {
        let operations: [Pass.Operation] = [
            .decimate(taps: Plans.four), .decimate(taps: Plans.eight), .interpolate(taps: Plans.four),
            .interpolate(taps: Plans.eight), .convolve(taps: Plans.skewed(5)), .convolve(taps: [0.25, 0.5, 0.25]),
        ]
        for operation in operations {
            let taps = try ShaderTaps(operation)
            for paired in [true, false] {
                let fetches = LinearFetches(taps.weights[...], count: taps.count, paired: paired)
                for phase in 0..<taps.weights.count / taps.count {
                    var sums = [Float](repeating: 0, count: taps.count + 1)
                    for fetch in fetches.values[phase * fetches.count..<(phase + 1) * fetches.count] {
                        let texel = Int(fetch.offset)
                        let part = fetch.offset - Float(texel)
                        sums[texel] += fetch.weight * (1 - part)
                        sums[texel + 1] += fetch.weight * part
                    }
                    #expect(sums.dropLast() == taps.weights[phase * taps.count..<(phase + 1) * taps.count])
                }
            }
        }
    }

    @Test func theProfileIsExactOnSoftwareUnlessAskedFor() {
        func resolve(_ profile: FilterProfile, _ isSoftware: Bool, _ variable: String?) -> FilterProfile {
            profile.resolve(isSoftware: isSoftware) { $0 == "FROST_GPU_FILTER" ? variable : nil }
        }
        #expect(resolve(.automatic, true, nil) == .exact)
        #expect(resolve(.automatic, false, nil) == .fast)
        #expect(resolve(.automatic, true, "fast") == .fast)
        #expect(resolve(.automatic, false, "exact") == .exact)
        #expect(resolve(.automatic, true, "nonsense") == .exact)
        #expect(resolve(.exact, false, "fast") == .exact)
        #expect(resolve(.fast, true, "exact") == .fast)
    }
}
