import FrostCore

// The steps of a plan whose result replaces its source, or whose images would take too much memory as a whole.

extension PreparedPlan {
    /// The memory in bytes that the waiting rows of passes should take. They are then copied to the target from the cache,
    /// which makes a short blur in place a third faster.
    private static let cachedLimit = 4 << 20

    static func scheduledSteps(
        _ plan: CPUPlan, _ stages: [any Stage], _ key: Key, memoryLimit: Int
    ) throws(CPUError) -> [PlanTask] {
        let (stages, schedule) = arranged(plan, stages, key, memoryLimit: memoryLimit)
        let images = try zip(stages, schedule.capacities).map { (stage, rows) throws(CPUError) in
            try stage.image(rows: rows)
        }
        // The parts and drivers of several blocks together would take much memory, so they are made when a block is computed.
        let keepsDrivers = schedule.steps.count { $0.isOfStage(stages.count - 1) } == 1
        var waiting: [Range<Int>: WaitingRows] = [:]
        return schedule.steps.compactMap { step in
            switch step {
            case .compute(let stage, let rows, let waits):
                let rest = waits ? stages[stage].waitingRows(rows) : nil
                if let rest { waiting[rows] = rest }
                let make = {
                    stages[stage].parts(
                        rows, images: images, output: images[stage], threads: key.threads, keepsDrivers: keepsDrivers)
                }
                let kept = keepsDrivers ? make() : nil
                return .run({ kept ?? make() }, waiting: rest)
            case .replace(let rows): return waiting[rows].map { .replace($0) }
            }
        }
    }

    /// Orders the rows of stages, in blocks if they take more than `memoryLimit` for the whole image.
    static func arranged(
        _ plan: CPUPlan, _ stages: [any Stage], _ key: Key, memoryLimit: Int
    ) -> (stages: [any Stage], schedule: RowSchedule) {
        let schedule = RowSchedule(stages.map(\.scheduled), isInPlace: key.isInPlace)
        // If drivers are heavy, low blocks would cost more time than the cache saves.
        let waiting = key.plan.work.cpu.hasLightDrivers ? min(memoryLimit, cachedLimit) : memoryLimit
        if schedule.fits(memoryLimit, waiting: waiting) || !stages.allSatisfy(\.isDivisible) {
            return (stages, schedule)
        }
        let fine = key.stages(of: plan, isFine: true)
        return (
            fine,
            RowSchedule.fitting(
                memoryLimit, waiting: waiting, fine.map(\.scheduled), isInPlace: key.isInPlace)
        )
    }
}

extension Stage {
    /// The stage as a ``RowSchedule`` needs it.
    fileprivate var scheduled: RowSchedule.Stage {
        let bytes =
            place == .output
            ? RowStorage.bytesPerRow(floats: (window.width * plan.writer.format.bytesPerPixel + 3) / 4)
            : plan.bytesPerRow(at: place)
        let readsOriginal = place == .output && plan.plan.outputStages.readsOriginal
        return RowSchedule.Stage(rows: window.rows, bytesPerRow: bytes) { rows in
            var reads = inputs(of: rows)
            if readsOriginal { reads.addSource(rows, of: plan.plan) }
            return reads
        }
    }

    /// Returns memory for rows of the result that have to wait.
    fileprivate func waitingRows(_ rows: Range<Int>) -> WaitingRows {
        WaitingRows(Rect(columns: window.columns, rows: rows), bytesPerPixel: plan.writer.format.bytesPerPixel)
    }
}

extension RowSchedule.Reads {
    /// Adds what consecutive passes read to compute some rows of the last pass.
    ///
    /// - Parameter from: the stage whose image the first pass reads; nil for the source.
    mutating func add(_ rows: Range<Int>, by passes: Range<Int>, of plan: Plan, from: Int?) {
        let all = plan.passes
        var rows = rows
        if passes.upperBound == all.count { rows = plan.lastRead(for: rows, along: .y) }
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
