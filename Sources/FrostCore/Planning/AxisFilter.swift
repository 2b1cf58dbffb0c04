import Glibc
import Synchronization

/// How one axis is blurred: down through a chain, taps at low resolution, up again.
struct AxisFilter: Hashable {
    let chain: ResamplingChain
    /// As executed, rounded to Float.
    let taps: [Float]
    /// The worst error over all signals in 0...1: see ``CompositeKernel/worstCase(sigma:)``.
    let error: Double
    /// The largest sum of absolute weights.
    let norm: Double
}

extension AxisFilter {
    /// The cheapest filter whose worst error stays within `budget` (of full scale).
    ///
    /// Lower resolution is always cheaper, so levels are tried from the lowest resolution up, and at each level the
    /// chains from the shortest. The last resort is a direct filter at full resolution whose taps reach as far as the
    /// Gaussian is defined to: only the rounding of its taps to Float is an error, so every allowed budget is met.
    ///
    /// Pure; results are cached, because finding the worst case takes milliseconds at the lowest resolutions.
    ///
    /// Thread safety: may be called from any thread.
    static func make(sigma: Double, budget: Double) -> AxisFilter {
        let key = CacheKey(sigma: sigma, budget: budget)
        if let known = cache.withLock({ $0[key] }) { return known }
        let made = search(sigma: sigma, budget: budget)
        cache.withLock {
            // A render loop uses a few sigmas, an animation uses each once: no order of forgetting serves both better.
            if $0.count >= 256 { $0.removeAll(keepingCapacity: true) }
            $0[key] = made
        }
        return made
    }

    private struct CacheKey: Hashable { let sigma, budget: Double }
    private static let cache = Mutex<[CacheKey: AxisFilter]>([:])

    /// Below this many low-resolution samples per sigma no chain meets even the 8-bit budget (docs/Accuracy.md).
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

    /// The chains worth trying at a level, cheapest first. The coarsest step makes most of the error, and each finer step
    /// filters a signal twice as smooth, so finer steps need fewer taps.
    private static func chains(level: Int) -> [ResamplingChain] {
        guard level > 0 else { return [ResamplingChain(orders: [])] }
        return [[8], [6, 8], [8, 10]].filter { $0.count <= level }.map { coarse in
            ResamplingChain(orders: [Int](repeating: 4, count: level - coarse.count) + coarse)
        }
    }

    /// The fewest taps that keep the budget with this chain, or nil if none do.
    private static func fit(sigma: Double, chain: ResamplingChain, budget: Double) -> AxisFilter? {
        let lowSigma = sigma / Double(chain.factor)
        // Nearly all of a deep chain's error comes from its coarsest four levels: the number of taps is searched for on
        // these, where the search is cheap, and confirmed on the whole chain.
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
