public import FrostCore

/// Evaluates the definition of the variable blur in double precision: each level is computed for the whole region, and
/// the levels are mixed pixel by pixel.
public enum ExactVariable {
    /// Blurs `source`, an image that covers `extent`, and returns `region` of the result.
    ///
    /// - Parameters:
    ///   - mask: the mask image, if the mask is an image.
    ///   - bounds: the rectangle that the mask is scaled to; nil for the extent.
    ///   - threads: the maximum number of threads, 1 to 256.
    /// - Throws: ``ExactError/cancelled``, or ``ExactError/pixels(_:)`` if the source does not have the size of the extent.
    /// - Complexity: the complexity of a Gaussian blur, times the number of levels that are visible anywhere.
    @unsafe public static func render(
        _ blur: VariableBlur, source: PixelSource, extent: Rect, region: Rect, mask: MaskImage?,
        over bounds: Rect? = nil, threads: Int,
        cancellation: Cancellation? = nil
    ) throws(ExactError) -> ExactImage {
        let levels = blur.levels
        guard let largest = levels.last else { preconditionFailure("the variable blur has no levels") }
        let mask = mask?.fitted(to: bounds ?? extent)
        let sigmas = try ExactRows.values(
            rows: region.height, samples: region.width, threads: threads, cancellation
        ) { y in
            region.columns.map { x in
                min(blur.mask.value(x: x, y: region.y + y, extent: bounds ?? extent, image: mask), 1) * largest
            }
        }
        let format = unsafe blur.outputFormat(for: source.layout.format)
        let channels = format.channels.canonical
        let samples = region.width * channels.count
        var sum: [Double]?
        for (index, level) in levels.enumerated() {
            let below = index > 0 ? levels[index - 1] : nil
            let above = index + 1 < levels.count ? levels[index + 1] : nil
            let weights = try ExactRows.values(
                rows: region.height, samples: region.width, threads: threads, cancellation
            ) { y in
                sigmas[y * region.width..<(y + 1) * region.width].map {
                    weight(of: level, between: below, and: above, at: $0)
                }
            }
            guard weights.contains(where: { $0 > 0 }) else { continue }
            let gaussian = try rethrow(GaussianBlur(sigma: level, edge: blur.edge), as: ExactError.parameter)
            let values = try unsafe ExactGaussian.render(
                gaussian, channels: channels, source: source, extent: extent, region: region, threads: threads,
                cancellation: cancellation
            ).values
            let earlier = sum
            sum = try ExactRows.values(rows: region.height, samples: samples, threads: threads, cancellation) { y in
                (y * samples..<(y + 1) * samples).map { i in
                    let (weight, below) = (weights[i / channels.count], earlier?[i] ?? 0)
                    return weight > 0 ? below + weight * values[i] : below
                }
            }
        }
        guard let sum else { preconditionFailure("no level of the variable blur has a weight") }
        return ExactImage(width: region.width, height: region.height, channels: channels, values: sum)
    }

    /// Returns the weight of a level at a pixel with the given sigma: 1 if sigma is the level's sigma, 0 if sigma is at
    /// or beyond that of a neighbouring level, and linear in the variance in between.
    private static func weight(of level: Double, between below: Double?, and above: Double?, at sigma: Double) -> Double
    {
        if sigma == level { return 1 }
        guard let other = sigma < level ? below : above else { return 0 }
        let part = (sigma * sigma - other * other) / (level * level - other * other)
        return min(max(part, 0), 1)
    }
}
