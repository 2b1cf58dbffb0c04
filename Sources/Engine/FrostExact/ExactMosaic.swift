public import FrostCore

/// Evaluates the definition of the mosaic in double precision. Uses only the effect, never a plan.
public enum ExactMosaic {
    /// Applies the mosaic to `source`, an image that covers `extent`, and returns `region` of the result.
    ///
    /// - Parameter threads: the maximum number of threads, 1 to 256.
    /// - Throws: ``ExactError/cancelled``, or ``ExactError/pixels(_:)`` if the source does not have the size of the extent.
    @unsafe public static func render(
        _ mosaic: Mosaic, source: PixelSource, extent: Rect, region: Rect, threads: Int,
        cancellation: Cancellation? = nil
    ) throws(ExactError) -> ExactImage {
        let side = mosaic.side
        let shown = mosaic.cells(in: extent)
        // The mean of a mosaic cell is the box average centred on the cell. It is computed once for all pixels of the
        // cell.
        @Sendable func cell(_ pixel: Int, _ axis: Axis) -> Int {
            let nearest = min(max(pixel, shown[axis].lowerBound), shown[axis].upperBound - 1)
            return Int((Double(nearest) / Double(side)).rounded(.down))
        }
        func means(_ axis: Axis) -> AxisAverage {
            let pixels = region[axis]
            let all = cell(pixels.lowerBound, axis)..<cell(pixels.upperBound - 1, axis) + 1
            let centres = all.lowerBound * side + side / 2..<(all.upperBound - 1) * side + side / 2 + 1
            let taps = [Double](repeating: 1 / Double(side), count: side) + (side > 1 ? [0] : [])
            return AxisAverage(taps: taps, edge: .clamp, input: extent[axis], output: centres)
        }
        let (x, y) = (means(.x), means(.y))
        let channels = unsafe source.layout.format.channels.canonical
        let means = try unsafe ExactSeparable.render(
            x: [x], y: [y], source: source, extent: extent, channels: channels, threads: threads,
            cancellation: cancellation)
        let values = try ExactRows.values(
            rows: region.height, samples: region.width * channels.count, threads: threads, cancellation
        ) { row in
            let centre = cell(region.y + row, .y) * side + side / 2 - y.output.lowerBound
            return region.columns.flatMap { column in
                let place = cell(column, .x) * side + side / 2 - x.output.lowerBound
                let at = (centre * means.width + place) * channels.count
                return means.values[at..<at + channels.count]
            }
        }
        return ExactImage(width: region.width, height: region.height, channels: channels, values: values)
    }
}
