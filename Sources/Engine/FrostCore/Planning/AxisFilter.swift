import FrostThreads
import Glibc

/// The filter of a Gaussian blur along one axis: decimation through a chain, taps at low resolution, then
/// interpolation.
struct AxisFilter: Hashable {
    let chain: ResamplingChain
    /// The low-resolution taps, rounded to Float as the backends use them.
    let taps: [Float]
    /// The worst error over all signals in 0...1, as a fraction of full scale: see
    /// ``CompositeKernel/worstCase(sigma:)``.
    let error: Double
    /// The sum of the absolute values of the filter's weights, for the output pixel at which this sum is largest.
    let norm: Double
}

extension AxisFilter {
    /// Returns the cheapest filter with a worst error of at most `budget`, as a fraction of full scale. Its chain is one
    /// ``ResamplingChain/betweenPixels`` if that is asked for.
    ///
    /// A filter at a lower resolution is always cheaper. So the search begins at the lowest resolution. At each
    /// resolution, it tries the chain with the fewest taps first. If no chain keeps the budget, the result is a direct
    /// filter at full resolution: its taps are those of the sampled Gaussian. Its only error is the rounding of the
    /// taps to Float, so it keeps every allowed budget.
    ///
    /// The function is pure. Results are cached, because the computation of the worst error takes milliseconds at the
    /// lowest resolutions.
    ///
    /// Thread safety: may be called from any thread.
    static func make(sigma: Double, budget: Double, betweenPixels: Bool = false) -> AxisFilter {
        let key = CacheKey(sigma: sigma, budget: budget, betweenPixels: betweenPixels)
        if let known = cache.withLock({ $0[key] }) { return known }
        let filter = search(key)
        return cache.withLock {
            // Another thread may have made the same filter meanwhile. All plans share one copy of its taps.
            if let known = $0[key] { return known }
            // A full cache is simply cleared. A render loop uses only a few sigmas, and an animation uses each sigma
            // only once. No order of eviction would be better for both.
            if $0.count >= 256 { $0.removeAll(keepingCapacity: true) }
            $0[key] = filter
            return filter
        }
    }

    private struct CacheKey: Hashable {
        let sigma, budget: Double
        let betweenPixels: Bool
    }
    private static let cache = Lock<[CacheKey: AxisFilter]>([:])

    /// The minimum sigma in low-resolution samples. With a smaller sigma no chain keeps even the 8-bit budget
    /// (docs/internals/Accuracy.md).
    private static let smallestLowSigma = 1.2

    private static func search(_ key: CacheKey) -> AxisFilter {
        let (sigma, budget) = (key.sigma, key.budget)
        let deepest = sigma < 2 * smallestLowSigma ? 0 : Int(log2(sigma / smallestLowSigma))
        for level in (0...deepest).reversed() {
            for chain in chains(level: level, budget: budget) {
                let chain = key.betweenPixels ? chain.betweenPixels : chain
                if let filter = fit(sigma: sigma, chain: chain, budget: budget) { return filter }
            }
        }
        let direct = SampledGaussian.taps(sigma: sigma)
        return measured(sigma: sigma, chain: ResamplingChain(orders: []), taps: direct)
    }

    /// Returns the chains to try at a level, the cheapest chain first. The coarsest decimation causes most of the
    /// error. Relative to its sampling, the signal of each finer decimation is twice as smooth, so finer decimations
    /// need fewer taps.
    ///
    /// A single decimation by 10 to 14 taps pays only for small budgets, where a direct filter has many taps. The 8-bit
    /// budget allows short direct filters, and fixed point has no decimation by more than 8 taps.
    private static func chains(level: Int, budget: Double) -> [ResamplingChain] {
        guard level > 0 else { return [ResamplingChain(orders: [])] }
        let isSmall = budget < Accuracy.eightBit.errorBudget / 255 / 4
        let coarsest = [[8], [6, 8], [8, 10]] + (level == 1 && isSmall ? [[10], [12], [14]] : [])
        return coarsest.filter { $0.count <= level }.map { coarse in
            ResamplingChain(orders: [Int](repeating: 4, count: level - coarse.count) + coarse)
        }
    }

    /// Returns the filter that keeps the budget with this chain and has the fewest taps; nil if no number of taps keeps
    /// the budget.
    private static func fit(sigma: Double, chain: ResamplingChain, budget: Double) -> AxisFilter? {
        let lowSigma = sigma / Double(chain.factor)
        // Nearly all of a deep chain's error comes from its coarsest four levels. So the search for the number of taps
        // uses only these levels, which is cheap. The whole chain then confirms the number.
        let coarse = ResamplingChain(orders: Array(chain.orders.suffix(4)))
        let coarseSigma = lowSigma * Double(coarse.factor)
        for radius in max(1, Int(2 * lowSigma))...Int(6 * lowSigma) + 2 {
            guard let trial = LowResolutionFit.taps(sigma: coarseSigma, chain: coarse, radius: radius) else { continue }
            guard measured(sigma: coarseSigma, chain: coarse, taps: trial).error <= budget else { continue }
            if coarse == chain { return measured(sigma: sigma, chain: chain, taps: trial) }
            guard let taps = LowResolutionFit.taps(sigma: sigma, chain: chain, radius: radius) else { continue }
            let filter = measured(sigma: sigma, chain: chain, taps: taps)
            if filter.error <= budget { return filter }
        }
        return nil
    }

    private static func measured(sigma: Double, chain: ResamplingChain, taps: [Double]) -> AxisFilter {
        let rounded = taps.map { Float($0) }
        let worst = CompositeKernel(chain: chain, taps: rounded.map { Double($0) }).worstCase(sigma: sigma)
        return AxisFilter(chain: chain, taps: rounded, error: worst.error, norm: worst.norm)
    }
}
