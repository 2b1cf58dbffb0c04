import FrostCore

extension Refraction: CPUWork {
    func resultKind(_ arithmetic: Arithmetic) -> RowKind { base.resultKind(arithmetic) }

    /// The lens follows the last pass.
    func steps(_ passes: Range<Int>, of plan: CPUPlan) -> [ChainStep] {
        let steps = plan.arithmetic.steps(base, passes)
        guard passes.upperBound == base.list.count else { return steps }
        return steps + [.lens(self, steps.last?.outputKind ?? .floats)]
    }

    func stages(of plan: CPUPlan, isWhole: Bool, isFine: Bool) -> [any Stage] {
        base.stages(of: plan, isWhole: isWhole, isFine: isFine)
    }

    func add(_ rows: Range<Int>, in plan: Plan, to reads: inout RowSchedule.Reads) {
        reads.add(rows, by: base.list.indices, of: plan, from: nil)
    }

    var hasLightDrivers: Bool { true }
}
