/// The combined weights of decimation, low-resolution taps and interpolation. They form one kernel over source pixels
/// for each phase. The phase is the output pixel's position within its low-resolution sample. Along one axis, a plan
/// computes exactly this kernel, up to rounding.
struct CompositeKernel {
    let chain: ResamplingChain
    /// The low-resolution taps. Their number is 2r + 1.
    let taps: [Double]

    /// Returns the kernel of an output pixel: the weights of consecutive source pixels. `start` is the position of the
    /// first of these pixels, and `phase` (0 ..< factor) is the position of the output pixel. Both positions are counted
    /// from the same origin.
    func weights(phase: Int) -> (start: Int, weights: [Double]) {
        let factor = chain.factor
        let (composite, start) = chain.composite
        let samples = interpolated(phase: phase, composite: composite, start: start)
        let first = samples.first * factor + start
        var weights = [Double](repeating: 0, count: (samples.weights.count - 1) * factor + composite.count)
        for (sample, weight) in samples.weights.enumerated() where weight != 0 {
            for (t, value) in composite.enumerated() { weights[sample * factor + t] += weight * value }
        }
        return (first, weights)
    }

    /// Returns the low-resolution samples that contribute to an output pixel through interpolation and taps, with their
    /// weights.
    private func interpolated(phase: Int, composite: [Double], start: Int) -> (first: Int, weights: [Double]) {
        let factor = chain.factor
        let radius = taps.count / 2
        // Sample i contributes to the pixel if 0 <= phase - i * factor - start < composite.count.
        let last = (phase - start).dividedDown(by: factor)
        let first = (phase - start - composite.count).dividedDown(by: factor) + 1
        var weights = [Double](repeating: 0, count: last - first + 1 + 2 * radius)
        for sample in first...last {
            let weight = composite[phase - sample * factor - start] * Double(factor)
            for (j, tap) in taps.enumerated() { weights[sample - first + j] += weight * tap }
        }
        return (first - radius, weights)
    }

    /// Returns two maxima over all phases. `error` is the maximum difference between this kernel's output and that of
    /// the sampled Gaussian, over every signal in 0...1. `norm` is the largest sum of the absolute weights.
    ///
    /// To find the error of a phase, the Gaussian's weights are subtracted from the kernel's. The positive differences
    /// are added up, and so are the magnitudes of the negative differences. The error is the larger sum, because the
    /// worst signal is 1 where the difference has one sign and 0 elsewhere.
    ///
    /// - Complexity: O(factor^2 * taps). By symmetry only half of the phases are computed.
    func worstCase(sigma: Double) -> (error: Double, norm: Double) {
        let factor = chain.factor
        let (composite, start) = chain.composite
        let gaussian = SampledGaussian.taps(sigma: sigma)
        let gaussianRadius = gaussian.count / 2

        // Cuts the composite filter into slices of `factor` taps. Slice s holds the taps at offsets s * factor ..< (s +
        // 1) * factor from a sample's first pixel. The first slice is s = firstSlice.
        let firstSlice = start.dividedDown(by: factor)
        let slices = (start + composite.count - 1).dividedDown(by: factor) - firstSlice + 1
        var sliced = [Double](repeating: 0, count: slices * factor)
        for (t, value) in composite.enumerated() { sliced[start - firstSlice * factor + t] = value }

        var worst = (error: 0.0, norm: 0.0)
        // The phases p and -p are mirror images if samples lie on pixels, otherwise the phases p and factor - 1 - p.
        for phase in 0..<(chain.isCentred ? factor / 2 + 1 : (factor + 1) / 2) {
            let samples = interpolated(phase: phase, composite: composite, start: start)
            let from = min(samples.first + firstSlice, (phase - gaussianRadius).dividedDown(by: factor))
            let through = max(
                samples.first + samples.weights.count + firstSlice + slices,
                (phase + gaussianRadius).dividedDown(by: factor) + 1
            )
            // The Gaussian around this phase, cut into the same slices.
            var target = [Double](repeating: 0, count: (through - from) * factor)
            let offset = phase - gaussianRadius - from * factor
            for (t, value) in gaussian.enumerated() { target[offset + t] = value }

            let sums = Self.difference(
                samples: samples.weights, slices: sliced, factor: factor, target: target,
                firstSlice: samples.first + firstSlice - from)
            worst.error = max(worst.error, sums.positive, sums.negative)
            worst.norm = max(worst.norm, sums.norm)
        }
        return worst
    }

    /// Returns three sums over all pixels: the sum of the positive values of kernel - target, the sum of the magnitudes
    /// of its negative values, and the sum of |kernel|.
    private static func difference(
        samples: [Double], slices: [Double], factor: Int, target: [Double], firstSlice: Int
    ) -> (positive: Double, negative: Double, norm: Double) {
        var kernel = [Double](repeating: 0, count: target.count)
        let sliceCount = slices.count / factor
        // SAFETY: the caller chooses the target's length so that sample + slice + firstSlice < target.count / factor. A
        // precondition checks this once for each slice of `factor` taps.
        unsafe kernel.withUnsafeMutableBufferPointer { kernel in
            unsafe slices.withUnsafeBufferPointer { slices in
                for (sample, weight) in samples.enumerated() {
                    for slice in 0..<sliceCount {
                        let to = (sample + slice + firstSlice) * factor
                        precondition(to >= 0 && to + factor <= kernel.count)
                        for p in 0..<factor { unsafe kernel[to + p] += weight * slices[slice * factor + p] }
                    }
                }
            }
        }
        var positive = 0.0
        var negative = 0.0
        var norm = 0.0
        for (value, wanted) in zip(kernel, target) {
            positive += max(0, value - wanted)
            negative += max(0, wanted - value)
            norm += abs(value)
        }
        return (positive, negative, norm)
    }
}
