public import FrostCore

/// The definition of the Gaussian blur, carried out in Double: the reference that every backend is checked against,
/// and `--backend exact`.
///
/// Reads the effect, never a plan, and shares no arithmetic with the backends.
public enum ExactGaussian {
    /// Blurs `source`, an image that covers `extent`, and returns `region` of the result.
    ///
    /// - Parameter threads: as for ``CPUExecutor``.
    /// - Throws: ``CPUError/cancelled``, or ``CPUError/pixels(_:)`` if the source is not sized as the extent.
    /// - Complexity: O(pixels * min(sigma, side)): seconds for large images and sigmas.
    @unsafe public static func render(
        _ blur: GaussianBlur, source: PixelSource, extent: Rect, region: Rect, threads: Int,
        cancellation: Cancellation? = nil
    ) throws(CPUError) -> ExactImage {
        func average(_ axis: Axis) -> [AxisAverage] {
            let sigma = blur.effectiveSigma(axis)
            let taps = sigma > 0 ? SampledGaussian.taps(sigma: sigma) : [1]
            return [AxisAverage(taps: taps, edge: blur.edge, input: extent[axis], output: region[axis])]
        }
        let format = unsafe blur.outputFormat(for: source.layout.format)
        return try unsafe ExactSeparable.render(
            x: average(.x), y: average(.y), source: source, extent: extent, channels: format.channels.canonical,
            threads: threads, cancellation: cancellation)
    }
}
