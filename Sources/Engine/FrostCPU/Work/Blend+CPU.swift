import FrostCore

extension Blend: CPUWork {
    func arithmetic(of plan: Plan, reader: RowConversion, writer: RowConversion) -> Arithmetic {
        Arithmetic(self, of: plan, reader: reader, writer: writer)
    }

    func resultKind(_ arithmetic: Arithmetic) -> RowKind { arithmetic.kind(.output, of: []) }

    func driver(_ plan: CPUPlan, rows: Range<Int>, _ memory: CallerMemory) throws(CPUError) -> any RowDriver {
        let levels = levels.map {
            LevelInput(level: $0, plan: plan.level($0.plan), passes: $0.plan.passes.list.indices, read: nil)
        }
        return try BlendDriver(plan, self, levels: levels, rows: rows, memory)
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

extension Arithmetic {
    /// Chooses the arithmetic for a level of a blend.
    ///
    /// - Parameters:
    ///   - plan: the plan of the level.
    ///   - amplification: the maximum factor by which output stages can increase an error of the level.
    ///   - reader: the conversion from the source's format.
    init(level plan: Plan, amplification: Double, reader: RowConversion) {
        guard plan.decoding == nil, let kind = ByteKind(reader),
            let rounding = FixedRoundingError(plan, straight: kind == .straightRGBA),
            (plan.errorBound + rounding.steps) * amplification <= Self.allowance
        else {
            let budget = Self.allowance - (plan.errorBound + FixedRoundingError.conversion) * amplification
            self.init(
                channels: reader.working.count, fixedLevel: nil, convolvesFixed: false, arriving: .floats,
                outputStages: nil, remainingBudget: budget)
            return
        }
        self.init(
            channels: reader.workingInColorStages.count, fixedLevel: rounding.level,
            convolvesFixed: rounding.convolves, arriving: kind == .straightRGBA ? .fixed : .bytes, outputStages: nil,
            remainingBudget: Self.allowance - (plan.errorBound + rounding.steps) * amplification)
    }

    /// Chooses the arithmetic in which the levels of a blend are mixed. The result has RGBA.
    ///
    /// - Parameters:
    ///   - plan: the plan of the blend.
    ///   - reader: the conversion from the source's format.
    ///   - writer: the conversion to the target's format.
    init(_ blend: Blend, of plan: Plan, reader: RowConversion, writer: RowConversion) {
        let amplification = plan.outputStages.amplification
        let levels = (blend.levels.map(\.plan) + blend.otherLevels).map {
            Arithmetic(level: $0.standalone(in: plan), amplification: amplification, reader: reader).remainingBudget
        }
        let budget = (levels.min() ?? 0) - FixedRoundingError.mixture * amplification
        guard plan.decoding == nil, ByteKind(reader) != nil, reader.workingInColorStages == .rgba, budget >= 0 else {
            self.init(floats: 4)
            return
        }
        let fixed = FixedOutputStages(plan.outputStages, within: budget, to: writer.format)
        self.init(
            channels: 4, fixedLevel: 0, convolvesFixed: false, arriving: .fixed, outputStages: fixed,
            remainingBudget: budget)
    }
}

extension CPUPlan {
    /// Creates the CPU plan of one level of this blend, or of an image from which levels are computed. The rows of the
    /// levels are later mixed by ``MixedRows``.
    func level(_ level: Blend.LevelPlan) -> CPUPlan {
        let level = level.standalone(in: plan)
        let arithmetic = Arithmetic(
            level: level, amplification: plan.outputStages.amplification, reader: reader)
        return CPUPlan(
            plan: level, reader: arithmetic.reader(reader), writer: writer, arithmetic: arithmetic, mask: nil,
            kernels: kernels)
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
        // The drivers of tiles are not kept, because together they need much memory.
        let jobs = tiles(of: rect, threads: threads, maximumWidth: keepsDrivers ? rect.width : Self.maximumWidth).map {
            tile in
            let offset = (tile.x - rect.x) * plan.writer.format.bytesPerPixel
            return [
                PlanPart.Band(tile.rows, offset: offset, keepsDriver: false) { (_, memory) throws(CPUError) in
                    // In a tile, a level is computed only for the pixels for which the mask needs it.
                    let needed = zip(inputs, blend.windows(in: tile)).compactMap { level, window in
                        window.map {
                            var level = level
                            level.plan = level.plan.restricted(to: $0)
                            return level
                        }
                    }
                    return try BlendDriver(plan.restricted(to: tile), blend, levels: needed, rows: tile.rows, memory)
                }
            ]
        }
        return [PlanPart(jobs, threads: PlanPart.bands(rect, threads: threads))]
    }

    /// The size of a narrow tile in pixels. The rows of a level that a tile keeps fit in the L2 cache.
    private static let tile = (width: 1024, height: 256)

    /// Divides a rectangle into tiles.
    private func tiles(of rect: Rect, threads: Int, maximumWidth: Int) -> [Rect] {
        let rowCount = max(
            PlanPart.bands(rect, threads: threads), (rect.height + Self.tile.height - 1) / Self.tile.height)
        func tiles(_ columnCount: Int) -> [Rect] {
            (0..<rowCount * columnCount).map { index in
                Rect(
                    columns: rect.columns.band(index % columnCount, of: columnCount),
                    rows: rect.rows.band(index / columnCount, of: rowCount))
            }
        }
        // Short rows cost more per pixel, so tiles are as wide as the rectangle unless narrow tiles save a fifth of the pixels.
        let columnCount = (rect.width + maximumWidth - 1) / maximumWidth
        let (wide, narrow) = (tiles(columnCount), tiles(max(columnCount, rect.width / Self.tile.width)))
        func pixels(_ tiles: [Rect]) -> Int {
            tiles.reduce(0) { sum, tile in
                blend.windows(in: tile).reduce(sum) { $0 + ($1.map { $0.width * $0.height } ?? 0) }
            }
        }
        return 5 * pixels(narrow) < 4 * pixels(wide) ? narrow : wide
    }
}
