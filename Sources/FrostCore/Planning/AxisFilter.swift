import Glibc
import Synchronization

/// The filter of a Gaussian blur along one axis: decimation through a chain, taps at low resolution, then
/// interpolation.
struct AxisFilter: Hashable {
    let chain: ResamplingChain
    /// The low-resolution taps, rounded to Float as the backends use them.
    let taps: [Float]
    /// The worst error over all signals in 0...1, as a fraction of full scale: see
    /// ``CompositeKernel/worstCase(sigma:)``.
    let error: Double
    /// The largest sum of absolute weights of the filter, over all output pixels.
    let norm: Double
}

extension AxisFilter {
    /// Returns the cheapest filter with a worst error of at most `budget`, as a fraction of full scale.
    ///
    /// Lower resolution is always cheaper. So the search begins at the lowest resolution, and tries the chains of each
    /// level from the shortest. If no chain keeps the budget, the result is a direct filter at full resolution. Its
    /// taps reach as far as the Gaussian is defined. Its only error is the rounding of the taps to Float, so it keeps
    /// every allowed budget.
    ///
    /// The function is pure. Results are cached, because the computation of the worst error takes milliseconds at the
    /// lowest resolutions.
    ///
    /// Thread safety: may be called from any thread.
    static func make(sigma: Double, budget: Double) -> AxisFilter {
        let key = CacheKey(sigma: sigma, budget: budget)
        if let known = cache.withLock({ $0[key] }) { return known }
        let made = search(sigma: sigma, budget: budget)
        cache.withLock {
            // A render loop uses a few sigmas, and an animation uses each sigma once. No order of eviction is better
            // for both than clearing the cache.
            if $0.count >= 256 { $0.removeAll(keepingCapacity: true) }
            $0[key] = made
        }
        return made
    }

    private struct CacheKey: Hashable { let sigma, budget: Double }
    private static let cache = Mutex<[CacheKey: AxisFilter]>([:])

    /// The minimum sigma in low-resolution samples. With a smaller sigma no chain keeps even the 8-bit budget
    /// (docs/Accuracy.md).
    private static let smallestLowSigma = 1.2

    private static func search(sigma: Double, budget: Double) -> AxisFilter {
        let deepest = sigma < 2 * smallestLowSigma ? 0 : Int(log2(sigma / smallestLowSigma))
        for level in (0...deepest).reversed() {
            for chain in chains(level: level) {
                if let filter = fit(sigma: sigma, chain: chain, budget: budget) { return filter }
            }
        }
        let direct = SampledGaussian.taps(sigma: sigma)
        return measured(sigma: sigma, chain: ResamplingChain(orders: []), taps: direct)
    }

    /// Returns the chains to try at a level, cheapest first. The coarsest decimation causes most of the error. Each
    /// finer decimation filters a signal that is twice as smooth, so it needs fewer taps.
    private static func chains(level: Int) -> [ResamplingChain] {
        guard level > 0 else { return [ResamplingChain(orders: [])] }
        return [[8], [6, 8], [8, 10]].filter { $0.count <= level }.map { coarse in
            ResamplingChain(orders: [Int](repeating: 4, count: level - coarse.count) + coarse)
        }
    }

    /// Returns the filter with the fewest taps that keeps the budget with this chain, or nil if no number of taps keeps
    /// it.
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
