public import FrostCore

/// The definition of the variable blur, carried out in Double: every level as a whole, mixed pixel by pixel.
public enum ExactVariable {
    /// As ``ExactGaussian/render(_:source:extent:region:threads:cancellation:)``.
    ///
    /// - Parameters:
    ///   - mask: for a mask that is an image.
    ///   - bounds: what the mask is stretched over; nil for the extent.
    /// - Complexity: that of a Gaussian, for each level that is seen anywhere.
    @unsafe public static func render(
        _ blur: VariableBlur, source: PixelSource, extent: Rect, region: Rect, mask: MaskImage?,
        over bounds: Rect? = nil, threads: Int,
        cancellation: Cancellation? = nil
    ) throws(CPUError) -> ExactImage {
        let levels = blur.levels
        guard let largest = levels.last else { preconditionFailure("a variable blur without levels") }
        let mask = mask?.fitted(to: bounds ?? extent)
        let sigmas = region.rows.flatMap { y in
            region.columns.map { x in
                min(blur.mask.value(x: x, y: y, extent: bounds ?? extent, image: mask), 1) * largest
            }
        }
        let format = unsafe blur.outputFormat(for: source.layout.format)
        let channels = format.channels.canonical
        var sum = [Double](repeating: 0, count: sigmas.count * channels.count)
        for (index, level) in levels.enumerated() {
            let below = index > 0 ? levels[index - 1] : nil
            let above = index + 1 < levels.count ? levels[index + 1] : nil
            let weights = sigmas.map { weight(of: level, between: below, and: above, at: $0) }
            guard weights.contains(where: { $0 > 0 }) else { continue }
            let gaussian: GaussianBlur
            do throws(ParameterError) { gaussian = try GaussianBlur(sigma: level, edge: blur.edge) } catch {
                throw .parameter(error)
            }
            let values = try unsafe ExactGaussian.render(
                gaussian, channels: channels, source: source, extent: extent, region: region, threads: threads,
                cancellation: cancellation
            ).values
            for (pixel, weight) in weights.enumerated() where weight > 0 {
                for i in pixel * channels.count..<(pixel + 1) * channels.count { sum[i] += weight * values[i] }
            }
        }
        return ExactImage(width: region.width, height: region.height, channels: channels, values: sum)
    }

    /// What a level contributes to a pixel: all where sigma is the level's, nothing from the neighbours' on, and linear in
    /// the variance between.
    private static func weight(of level: Double, between below: Double?, and above: Double?, at sigma: Double) -> Double
    {
        if sigma == level { return 1 }
        guard let other = sigma < level ? below : above else { return 0 }
        let part = (sigma * sigma - other * other) / (level * level - other * other)
        return min(max(part, 0), 1)
    }
}
