public import FrostCore

/// Evaluates the definition of the Gaussian blur in double precision. Every backend is checked against this reference.
/// The command offers it as `--backend exact`.
///
/// Uses only the effect, never a plan, and shares no arithmetic with the other backends.
public enum ExactGaussian {
    /// Blurs `source`, an image that covers `extent`, and returns `region` of the result.
    ///
    /// - Parameter threads: the maximum number of threads, 1 to 256.
    /// - Throws: ``ExactError/cancelled``, or ``ExactError/pixels(_:)`` if the source does not have the size of the extent.
    /// - Complexity: O(pixels * min(sigma, side)): seconds for large images and sigmas.
    @unsafe public static func render(
        _ blur: GaussianBlur, source: PixelSource, extent: Rect, region: Rect, threads: Int,
        cancellation: Cancellation? = nil
    ) throws(ExactError) -> ExactImage {
        let format = unsafe blur.outputFormat(for: source.layout.format)
        return try unsafe render(
            blur, channels: format.channels.canonical, source: source, extent: extent, region: region,
            threads: threads, cancellation: cancellation)
    }

    /// Blurs `source` as the public function does, with the given channels of the result.
    ///
    /// - Parameter channels: the channels of the result. They must include alpha if the source has alpha.
    @unsafe static func render(
        _ blur: GaussianBlur, channels: ChannelLayout, source: PixelSource, extent: Rect, region: Rect, threads: Int,
        cancellation: Cancellation?
    ) throws(ExactError) -> ExactImage {
        func average(_ axis: Axis) -> [AxisAverage] {
            let sigma = blur.effectiveSigma(axis)
            let taps = sigma > 0 ? SampledGaussian.taps(sigma: sigma) : [1]
            return [AxisAverage(taps: taps, edge: blur.edge, input: extent[axis], output: region[axis])]
        }
        return try unsafe ExactSeparable.render(
            x: average(.x), y: average(.y), source: source, extent: extent, channels: channels,
            threads: threads, cancellation: cancellation)
    }
}
