import FrostCore

/// A stage of a plan's execution: it computes an image from the source, or from the image of an earlier stage. The last
/// stage of a plan computes the result.
protocol Stage {
    var plan: CPUPlan { get }
    /// The place that the stage computes.
    var place: Place { get }
    /// Whether the stage can compute its image in blocks of rows without reading nearly all rows for each of them.
    var isDivisible: Bool { get }
    /// Returns what the stage reads to compute some of its rows, without the originals that output stages read.
    func inputs(of rows: Range<Int>) -> RowSchedule.Reads
    /// Returns the parts of the work that compute some rows, in order.
    ///
    /// - Parameters:
    ///   - images: the images of all stages; nil for the result.
    ///   - output: the stage's own image; nil for the result.
    func parts(
        _ rows: Range<Int>, images: [RowPlane?], output: RowPlane?, threads: Int, keepsDrivers: Bool
    ) -> [PlanPart]
}

extension Stage {
    var isDivisible: Bool { true }

    var window: Rect { plan.plan.window(of: place) }

    /// Allocates memory for the image, with room for some of its consecutive rows. Returns nil if the image is the result.
    func image(rows: Int) -> RowPlane? { place == .output ? nil : plan.plane(at: place, rows: rows) }

    /// Returns memory for rows of the result that have to wait.
    func waitingRows(_ rows: Range<Int>) -> WaitingRows {
        WaitingRows(Rect(columns: window.columns, rows: rows), bytesPerPixel: plan.writer.format.bytesPerPixel)
    }

    /// The stage as a ``RowSchedule`` needs it.
    var scheduled: RowSchedule.Stage {
        let floats =
            place == .output
            ? (window.width * plan.writer.format.bytesPerPixel + 3) / 4 : plan.floatsPerRow(at: place)
        let readsOriginal = place == .output && plan.plan.outputStages.readsOriginal
        return RowSchedule.Stage(rows: window.rows, bytesPerRow: RowStorage.bytesPerRow(floats: floats)) { rows in
            var reads = inputs(of: rows)
            if readsOriginal { reads.addSource(rows, of: plan.plan) }
            return reads
        }
    }
}

/// A stage that computes the result from the source, row by row: all work of a plan that is not divided.
struct Sweep: Stage {
    let plan: CPUPlan

    var place: Place { .output }
    var isDivisible: Bool { plan.plan.work.cpu.isDivisible }

    func inputs(of rows: Range<Int>) -> RowSchedule.Reads {
        var reads = RowSchedule.Reads()
        plan.plan.work.cpu.add(rows, in: plan.plan, to: &reads)
        return reads
    }

    func parts(
        _ rows: Range<Int>, images: [RowPlane?], output: RowPlane?, threads: Int, keepsDrivers: Bool
    ) -> [PlanPart] {
        let (region, plan) = (plan.plan.region, plan)
        let isWhole = rows == region.rows
        if isWhole, plan.plan.isDividedByColumns(threads: threads) {
            return [PlanPart(strips: plan.strips(threads: PlanPart.bands(region, threads: threads)), of: plan)]
        }
        // Source and target of a copy may be the same memory, and then the rows have to be moved in order.
        let bands = plan.plan.isCopy ? 1 : threads
        let strips = isWhole ? plan.strips() : plan.plan.work.cpu.blockStrips(of: plan)
        return strips.map { strip in
            PlanPart(
                Rect(columns: strip.plan.region.columns, rows: rows), threads: bands,
                offset: strip.offset(in: plan), keepsDrivers: keepsDrivers
            ) { strip.driver($0, $1) }
        }
    }
}

extension CPUPlan {
    /// Returns the distance in bytes from the beginning of each target row of a plan to the first pixel of this plan, which
    /// computes a part of the other plan's region.
    func offset(in whole: CPUPlan) -> Int {
        (plan.region.x - whole.plan.region.x) * writer.format.bytesPerPixel
    }
}

extension RowSchedule.Reads {
    /// Adds what consecutive passes read to compute some rows of the last pass.
    ///
    /// - Parameter from: the stage whose image the first pass reads; nil for the source.
    mutating func add(_ rows: Range<Int>, by passes: Range<Int>, of plan: Plan, from: Int?) {
        let all = plan.passes
        var rows = rows
        for pass in all[passes].reversed() where pass.axis == .y {
            // Rows outside the source are read again where they are needed; see `NodeRequest.demand`.
            let isSource = from == nil && plan.level(of: pass.from, along: .y) == 0
            rows =
                isSource
                ? pass.operation.reach(of: rows) : pass.input(for: rows, of: plan.window(of: pass.from).rows)
        }
        if let from { stages.append((from, rows)) } else { addSource(rows, of: plan) }
    }

    /// Adds rows of the source, including rows outside the image, which the edge mode supplies from others.
    mutating func addSource(_ rows: Range<Int>, of plan: Plan) {
        let extent = plan.extent.rows
        source.insert(contentsOf: rows.clamped(to: extent))
        let above = rows.clamped(to: Int.min..<extent.lowerBound)
        let below = rows.clamped(to: extent.upperBound..<Int.max)
        if above.isEmpty, below.isEmpty { return }
        switch EdgeRule(plan.rowEdge).continuation(count: extent.count) {
        case .transparent: break
        case .nearest:
            if !above.isEmpty { source.insert(extent.lowerBound, within: extent) }
            if !below.isEmpty { source.insert(extent.upperBound - 1, within: extent) }
        case .copies:
            for row in above { source.insert(plan.rowEdge.map(row, into: extent) ?? row, within: extent) }
            for row in below { source.insert(plan.rowEdge.map(row, into: extent) ?? row, within: extent) }
        }
    }
}

extension RangeSet<Int> {
    fileprivate mutating func insert(_ row: Int, within extent: Range<Int>) {
        if extent.contains(row) { insert(contentsOf: row..<row + 1) }
    }
}
