import FrostCore

/// A stage of a plan's execution: it computes an image from the source, or from the image of an earlier stage. The last
/// stage of a plan computes the result.
struct Stage {
    let plan: CPUPlan
    let work: Work

    enum Work {
        /// Consecutive passes. They read the image of the stage `from`; nil for the source.
        case passes(Range<Int>, from: Int?)
        /// All work from the source to the result, row by row.
        case sweep
        /// The last passes of the levels of a blend, and the mixture of their rows.
        case mixture(Blend, [MixedLevel])
    }

    /// A level of a blend, and its passes that no earlier stage computes.
    struct MixedLevel {
        let level: Blend.Level
        let plan: CPUPlan
        let passes: Range<Int>
        /// The stage whose image the passes read; nil for the source.
        let from: Int?
    }

    /// The place that the stage computes.
    private var place: Place {
        switch work {
        case .passes(let passes, _): plan.place(after: passes)
        case .sweep, .mixture: .output
        }
    }

    private var window: Rect { plan.plan.window(of: place) }

    /// Allocates memory for the image, with room for some of its consecutive rows. Returns nil if the image is the result.
    func image(rows: Int) -> RowPlane? { place == .output ? nil : plan.plane(at: place, rows: rows) }

    /// Returns memory for rows of the result that have to wait.
    func waitingRows(_ rows: Range<Int>) -> WaitingRows {
        WaitingRows(Rect(columns: window.columns, rows: rows), bytesPerPixel: plan.writer.format.bytesPerPixel)
    }

    /// Whether the stage can compute its image in blocks of rows without reading nearly all rows for each of them.
    var isDivisible: Bool {
        switch plan.plan.work {
        case .copy, .passes, .blend: return true
        case .kernel2D(let kernel):
            switch kernel.reads {
            case .runs: return true
            case .zoom: return false
            }
        }
    }
}

// How a plan is divided into stages.
extension Stage {
    /// Divides a plan into stages.
    ///
    /// - Parameters:
    ///   - isWhole: whether passes become a single stage.
    ///   - isFine: whether the parts of the passes are those of ``Passes/fineParts``.
    static func stages(of plan: CPUPlan, isWhole: Bool, isFine: Bool) -> [Stage] {
        var stages: [Stage] = []
        switch plan.plan.work {
        case .copy, .kernel2D: break
        case .passes(let passes):
            let parts = isFine ? passes.fineParts : passes.bandedParts
            if !isWhole, parts.count > 1 {
                append(plan, parts, from: nil, to: &stages)
                return stages
            }
        case .blend(let blend):
            let levels = levels(plan, blend, isFine: isFine, &stages)
            return stages + [Stage(plan: plan, work: .mixture(blend, levels))]
        }
        return [Stage(plan: plan, work: .sweep)]
    }

    /// Appends stages that compute consecutive passes of a plan.
    ///
    /// - Parameter from: the stage whose image the first pass reads; nil for the source.
    static func append(_ plan: CPUPlan, _ parts: [Range<Int>], from: Int?, to stages: inout [Stage]) {
        var from = from
        for part in parts where !part.isEmpty {
            stages.append(Stage(plan: plan, work: .passes(part, from: from)))
            from = stages.count - 1
        }
    }

    /// Divides the levels of a blend. The decimations that levels share form the first stages. The other passes of each level
    /// form one or more stages, except for the last part of the passes, which runs together with the mixture.
    private static func levels(
        _ plan: CPUPlan, _ blend: Blend, isFine: Bool, _ stages: inout [Stage]
    ) -> [MixedLevel] {
        let decimations = SharedDecimations(plan, blend, &stages)
        return blend.levels.map { level in
            let (own, passes) = (plan.level(level.plan), level.plan.passes)
            let shared = decimations.image(level.decimation, for: own.arithmetic, of: passes)
            let rest = (shared?.passCount ?? 0)..<passes.list.count
            let parts = isFine && passes.bandedParts.count > 1 ? passes.fineParts : passes.bandedParts
            guard let last = parts.last, last.lowerBound > rest.lowerBound else {
                return MixedLevel(level: level, plan: own, passes: rest, from: shared?.stage)
            }
            append(own, parts.dropLast().map { $0.clamped(to: rest) }, from: shared?.stage, to: &stages)
            return MixedLevel(level: level, plan: own, passes: last, from: stages.count - 1)
        }
    }
}

