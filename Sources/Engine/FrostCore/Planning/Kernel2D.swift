/// A filter that cannot be separated into passes along x and y. It is the only filter of its plan: it reads the source
/// and writes the output.
public struct Kernel2D: Sendable, Hashable {
    /// The pixels that the kernel reads for each output pixel, with their weights.
    public var reads: Reads
    /// The edge mode for pixels outside the image, along both axes.
    public var edge: EdgeMode

    /// A description of the pixels that contribute to each output pixel.
    public enum Reads: Sendable, Hashable {
        /// Runs of pixels, the same for every output pixel: `out[x, y] = sum over the runs of weight * (in[x + dx, y +
        /// dy] + ... + in[x + dx + count - 1, y + dy])`.
        case runs([Run])
        /// Samples along the line from the output pixel to a centre.
        case zoom(Zoom)
    }

    /// Adjacent pixels of one row that have the same weight.
    public struct Run: Sendable, Hashable {
        /// The column of the run's first pixel, relative to the output pixel.
        public var dx: Int
        /// The row of the run, relative to the output pixel.
        public var dy: Int
        /// The number of pixels in the run.
        public var count: Int
        /// The weight of each pixel of the run.
        public var weight: Double

        /// Creates a run from its parts.
        public init(dx: Int, dy: Int, count: Int, weight: Double) {
            self.dx = dx
            self.dy = dy
            self.count = count
            self.weight = weight
        }
    }

    /// The mean of copies of the image. The copies are scaled about a centre, by all factors of a range.
    ///
    /// Let d = (dx, dy) be the vector from an output pixel to the centre. The result is the mean along the line from
    /// `(1 - upper) d` to `(1 - lower) d`, relative to the output pixel. The line has one sample in each column that it
    /// crosses, or in each row if it crosses more rows. Sample j lies at `j d / m` with `m = max(|dx|, |dy|)`, and is
    /// interpolated between the two pixels on either side of the line. The weight of sample j is the length of the part
    /// of `j - 1/2 ... j + 1/2` that lies within `(1 - upper) m ... (1 - lower) m`. A line without length has only
    /// sample 0.
    public struct Zoom: Sendable, Hashable {
        /// The centre's x coordinate in absolute pixels. The centres of pixels have whole coordinates.
        public var centerX: Double
        /// The centre's y coordinate in absolute pixels. The centres of pixels have whole coordinates.
        public var centerY: Double
        /// The range of scale factors. Factors are at least 0, and the range contains 1.
        public var scales: ClosedRange<Double>

        /// Creates a zoom from its parts.
        public init(centerX: Double, centerY: Double, scales: ClosedRange<Double>) {
            self.centerX = centerX
            self.centerY = centerY
            self.scales = scales
        }

        /// The length of the line towards the centre, as a fraction of the distance to the centre.
        public var inward: Double { 1 - scales.lowerBound }
        /// The length of the line away from the centre, as a fraction of the distance to the centre.
        public var outward: Double { scales.upperBound - 1 }
    }

    /// Creates a kernel from its parts.
    public init(_ reads: Reads, edge: EdgeMode) {
        self.reads = reads
        self.edge = edge
    }
}

extension Kernel2D {
    /// Returns the input samples along an axis that are read to compute the output samples `samples`. The edge mode is
    /// not applied: the result may lie outside the input. The result includes samples that a backend reads only because
    /// it rounds positions.
    public func reach(of samples: Range<Int>, along axis: Axis) -> Range<Int> {
        guard !samples.isEmpty else { return samples }
        switch reads {
        case .runs(let runs):
            let offsets = runs.map { axis == .x ? $0.dx..<$0.dx + $0.count : $0.dy..<$0.dy + 1 }
            let first = offsets.map(\.lowerBound).min() ?? 0
            let end = offsets.map(\.upperBound).max() ?? 1
            return samples.lowerBound + first..<samples.upperBound - 1 + end
        case .zoom(let zoom):
            let center = axis == .x ? zoom.centerX : zoom.centerY
            let ends = [samples.lowerBound, samples.upperBound - 1].flatMap { sample in
                [zoom.scales.lowerBound, zoom.scales.upperBound].map { center + $0 * (Double(sample) - center) }
            }
            // The samples at the ends of a line may lie half a pixel further out, and each sample reads two pixels.
            let first = (ends.min() ?? 0) - 0.6
            let last = (ends.max() ?? 0) + 0.6
            return Int(first.rounded(.down))..<Int(last.rounded(.down)) + 2
        }
    }

    /// Returns the range of input samples along an axis that is needed to compute the range `output`. `samples` is the
    /// full range of the input. The returned range is large enough that the edge mode, applied at its ends, gives the
    /// same values as at the ends of the full range.
    public func input(for output: Range<Int>, of samples: Range<Int>, along axis: Axis) -> Range<Int> {
        edge.window(of: reach(of: output, along: axis), in: samples)
    }

    /// Returns the number of pixels that are read for each output pixel. For a zoom, this is the approximate mean over
    /// `region`.
    public func readCount(_ region: Rect) -> Double {
        switch reads {
        case .runs(let runs): return runs.reduce(0) { $0 + Double($1.count) }
        case .zoom(let zoom):
            let x = max(abs(Double(region.x) - zoom.centerX), abs(Double(region.columns.upperBound) - zoom.centerX))
            let y = max(abs(Double(region.y) - zoom.centerY), abs(Double(region.rows.upperBound) - zoom.centerY))
            // The mean distance to a rectangle's centre is about half of the distance to its corner.
            return 2 * max(1, (zoom.inward + zoom.outward) * (x * x + y * y).squareRoot() / 2)
        }
    }
}
