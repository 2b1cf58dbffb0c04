import FrostCore

/// Consecutive passes of a plan along one axis that one draw computes: a convolution, or up to three decimations or
/// interpolations as one filter.
///
/// Filters along different axes commute. So decimations along x and y that alternate in the plan can be computed as one
/// filter along each axis. This saves most of the texels that are fetched and written, and the rounding of the images
/// between the passes. Edge rules stay exact, because a level outside the image is what the same filter computes from
/// the image's extension.
///
/// Runs depend on the levels of the passes only. So a plan that ends before a run, and a plan that continues with it,
/// have the same runs as a plan that contains both.
struct PassRun {
    let axis: Axis
    let kind: Kind
    /// The level of the finer of the run's two grids along the axis.
    let level: Int
    /// The number of the plan's passes that the run computes.
    let passCount: Int
    var from: Place
    var to: Place
    let edge: EdgeRule
    /// The rectangle of the samples that exist, in the input's grid. The edge rule extends it along the axis.
    var input: Rect
    /// The rectangle of the output, in the output's grid.
    var output: Rect

    enum Kind: Hashable {
        case convolution(taps: [Float])
        /// The filters of the passes, beginning with the finest level.
        case decimation([[Float]])
        case interpolation([[Float]])
    }

    /// The number of levels that one draw decimates or interpolates. The filter of three levels has up to 66 taps along
    /// an axis, but is computed for an eighth of the samples. A fourth level would save little: it has a sixteenth.
    static let levels = 3

    var taps: PolyphaseTaps {
        switch kind {
        case .convolution(let taps): PolyphaseTaps(.convolve(taps: taps))
        case .decimation(let filters): PolyphaseTaps(filters, decimates: true)
        case .interpolation(let filters): PolyphaseTaps(filters, decimates: false)
        }
    }

    /// Returns the input samples on which output samples depend. The edge rule is not applied.
    func reach(of samples: Range<Int>) -> Range<Int> {
        switch kind {
        case .convolution(let taps): Pass.Operation.convolve(taps: taps).reach(of: samples)
        case .decimation(let filters):
            filters.reversed().reduce(samples) { Pass.Operation.decimate(taps: $1).reach(of: $0) }
        case .interpolation(let filters):
            filters.reduce(samples) { Pass.Operation.interpolate(taps: $1).reach(of: $0) }
        }
    }
}

extension Passes {
    /// Returns the passes as runs, in the order of their execution.
    ///
    /// - Parameter plan: the plan that the passes belong to.
    func runs(of plan: Plan) -> [PassRun] {
        groups(startingAlone: plan.decoding != nil).flatMap { group, level in
            let axes = list[group].map(\.axis)
            // At full resolution, rows are read and written along x: pixels that lie side by side share fetches.
            let order: [Axis] = if case .interpolate = list[group.lowerBound].operation { [.y, .x] } else { [.x, .y] }
            return runs(group, level, order.filter(axes.contains), of: plan)
        }
    }

    /// The index of the first pass of the last group of passes that are computed together.
    package var lastGroup: Int { groups(startingAlone: false).last?.passes.lowerBound ?? 0 }

    /// Divides the passes into groups of neighbours: decimations or interpolations of the same levels, or a single
    /// convolution.
    ///
    /// - Parameter startingAlone: whether the finest decimations are a group of their own. If the image is decoded when
    ///   it is read, a longer filter would decode each pixel more often.
    private func groups(startingAlone: Bool) -> [(passes: Range<Int>, level: Int)] {
        var levels = (
            x: list.first.map { level(of: $0.from, along: .x) } ?? 0,
            y: list.first.map { level(of: $0.from, along: .y) } ?? 0
        )
        var groups: [(passes: Range<Int>, level: Int)] = []
        var last: Group?
        for (index, pass) in list.enumerated() {
            let level = pass.axis == .x ? levels.x : levels.y
            let (group, next): (Group, Int) =
                switch pass.operation {
                case .convolve: (.convolution, level)
                case .decimate:
                    (startingAlone && level == 0 ? .decoding : .decimation(level / PassRun.levels), level + 1)
                case .interpolate: (.interpolation((level - 1) / PassRun.levels), level - 1)
                }
            switch pass.axis {
            case .x: levels.x = next
            case .y: levels.y = next
            }
            let finer = min(level, next)
            if group == last, group != .convolution, let open = groups.last {
                groups[groups.count - 1] = (open.passes.lowerBound..<index + 1, min(open.level, finer))
            } else {
                groups.append((index..<index + 1, finer))
            }
            last = group
        }
        return groups
    }

    private enum Group: Equatable {
        case convolution, decoding
        case decimation(Int)
        case interpolation(Int)
    }

    /// Returns the runs of a group, one for each axis.
    private func runs(_ group: Range<Int>, _ level: Int, _ order: [Axis], of plan: Plan) -> [PassRun] {
        let (first, last) = (list[group.lowerBound], list[group.upperBound - 1])
        let (input, output) = (plan.window(of: first.from), plan.window(of: last.to))
        var runs = order.map { axis in
            PassRun(list[group].filter { $0.axis == axis }, axis, level: level, first.from, input, last.to, output)
        }
        guard runs.count == 2 else { return runs }
        // Between the two runs: the output's samples along the first axis, and what the second run reads along the
        // other. No pass of another group uses the slot of the group's first pass.
        var between = output
        let axis = order[1]
        between[axis] = runs[1].edge.window(of: runs[1].reach(of: output[axis]), in: input[axis])
        (runs[0].to, runs[0].output) = (first.to, between)
        (runs[1].from, runs[1].input) = (first.to, between)
        return runs
    }
}

extension PassRun {
    /// - Parameters:
    ///   - passes: the passes along the axis; not empty.
    ///   - input: the rectangle of the samples that exist.
    init(_ passes: [Pass], _ axis: Axis, level: Int, _ from: Place, _ input: Rect, _ to: Place, _ output: Rect) {
        let filters = passes.map(\.operation.taps)
        switch passes[0].operation {
        case .convolve(let taps): kind = .convolution(taps: taps)
        case .decimate: kind = .decimation(filters)
        case .interpolate: kind = .interpolation(filters.reversed())
        }
        self.axis = axis
        self.level = level
        passCount = passes.count
        edge = passes[0].edge
        (self.from, self.input, self.to, self.output) = (from, input, to, output)
    }
}
