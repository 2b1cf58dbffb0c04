import FrostCore

extension Passes: CPUWork {
    func resultKind(_ arithmetic: Arithmetic) -> RowKind {
        arithmetic.steps(self, list.indices).last?.outputKind ?? .floats
    }

    func steps(_ passes: Range<Int>, of plan: CPUPlan) -> [ChainStep] {
        plan.arithmetic.steps(self, passes)
    }

    func stages(of plan: CPUPlan, isWhole: Bool, isFine: Bool) -> [any Stage] {
        let parts = isFine ? fineParts : bandedParts
        if isWhole || parts.count == 1 { return [Sweep(plan: plan)] }
        var stages: [any Stage] = []
        PassStage.append(plan, parts, from: nil, to: &stages)
        return stages
    }

    func add(_ rows: Range<Int>, in plan: Plan, to reads: inout RowSchedule.Reads) {
        reads.add(rows, by: list.indices, of: plan, from: nil)
    }

    var hasLightDrivers: Bool { true }
}

/// A stage that runs consecutive passes.
struct PassStage: Stage {
    let plan: CPUPlan
    private let passes: Range<Int>
    /// The stage whose image the passes read; nil for the source.
    private let from: Int?

    var place: Place { plan.place(after: passes) }

    /// Appends stages that compute consecutive passes of a plan.
    ///
    /// - Parameter from: the stage whose image the first pass reads; nil for the source.
    static func append(_ plan: CPUPlan, _ parts: [Range<Int>], from: Int?, to stages: inout [any Stage]) {
        var from = from
        for part in parts where !part.isEmpty {
            stages.append(PassStage(plan: plan, passes: part, from: from))
            from = stages.count - 1
        }
    }

    func inputs(of rows: Range<Int>) -> RowSchedule.Reads {
        var reads = RowSchedule.Reads()
        reads.add(rows, by: passes, of: plan.plan, from: from)
        return reads
    }

    func parts(
        _ rows: Range<Int>, images: [RowPlane?], output: RowPlane?, threads: Int, keepsDrivers: Bool
    ) -> [PlanPart] {
        let (passes, input) = (passes, from.flatMap { images[$0] })
        return strips(threads: threads, isLimited: !keepsDrivers).map { strip in
            PlanPart(
                Rect(columns: strip.plan.window(of: place).columns, rows: rows), threads: threads,
                offset: output == nil ? strip.offset(in: plan) : 0, keepsDrivers: keepsDrivers
            ) {
                (rows, memory) throws(CPUError) in
                try PassDriver(
                    strip, passes: passes, rows: rows, read: input,
                    output: strip.output(to: output), memory)
            }
        }
    }

    /// Returns plans for strips of the image's columns, from left to right; only the stage's plan if drivers may have any width.
    private func strips(threads: Int, isLimited: Bool) -> [CPUPlan] {
        let width = Self.driverWidth(threads: threads) >> plan.plan.level(of: place, along: .x)
        guard isLimited, window.width > width else { return [plan] }
        let count = (window.width + width - 1) / width
        return (0..<count).map {
            plan.restricted(to: Rect(columns: window.columns.band($0, of: count), rows: window.rows), at: place)
        }
    }

    /// The maximum number of columns that a driver computes in a plan that should need little memory: a driver keeps a few
    /// hundred bytes for each column of the source.
    private static func driverWidth(threads: Int) -> Int { max(2048, (1 << 15) / threads) }
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
