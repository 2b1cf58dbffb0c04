import FrostCore

extension Blend: CPUWork {
    func arithmetic(of plan: Plan, reader: RowConversion, writer: RowConversion) -> Arithmetic {
        Arithmetic(self, of: plan, reader: reader, writer: writer)
    }

    func resultKind(_ arithmetic: Arithmetic) -> RowKind { arithmetic.fixedLevel == nil ? .floats : .fixed }

    func driver(_ plan: CPUPlan, rows: Range<Int>, _ memory: CallerMemory) -> any RowDriver {
        let levels = levels.map {
            LevelInput(level: $0, plan: plan.level($0.plan), passes: $0.plan.passes.list.indices, read: nil)
        }
        return BlendDriver(plan, self, levels: levels, rows: rows, memory)
    }

    /// Divides the levels. The decimations that levels share form the first stages. The other passes of each level form one
    /// or more stages, except for the last part of the passes, which runs together with the mixture.
    func stages(of plan: CPUPlan, isWhole: Bool, isFine: Bool) -> [any Stage] {
        var stages: [any Stage] = []
        let decimations = SharedDecimations(plan, self, &stages)
        let mixed = levels.map { level -> (input: LevelInput, from: Int?) in
            let (own, passes) = (plan.level(level.plan), level.plan.passes)
            let shared = decimations.image(level.decimation, for: own.arithmetic, of: passes)
            let rest = (shared?.passCount ?? 0)..<passes.list.count
            let parts = isFine && passes.bandedParts.count > 1 ? passes.fineParts : passes.bandedParts
            guard let last = parts.last, last.lowerBound > rest.lowerBound else {
                return (LevelInput(level: level, plan: own, passes: rest, read: nil), shared?.stage)
            }
            PassStage.append(own, parts.dropLast().map { $0.clamped(to: rest) }, from: shared?.stage, to: &stages)
            return (LevelInput(level: level, plan: own, passes: last, read: nil), stages.count - 1)
        }
        return stages + [BlendStage(plan: plan, blend: self, levels: mixed)]
    }

    func add(_ rows: Range<Int>, in plan: Plan, to reads: inout RowSchedule.Reads) {
        for level in levels {
            reads.add(
                rows.clamped(to: level.plan.region.rows), by: level.plan.passes.list.indices,
                of: level.plan.standalone(in: plan), from: nil)
        }
    }
}

/// A level of a blend, and the passes of the level that are still to run.
struct LevelInput {
    let level: Blend.Level
    /// The plan for the pixels for which the level is computed.
    var plan: CPUPlan
    let passes: Range<Int>
    /// The image that the passes read; nil for the source.
    var read: RowPlane?
}

/// A stage that runs the last passes of the levels of a blend, and mixes their rows.
private struct BlendStage: Stage {
    let plan: CPUPlan
    let blend: Blend
    /// The levels, each with the stage whose image its passes read; nil for the source.
    let levels: [(input: LevelInput, from: Int?)]

    var place: Place { .output }

    /// The maximum number of columns of a tile in a plan that should need little memory. Drivers keep a few hundred bytes for
    /// each column and each level that a tile shows, and sums of 32 rows.
    private static let maximumWidth = 2048

    func inputs(of rows: Range<Int>) -> RowSchedule.Reads {
        var reads = RowSchedule.Reads()
        let windows = blend.windows(in: Rect(columns: window.columns, rows: rows))
        for ((level, from), window) in zip(levels, windows) {
            guard let window else { continue }
            reads.add(window.rows, by: level.passes, of: level.plan.plan, from: from)
        }
        return reads
    }

    func parts(
        _ rows: Range<Int>, images: [RowPlane?], output: RowPlane?, threads: Int, keepsDrivers: Bool
    ) -> [PlanPart] {
        let (plan, blend, rect) = (plan, blend, Rect(columns: window.columns, rows: rows))
        let inputs = levels.map { level, from in
            var level = level
            level.read = from.flatMap { images[$0] }
            return level
        }
        // In a tile, a level is computed only for the pixels for which the mask needs it.
        return [
            PlanPart(
                tiles: rect, threads: threads, maximumWidth: keepsDrivers ? rect.width : Self.maximumWidth,
                bytesPerPixel: plan.writer.format.bytesPerPixel,
                area: { tile in blend.windows(in: tile).reduce(0) { $0 + ($1.map { $0.width * $0.height } ?? 0) } }
            ) { tile, memory in
                let needed = zip(inputs, blend.windows(in: tile)).compactMap { level, window in
                    window.map {
                        var level = level
                        level.plan = level.plan.restricted(to: $0)
                        return level
                    }
                }
                return BlendDriver(plan.restricted(to: tile), blend, levels: needed, rows: tile.rows, memory)
            }
        ]
    }
}
