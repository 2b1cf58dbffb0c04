public import FrostCore

/// The definition of the box blur, carried out in Double. Reads the effect, never a plan.
public enum ExactBox {
    /// As ``ExactGaussian/render(_:source:extent:region:threads:cancellation:)``.
    ///
    /// - Complexity: O(pixels * passes * min(width, side)).
    @unsafe public static func render(
        _ blur: BoxBlur, source: PixelSource, extent: Rect, region: Rect, threads: Int,
        cancellation: Cancellation? = nil
    ) throws(CPUError) -> ExactImage {
        func averages(_ axis: Axis) -> [AxisAverage] {
            let width = blur.width(axis)
            let taps = [Double](repeating: 1 / Double(width), count: width)
            // Transparent black fills with what spills over; other edges are those of each pass's own result.
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
