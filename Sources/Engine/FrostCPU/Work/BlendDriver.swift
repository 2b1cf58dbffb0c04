import FrostCore

/// A row driver for a blend of several blur levels. The levels are computed in turn, each only as far as the next rows
/// of the result need (``MixedRows/rowsPerTurn``), so that few rows have to be kept.
final class BlendDriver: RowDriver {
    let inputRows: Range<Int>
    private let levels: [PassDriver]
    private let mixture: MixedRows
    private let outputStages: OutputStageRunner
    private let rows: Range<Int>
    private var memory: CallerMemory
    private var next: Int

    /// Creates a driver for rows of a blend.
    ///
    /// - Parameters:
    ///   - levels: the levels of the blend. Each level states which of its passes are still to run, and which image
    ///     these passes read.
    ///   - rows: the rows of the result.
    init(
        _ plan: CPUPlan, _ blend: Blend, levels: [LevelInput], rows: Range<Int>, _ memory: CallerMemory
    ) throws(CPUError) {
        let mixture = try MixedRows(
            plan.plan, blend, image: plan.mask, kind: blend.resultKind(plan.arithmetic),
            maximum: plan.reader.format.sample.maximum, kernels: plan.kernels)
        self.mixture = mixture
        self.rows = rows
        // The runner writes the mixed pixels even if there are no output stages.
        outputStages = try OutputStageRunner(plan)
        self.memory = memory
        let region = plan.plan.region
        let shown = levels.filter { !rows.clamped(to: $0.plan.plan.region.rows).isEmpty }
        let levels = try shown.map { (work) throws(CPUError) in
            let window = work.plan.plan.region
            let rows = rows.clamped(to: window.rows)
            return try PassDriver(
                work.plan, passes: work.passes, rows: rows, read: work.read,
                output: .mixture(mixture, MixedRows.Level(work.level, columns: window.columns, of: region)), memory)
        }
        self.levels = levels
        let first = levels.map(\.inputRows.lowerBound).min() ?? rows.lowerBound
        inputRows = first..<(levels.map(\.inputRows.upperBound).max() ?? rows.upperBound)
        next = rows.lowerBound
    }

    func restart(_ memory: CallerMemory) {
        self.memory = memory
        for level in levels { level.restart(memory) }
        mixture.restart()
        next = rows.lowerBound
    }

    func advance(to row: Int) throws(CPUError) {
        while next <= row, rows.contains(next) {
            let ready = next..<min(next + MixedRows.rowsPerTurn, rows.upperBound)
            for level in levels { try level.advance(to: ready.upperBound - 1) }
            try mix(ready)
        }
    }

    func push(_ index: Int, _ row: Row) throws(CPUError) {
        for level in levels { try level.push(index, row) }
        while rows.contains(next), levels.allSatisfy({ $0.isDone(with: next) }) {
            try mix(next..<next + 1)
            memory.listener?.rowIsComplete?(next - 1)
        }
    }

    /// Writes the next rows of the result, to which all levels have added their rows.
    private func mix(_ ready: Range<Int>) throws(CPUError) {
        next = ready.upperBound
        // Copied once, because a change of a reference count waits for all bytes that were written around the caches.
        let (memory, mixture, outputStages) = (memory, mixture, outputStages)
        for row in ready {
            let values = try mixture.take(row)
            guard let target = memory.target else { continue }
            outputStages.write(row, values, to: target.row(row), streams: target.streams, memory.originals)
        }
    }
}
