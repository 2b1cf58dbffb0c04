/// A kernel that is not separable: the only filter of its plan, in both dimensions at once, from the source to the
/// output.
public struct Kernel2D: Sendable, Hashable {
    public var reads: Reads
    /// How a pixel outside of the image is read, along both axes.
    public var edge: EdgeMode

    /// The pixels that make up each output pixel, as data.
    public enum Reads: Sendable, Hashable {
        /// The same for every pixel: `out[x, y] = sum over the runs of weight * (in[x + dx, y + dy] + ... +
        /// in[x + dx + count - 1, y + dy])`.
        case runs([Run])
        /// Along the line to a centre.
        case zoom(Zoom)
    }

    /// Neighbours in a row that have the same weight.
    public struct Run: Sendable, Hashable {
        /// Of the first, from the output pixel.
        public var dx: Int
        public var dy: Int
        public var count: Int
        /// Of each.
        public var weight: Double

        public init(dx: Int, dy: Int, count: Int, weight: Double) {
            self.dx = dx
            self.dy = dy
            self.count = count
            self.weight = weight
        }
    }

    /// The mean of an image's copies that are scaled around a centre, by all factors of a range.
    ///
    /// With d the vector from an output pixel to the centre, it is the mean along the line from `(1 - upper) d` to
    /// `(1 - lower) d`, counted from the pixel. The line has one sample in each column that it crosses, or in each row if
    /// it crosses more rows: sample j lies at `j d / m` with `m = max(|dx|, |dy|)`, interpolated between the two pixels on
    /// either side of the line, and its weight is the part of `j - 1/2 ... j + 1/2` that lies within
    /// `(1 - upper) m ... (1 - lower) m`. A line without length has sample 0 only.
    public struct Zoom: Sendable, Hashable {
        /// In absolute pixels, whose centres are whole numbers.
        public var centerX: Double
        public var centerY: Double
        /// At least 0; the range contains 1.
        public var scales: ClosedRange<Double>

        public init(centerX: Double, centerY: Double, scales: ClosedRange<Double>) {
            self.centerX = centerX
            self.centerY = centerY
            self.scales = scales
        }

        /// How far the line goes towards the centre, as a fraction of d.
        public var inward: Double { 1 - scales.lowerBound }
        /// How far it goes the other way.
        public var outward: Double { scales.upperBound - 1 }
    }

    public init(_ reads: Reads, edge: EdgeMode) {
        self.reads = reads
        self.edge = edge
    }
}

extension Kernel2D {
    /// The input samples along an axis that the output samples `samples` read, or might read because of a rounding,
    /// before any edge rule.
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
            // The samples at the ends may lie half a pixel further out, and each reads two pixels.
            let first = (ends.min() ?? 0) - 0.6
            let last = (ends.max() ?? 0) + 0.6
            return Int(first.rounded(.down))..<Int(last.rounded(.down)) + 2
        }
    }

    /// The part of the input's samples along an axis that `output` needs. The edge rule gives the same for the part as for
    /// all samples.
    public func input(for output: Range<Int>, of samples: Range<Int>, along axis: Axis) -> Range<Int> {
        edge.window(of: reach(of: output, along: axis), in: samples)
    }

    /// Pixels read for each output pixel; for a zoom the mean over `region`.
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
