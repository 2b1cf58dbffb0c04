import Glibc

/// The Gaussian that Frost promises to compute: sampled at whole distances, cut at 6 sigma, normalised.
public enum SampledGaussian {
    /// Weights at distances `-r...r`, r = max(1, ceil(6 sigma)), with the sum 1. `sigma` is above 0.
    public static func taps(sigma: Double) -> [Double] {
        let radius = max(1, Int((6 * sigma).rounded(.up)))
        // Summed from the tails inwards, so that small terms are not lost in a large sum.
        let half = (1...radius).map { exp(-0.5 * (Double($0) / sigma) * (Double($0) / sigma)) }
        let sum = 1 + 2 * half.reversed().reduce(0, +)
        return half.reversed().map { $0 / sum } + [1 / sum] + half.map { $0 / sum }
    }
}
