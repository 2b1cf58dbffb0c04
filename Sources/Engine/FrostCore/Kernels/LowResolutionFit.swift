/// Fits the taps that are applied at low resolution, so that decimation, these taps and interpolation together
/// approximate the sampled Gaussian as closely as possible.
///
/// Let d be the chain's composite filter, D its factor, g the Gaussian and f the taps. Source pixel x contributes to
/// output pixel y with the weight `w_y(x) = sum over m, j of D d(y - Dm) f_j d(x - D(m + j))`, which is linear in f.
/// Least squares over all D phases of y gives normal equations. Their entries are samples of autocorrelations, because
/// `<basis_i, basis_j> = sum over n of R_u(Dn) R_d(D(n + j - i))` with u = D d. R_u and R_d are the autocorrelations of
/// u and d. The right side is `(u * d * g)(Dj)`.
///
/// Two constraints are met exactly: the sum of the taps is 1, and the composite kernel has the Gaussian's variance. So
/// the effective sigma neither drifts nor jumps from level to level.
enum LowResolutionFit {
    /// Computes the taps.
    ///
    /// - Parameters:
    ///   - sigma: the Gaussian's standard deviation in source pixels.
    ///   - radius: the radius of the taps in low-resolution samples.
    /// - Returns: `2 * radius + 1` symmetric taps; nil if the chain alone has more variance than the Gaussian, if the
    ///   radius is 0, or if the equations have no unique solution.
    static func taps(sigma: Double, chain: ResamplingChain, radius: Int) -> [Double]? {
        let factor = chain.factor
        let gaussian = SampledGaussian.taps(sigma: sigma)
        let correlation = chain.autocorrelation
        let center = correlation.count / 2
        func correlated(at lag: Int) -> Double {
            abs(lag) <= center ? correlation[center + lag] : 0
        }

        // The entries of the normal matrix depend on |i - j| only.
        let lags = center / factor
        let autoLagged = (0...2 * radius).map { distance -> Double in
            var sum = 0.0
            for lag in -lags...lags {
                sum += correlated(at: factor * lag) * correlated(at: factor * (lag + distance))
            }
            return sum * Double(factor * factor)
        }
        // The right side `(u * d * g)(factor * j)`: u * d is the autocorrelation times the factor, and g is symmetric.
        let gaussianRadius = gaussian.count / 2
        let target = (0...radius).map { j -> Double in
            let from = max(-center, factor * j - gaussianRadius)
            let through = min(center, factor * j + gaussianRadius)
            guard from <= through else { return 0 }
            var sum = 0.0
            for lag in from...through { sum += correlation[center + lag] * gaussian[gaussianRadius + factor * j - lag] }
            return sum * Double(factor)
        }

        let variance =
            (secondMoment(gaussian) - secondMoment(correlation)) / Double(factor * factor)
        guard variance >= 0, radius > 0 else { return nil }

        // The unknowns are f_0 ... f_radius and one Lagrange multiplier for each constraint. The taps are symmetric, so
        // every tap except the centre counts twice.
        let count = radius + 1
        var matrix = [[Double]](repeating: [Double](repeating: 0, count: count + 3), count: count + 2)
        for i in 0..<count {
            let weight = i == 0 ? 1.0 : 2.0
            for j in 0..<count {
                let pair = j == 0 ? autoLagged[i] : autoLagged[abs(i - j)] + autoLagged[i + j]
                matrix[i][j] = weight * pair
            }
            let moments = [weight, weight * Double(i * i)]
            for (row, moment) in moments.enumerated() {
                matrix[i][count + row] = moment
                matrix[count + row][i] = moment
            }
            matrix[i][count + 2] = weight * target[i]
        }
        matrix[count][count + 2] = 1
        matrix[count + 1][count + 2] = variance
        guard let solution = LinearSystem.solve(matrix, smallestPivot: 1e-300) else { return nil }
        let half = solution[1..<count]
        return half.reversed() + [solution[0]] + half
    }

    /// Returns the variance of a symmetric filter with the sum 1. The unit is the squared distance between two taps.
    static func secondMoment(_ taps: [Double]) -> Double {
        let center = taps.count / 2
        return taps.indices.reduce(0) { $0 + taps[$1] * Double(($1 - center) * ($1 - center)) }
    }
}
