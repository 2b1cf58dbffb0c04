import FrostTestSupport
import Testing

@testable import FrostCore

struct KernelTests {
    static let sigmas = [0.2, 0.5, 1, 2.4, 8, 33.3, 400, 1000]

    @Test(
        "the sampled Gaussian sums to 1, is symmetric, falls from its middle and is cut at 6 sigma", arguments: sigmas)
    func sampledGaussian(_ sigma: Double) {
        let taps = SampledGaussian.taps(sigma: sigma)
        let radius = taps.count / 2
        #expect(taps.count % 2 == 1)
        #expect(Double(radius) >= 6 * sigma && Double(radius) < 6 * sigma + 1)
        #expect(abs(taps.reduce(0, +) - 1) < 1e-12)
        #expect(taps == Array(taps.reversed()))
        for i in 1...radius { #expect(taps[radius + i] < taps[radius + i - 1]) }
        // The ratios of the taps must equal those of exp(-x^2 / (2 sigma^2)). Ratios do not depend on the normalisation.
        let (one, two) = (taps[radius + 1] / taps[radius], taps[min(radius + 2, taps.count - 1)] / taps[radius])
        if radius >= 2, two > 1e-290 { #expect(abs(two / (one * one * one * one) - 1) < 1e-9) }
    }

    static let chains = [
        [], [4], [8], [4, 8], [6, 8], [8, 10], [4, 4, 8], [4, 6, 8], [4, 8, 10], [4, 4, 4, 4, 8],
    ]
    .map { ResamplingChain(orders: $0) }

    @Test("a binomial filter is a row of Pascal's triangle, exact in floats", arguments: [2, 4, 6, 8, 10])
    func binomial(_ count: Int) {
        let taps = ResamplingChain.binomial(count)
        var pascal = 1.0
        for (t, tap) in taps.enumerated() {
            #expect(tap * Double(1 << (count - 1)) == pascal)
            #expect(Double(Float(tap)) == tap)
            pascal = pascal * Double(count - 1 - t) / Double(t + 1)
        }
        #expect(taps.count == count)
    }

    @Test(
        "a chain as one filter sums to 1, has the sum of its levels' variances and is centred on its sample",
        arguments: chains)
    func composite(_ chain: ResamplingChain) {
        let (taps, start) = chain.composite
        #expect(abs(taps.reduce(0, +) - 1) < 1e-12)
        let mean = taps.indices.reduce(0) { $0 + taps[$1] * Double(start + $1) }
        let variance = taps.indices.reduce(0) {
            $0 + taps[$1] * (Double(start + $1) - mean) * (Double(start + $1) - mean)
        }
        // A binomial filter of n taps has the variance (n - 1) / 4, measured in samples of the level to which it is applied.
        // A sample of level l is 2^l pixels wide.
        let formula = chain.orders.enumerated().reduce(0) {
            $0 + Double($1.element - 1) / 4 * Double(1 << (2 * $1.offset))
        }
        #expect(abs(variance - formula) < 1e-9 * max(1, formula))
        #expect(abs(mean - Double(chain.factor - 1) / 2) < 1e-9 * Double(chain.factor))
    }

    @Test("a chain's autocorrelation is that of its filter", arguments: chains)
    func autocorrelation(_ chain: ResamplingChain) {
        let taps = chain.composite.taps
        let correlation = chain.autocorrelation
        #expect(correlation.count == 2 * taps.count - 1)
        for lag in stride(from: 0, to: taps.count, by: 1 + taps.count / 40) {
            let direct = (0..<taps.count - lag).reduce(0) { $0 + taps[$1] * taps[$1 + lag] }
            #expect(abs(correlation[taps.count - 1 + lag] - direct) < 1e-14)
            #expect(abs(correlation[taps.count - 1 - lag] - direct) < 1e-14)
        }
    }

    @Test(
        "a kernel's weights are its passes' response to an impulse, at every place and phase",
        arguments: chains.dropLast())
    func weights(_ chain: ResamplingChain) {
        let noise = SeededNoise(seed: 3)
        // The taps are asymmetric, so that the test detects a reversed kernel.
        let taps = (0..<5).map { Double(Float(noise.value($0, 0, 0) - 0.3)) }
        let operations = Self.operations(chain, taps.map { Float($0) })
        for phase in 0..<chain.factor {
            let (start, weights) = CompositeKernel(chain: chain, taps: taps).weights(phase: phase)
            for place in start - 3..<start + weights.count + 3 {
                let expected = InfiniteAxis(operations) { $0 == place ? 1 : 0 }.output(phase)
                let found = weights.indices.contains(place - start) ? weights[place - start] : 0
                #expect(abs(found - expected) < 1e-12, "phase \(phase), place \(place)")
            }
        }
    }

    @Test("the worst case is the largest over all phases, counted pixel by pixel", arguments: chains)
    func worstCase(_ chain: ResamplingChain) throws {
        let sigma = 1.6 * Double(chain.factor)
        let taps = try #require(LowResolutionFit.taps(sigma: sigma, chain: chain, radius: 3))
        let kernel = CompositeKernel(chain: chain, taps: taps)
        let gaussian = SampledGaussian.taps(sigma: sigma)
        var error = 0.0
        var norm = 0.0
        for phase in 0..<chain.factor {
            let (start, weights) = kernel.weights(phase: phase)
            var positive = 0.0
            var negative = 0.0
            let reach = gaussian.count / 2
            for x in min(start, phase - reach)..<max(start + weights.count, phase + reach + 1) {
                let have = weights.indices.contains(x - start) ? weights[x - start] : 0
                let want = abs(x - phase) <= reach ? gaussian[x - phase + reach] : 0
                if have > want { positive += have - want } else { negative += want - have }
            }
            error = max(error, positive, negative)
            norm = max(norm, weights.reduce(0) { $0 + abs($1) })
        }
        let found = kernel.worstCase(sigma: sigma)
        #expect(abs(found.error - error) < 1e-12)
        #expect(abs(found.norm - norm) < 1e-12)
    }

    @Test("fitted taps are symmetric, sum to 1 and give the Gaussian's variance", arguments: chains)
    func fit(_ chain: ResamplingChain) throws {
        for scale in [1.3, 2, 3.1] {
            let sigma = scale * Double(chain.factor)
            for radius in [2, 4, 8] {
                let taps = try #require(LowResolutionFit.taps(sigma: sigma, chain: chain, radius: radius))
                #expect(taps.count == 2 * radius + 1)
                #expect(taps == Array(taps.reversed()))
                #expect(abs(taps.reduce(0, +) - 1) < 1e-10)
                let variance = SigmaLaw.variance(CompositeKernel(chain: chain, taps: taps))
                let wanted = LowResolutionFit.secondMoment(SampledGaussian.taps(sigma: sigma))
                #expect(abs(variance / wanted - 1) < 1e-9)
            }
        }
    }

    @Test("a chain that adds more variance than the Gaussian has leaves no taps")
    func noFit() {
        let chain = ResamplingChain(orders: [4, 8])
        #expect(LowResolutionFit.taps(sigma: 2, chain: chain, radius: 3) == nil)
        #expect(LowResolutionFit.taps(sigma: 20, chain: chain, radius: 0) == nil)
    }

    @Test("division rounds down on both sides of zero")
    func floorDivision() {
        for a in -40...40 {
            for b in 1...9 {
                #expect(a.dividedDown(by: b) == Int((Double(a) / Double(b)).rounded(.down)))
                #expect(a.modulo(b) == a - b * a.dividedDown(by: b))
            }
        }
    }

    static func operations(_ chain: ResamplingChain, _ taps: [Float]) -> [Pass.Operation] {
        let filters = chain.orders.map { ResamplingChain.binomial($0).map { Float($0) } }
        return filters.map { .decimate(taps: $0) } + [.convolve(taps: taps)]
            + filters.reversed().map { .interpolate(taps: $0) }
    }
}