// How a stage computes some of its rows.
extension Stage {
    /// Returns the parts of the work that compute some rows, in order.
    ///
    /// - Parameters:
    ///   - images: the images of all stages; nil for the result.
    ///   - output: the stage's own image; nil for the result.
    func parts(
        _ rows: Range<Int>, images: [RowPlane?], output: RowPlane?, threads: Int, keepsDrivers: Bool
    ) -> [PlanPart] {
        let rect = Rect(columns: window.columns, rows: rows)
        switch work {
        case .passes(let passes, let from):
            let input = from.flatMap { images[$0] }
            return strips(threads: threads, isLimited: !keepsDrivers).map { strip in
                PlanPart(
                    Rect(columns: strip.plan.window(of: place).columns, rows: rows), threads: threads,
                    offset: output == nil ? strip.offset(in: plan) : 0, keepsDrivers: keepsDrivers
                ) { rows, memory in
                    PassDriver(
                        strip, passes: passes, rows: rows, read: input,
                        output: output.map { .plane($0) } ?? strip.output(), memory)
                }
            }
        case .sweep: return sweep(rect, threads: threads, keepsDrivers: keepsDrivers)
        case .mixture(let blend, let levels):
            let plan = plan
            let drawn = levels.map {
                BlendDriver.Level(
                    level: $0.level, plan: $0.plan, passes: $0.passes, read: $0.from.flatMap { images[$0] })
            }
            // In a tile, a level is computed only for the pixels for which the mask needs it.
            return [
                PlanPart(
                    tiles: rect, threads: threads,
                    maximumWidth: keepsDrivers ? rect.width : Self.mixedWidth,
                    bytesPerPixel: plan.writer.format.bytesPerPixel,
                    area: { tile in blend.windows(in: tile).reduce(0) { $0 + ($1.map { $0.width * $0.height } ?? 0) } }
                ) { tile, memory in
                    let needed = zip(drawn, blend.windows(in: tile)).compactMap { level, window in
                        window.map { level.restricted(to: $0) }
                    }
                    return BlendDriver(plan.restricted(to: tile), blend, levels: needed, rows: tile.rows, memory)
                }
            ]
        }
    }

    /// Returns plans for strips of the image's columns, from left to right; only the stage's plan if drivers may have any width.
    private func strips(threads: Int, isLimited: Bool) -> [CPUPlan] {
        let width = Self.driverWidth(threads: threads) >> plan.level(of: place, along: .x)
        guard isLimited, window.width > width else { return [plan] }
        let count = (window.width + width - 1) / width
        return (0..<count).map {
            plan.restricted(to: Rect(columns: window.columns.band($0, of: count), rows: window.rows), at: place)
        }
    }

    /// The maximum number of columns that a driver computes in a plan that should need little memory: a driver keeps a few
    /// hundred bytes for each column of the source.
    private static func driverWidth(threads: Int) -> Int { max(2048, (1 << 15) / threads) }

    /// The same for the drivers of a mixture. They keep as much for each level that a tile shows, and sums of 32 rows.
    private static let mixedWidth = 2048

