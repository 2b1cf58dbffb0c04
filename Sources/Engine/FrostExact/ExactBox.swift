public import FrostCore

/// Evaluates the definition of the box blur in double precision. Uses only the effect, never a plan.
public enum ExactBox {
    /// Blurs `source`, an image that covers `extent`, and returns `region` of the result.
    ///
    /// - Parameter threads: the maximum number of threads, 1 to 256.
    /// - Throws: ``ExactError/cancelled``, or ``ExactError/pixels(_:)`` if the source does not have the size of the extent.
    /// - Complexity: O(pixels * passes * min(width, side)).
    @unsafe public static func render(
        _ blur: BoxBlur, source: PixelSource, extent: Rect, region: Rect, threads: Int,
        cancellation: Cancellation? = nil
    ) throws(ExactError) -> ExactImage {
        func averages(_ axis: Axis) -> [AxisAverage] {
            let width = blur.width(axis)
            let taps = [Double](repeating: 1 / Double(width), count: width)
            // With the edge mode `clear`, colour spreads into the pixels outside the image, so each pass computes a
            // larger range. With other edge modes, each pass applies the edge mode to the result of the pass before it.
            let spill = blur.edge == .clear ? width / 2 : 0
            var input = extent[axis]
            return (1...blur.passes).map { pass in
                let grown = input.lowerBound - spill..<input.upperBound + spill
                let output = pass == blur.passes ? region[axis] : grown
                defer { input = output }
                return AxisAverage(taps: taps, edge: blur.edge, input: input, output: output)
            }
        }
        let format = unsafe blur.outputFormat(for: source.layout.format)
        return try unsafe ExactSeparable.render(
            x: averages(.x), y: averages(.y), source: source, extent: extent, channels: format.channels.canonical,
            threads: threads, cancellation: cancellation)
    }
}
