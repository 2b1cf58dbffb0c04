import Glibc

/// The Gaussian that Frost computes by definition: sampled at whole distances, cut at 6 sigma and normalised.
public enum SampledGaussian {
    /// Returns the weights at distances `-r...r` with r = max(1, ceil(6 sigma)). Their sum is 1. `sigma` must be above
    /// 0.
    public static func taps(sigma: Double) -> [Double] {
        let radius = max(1, Int((6 * sigma).rounded(.up)))
        // The sum runs from the tails inwards, so that small terms are not lost in a large sum.
        let half = (1...radius).map { exp(-0.5 * (Double($0) / sigma) * (Double($0) / sigma)) }
        let sum = 1 + 2 * half.reversed().reduce(0, +)
        return half.reversed().map { $0 / sum } + [1 / sum] + half.map { $0 / sum }
    }
}