    private func sweep(_ rect: Rect, threads: Int, keepsDrivers: Bool) -> [PlanPart] {
        let plan = plan
        let bands: Int
        switch plan.plan.work {
        // Source and target of a copy may be the same memory, and then the rows have to be moved in order.
        case .copy: bands = 1
        case .kernel2D, .passes, .blend: bands = threads
        }
        if rect == plan.plan.region, plan.plan.isDividedByColumns(threads: threads) {
            return [PlanPart(strips: plan.strips(threads: PlanPart.bands(rect, threads: threads)), of: plan)]
        }
        // The drivers of 2-D kernels keep many rows. A plan that is computed in blocks should need little memory.
        let strips = rect == plan.plan.region ? plan.strips() : plan.blockStrips()
        return strips.map { strip in
            PlanPart(
                Rect(columns: strip.plan.region.columns, rows: rect.rows), threads: bands,
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

// What a stage reads.
extension Stage {
    /// The stage as a ``RowSchedule`` needs it.
    var scheduled: RowSchedule.Stage {
        let floats: Int
        if place == .output {
            floats = (window.width * plan.writer.format.bytesPerPixel + 3) / 4
        } else {
            floats = plan.floatsPerRow(at: place)
        }
        return RowSchedule.Stage(rows: window.rows, bytesPerRow: RowStorage.bytesPerRow(floats: floats)) { reads($0) }
    }

    /// Returns what the stage reads to compute some of its rows.
    private func reads(_ rows: Range<Int>) -> RowSchedule.Reads {
        var reads = RowSchedule.Reads()
        switch work {
        case .passes(let passes, let from): reads.add(rows, by: passes, of: plan.plan, from: from)
        case .sweep:
            switch plan.plan.work {
            // A copy moves each row only once, in order, so it may replace the rows that it reads.
            case .copy: break
            case .passes(let passes): reads.add(rows, by: passes.list.indices, of: plan.plan, from: nil)
            case .kernel2D(let kernel): reads.addSource(kernel.reach(of: rows, along: .y), of: plan.plan)
            case .blend: preconditionFailure("a blend is a mixture of levels")
            }
        case .mixture(let blend, let levels):
            let windows = blend.windows(in: Rect(columns: window.columns, rows: rows))
            for (level, window) in zip(levels, windows) {
                guard let window else { continue }
                reads.add(window.rows, by: level.passes, of: level.plan.plan, from: level.from)
            }
        }
        if place == .output, plan.plan.outputStages.readsOriginal { reads.addSource(rows, of: plan.plan) }
        return reads
    }
}

extension RowSchedule.Reads {
    /// Adds what consecutive passes read to compute some rows of the last pass.
    ///
    /// - Parameter from: the stage whose image the first pass reads; nil for the source.
    fileprivate mutating func add(_ rows: Range<Int>, by passes: Range<Int>, of plan: Plan, from: Int?) {
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
    fileprivate mutating func addSource(_ rows: Range<Int>, of plan: Plan) {
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

extension Passes {
    /// The passes, grouped into parts; each part runs over the whole image before the next part begins.
    ///
    /// Two neighbouring bands of output rows read some of the same input rows, and both compute these rows. The lower
    /// the resolution that a part reaches, the larger is this overlap in the full image. The plan is therefore cut at
    /// an eighth of the height: the decimations down to an eighth form one part, and the interpolations from an eighth
    /// up to the full height form another part. At an eighth, the overlap of a band is still only a few dozen rows, and
    /// the image between the parts is small. Passes that keep the height, or halve it once, form a single part.
    var bandedParts: [Range<Int>] {
        let lowest = slots.map(\.levelY).max() ?? 0
        guard lowest > 1 else { return [0..<list.count] }
        let cut = min(lowest, 3)
        let down = count(decimatingTo: cut)
        guard lowest > 3, let up = slots.lastIndex(where: { $0.levelY == cut }) else {
            return [0..<down, down..<list.count]
        }
        return [0..<down, down..<up + 1, up + 1..<list.count]
    }

    /// The parts of ``bandedParts``, but the decimations are also cut after the last one, and at every other level below an
    /// eighth of the height. So a block of rows of each part reads few rows beside its own.
    var fineParts: [Range<Int>] {
        let lowest = slots.map(\.levelY).max() ?? 0
        let levels = Set(stride(from: 5, to: lowest, by: 2)).union([lowest])
        let cuts = levels.filter { $0 > 0 }.map { count(decimatingTo: $0) }.sorted()
        return bandedParts.flatMap { part in
            let inside = cuts.filter { part.lowerBound < $0 && $0 < part.upperBound }
            return zip([part.lowerBound] + inside, inside + [part.upperBound]).map { $0..<$1 }
        }
    }

    /// Returns the number of passes that compute the first image with a level along y. The decimation along x that follows is
    /// counted, because it makes the image smaller.
    private func count(decimatingTo level: Int) -> Int {
        var last = slots.firstIndex { $0.levelY == level } ?? 0
        while last + 1 < slots.count, case .decimate = list[last + 1].operation, list[last + 1].axis == .x { last += 1 }
        return last + 1
    }
}
