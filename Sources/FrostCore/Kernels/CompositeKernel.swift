/// The weights of decimation, low-resolution taps and interpolation together: for every phase of the output pixel
/// within a low-resolution sample, a kernel over source pixels. This is what a plan does along one axis, in exact
/// arithmetic.
struct CompositeKernel {
    let chain: ResamplingChain
    /// The low-resolution taps, 2r + 1 of them.
    let taps: [Double]

    /// The kernel of the output pixel at `phase` (0 ..< factor): weights of the source pixels from
    /// `start` on, in the coordinates in which the output pixel is at `phase`.
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

    /// The low-resolution samples that reach an output pixel through interpolation and taps, with their weights.
    private func interpolated(phase: Int, composite: [Double], start: Int) -> (first: Int, weights: [Double]) {
        let factor = chain.factor
        let radius = taps.count / 2
        // Sample i reaches the pixel if 0 <= phase - i * factor - start < composite.count.
        let last = (phase - start).dividedDown(by: factor)
        let first = (phase - start - composite.count).dividedDown(by: factor) + 1
        var weights = [Double](repeating: 0, count: last - first + 1 + 2 * radius)
        for sample in first...last {
            let weight = composite[phase - sample * factor - start] * Double(factor)
            for (j, tap) in taps.enumerated() { weights[sample - first + j] += weight * tap }
        }
        return (first - radius, weights)
    }

    /// How far this kernel's output can be from the sampled Gaussian's, over every signal in 0...1 and every phase: the
    /// larger of the sums of positive and of negative differences, because the worst signal is 1 where the difference
    /// has one sign and 0 elsewhere. Also the largest sum of absolute weights.
    ///
    /// Complexity: O(factor^2 * taps); by symmetry only half of the phases are computed.
    func worstCase(sigma: Double) -> (error: Double, norm: Double) {
        let factor = chain.factor
        let (composite, start) = chain.composite
        let gaussian = SampledGaussian.taps(sigma: sigma)
        let gaussianRadius = gaussian.count / 2

        // The composite in slices of `factor` taps: row s holds the taps at offsets s * factor ..< (s + 1) * factor
        // from a sample's first pixel, s = firstSlice...
        let firstSlice = start.dividedDown(by: factor)
        let slices = (start + composite.count - 1).dividedDown(by: factor) - firstSlice + 1
        var sliced = [Double](repeating: 0, count: slices * factor)
        for (t, value) in composite.enumerated() { sliced[start - firstSlice * factor + t] = value }

        var worst = (error: 0.0, norm: 0.0)
        for phase in 0..<(factor + 1) / 2 {
            let samples = interpolated(phase: phase, composite: composite, start: start)
            let from = min(samples.first + firstSlice, (phase - gaussianRadius).dividedDown(by: factor))
            let through = max(
                samples.first + samples.weights.count + firstSlice + slices,
                (phase + gaussianRadius).dividedDown(by: factor) + 1
            )
            // The Gaussian around this phase, in the same slices.
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

    /// Sums over all pixels of the positive and negative parts of kernel - target, and of |kernel|.
    private static func difference(
        samples: [Double], slices: [Double], factor: Int, target: [Double], firstSlice: Int
    ) -> (positive: Double, negative: Double, norm: Double) {
        var kernel = [Double](repeating: 0, count: target.count)
        let sliceCount = slices.count / factor
        // SAFETY: sample + slice + firstSlice < target.count / factor, by the caller's choice of the target's length;
        // checked once per row of `factor` taps.
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
