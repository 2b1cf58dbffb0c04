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
        case runs([KernelRun])
        /// Samples along the line from the output pixel to a centre.
        case zoom(KernelZoom)

        /// What the pixels that are read have in common with those of other kernels.
        package var shape: any KernelReads {
            switch self {
            case .runs(let runs): runs
            case .zoom(let zoom): zoom
            }
        }
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
        samples.isEmpty ? samples : reads.shape.reach(of: samples, along: axis)
    }

    /// Returns the range of input samples along an axis that is needed to compute the range `output`. `samples` is the
    /// full range of the input. The returned range is large enough that the edge mode, applied at its ends, gives the
    /// same values as at the ends of the full range.
    public func input(for output: Range<Int>, of samples: Range<Int>, along axis: Axis) -> Range<Int> {
        edge.window(of: reach(of: output, along: axis), in: samples)
    }

    /// Returns the number of pixels that are read for each output pixel. For a zoom, this is the approximate mean over
    /// `region`.
    public func readCount(_ region: Rect) -> Double { reads.shape.readCount(region) }

    /// Plans the filtering of an image. The plan is a copy if the kernel copies every pixel and the region lies in the
    /// image.
    ///
    /// - Parameters:
    ///   - extent: the image's rectangle in absolute pixels.
    ///   - region: the rectangle to compute, in absolute pixels; the whole extent by default. The region may reach
    ///     outside the extent.
    /// - Throws: ``ParameterError`` for empty rectangles, coordinates above 2^40, and a region that reaches more than
    ///   16384 pixels outside the image. Such a region is refused because all pixels between the image and the region
    ///   are stored or read.
    public func plan(extent: Rect, region: Rect? = nil) throws(ParameterError) -> Plan {
        let region = region ?? extent
        try region.checkForPlanning(in: extent, farthest: Self.farthest)
        if reads.shape.isIdentity, extent.contains(region) {
            return Plan(extent: extent, region: region, work: .copy, errorBound: 0)
        }
        return Plan(
            extent: extent, region: region, work: .kernel2D(self), errorBound: 255 * reads.shape.error(region))
    }

    private static let farthest = 16384
}

extension Kernel2D: PlanWork {
    package var passCount: Int { 1 }
    package func taps(in plan: Plan) -> Double { readCount(plan.region) }
    /// The first row of the result reads far along y.
    package var canStream: Bool { false }

    package func sourceRead(in plan: Plan) -> Rect {
        Rect(
            columns: input(for: plan.region.columns, of: plan.extent.columns, along: .x),
            rows: input(for: plan.region.rows, of: plan.extent.rows, along: .y))
    }

    package func affected(by damage: Rect, at place: Place, in plan: Plan) -> Region {
        guard reads.shape.isShiftInvariant else { return Region(plan.region) }
        func along(_ axis: Axis) -> RangeSet<Int> {
            let reach = reach(of: 0..<1, along: axis)
            let read = edge.indices(
                of: RangeSet(damage[axis]), in: plan.extent[axis],
                within: self.reach(of: plan.region[axis], along: axis))
            return RangeSet(read.ranges.map { $0.lowerBound - reach.upperBound + 1..<$0.upperBound - reach.lowerBound })
        }
        return Region(columns: along(.x), rows: along(.y))
    }

    package func damageExpansion(along axis: Axis, in plan: Plan) -> Int {
        guard reads.shape.isShiftInvariant else { return plan.extent[axis].count }
        let reach = reach(of: 0..<1, along: axis)
        return plan.damageExpansion(max(-reach.lowerBound, reach.upperBound - 1), along: axis)
    }

    package func samples(in plan: Plan) -> (read: Double, written: Double) {
        (sourceRead(in: plan).area, plan.region.area)
    }

    package func steps(in plan: Plan) -> [PlanStep] {
        let size = "\(plan.region.width)x\(plan.region.height)"
        let words = "2-D kernel \(reads.shape.words(plan.region))\(edge.words) -> \(size) at 1/1 x 1/1"
        return [PlanStep(words, .kernel2D(self))]
    }
}
