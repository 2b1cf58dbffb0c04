import FrostCore

extension Kernel2D: CPUWork {
    func resultKind(_ arithmetic: Arithmetic) -> RowKind { arithmetic.kind(.output, of: []) }
    func steps(_ passes: Range<Int>, of plan: CPUPlan) -> [ChainStep] { [.kernel2D(self, resultKind(plan.arithmetic))] }
    func add(_ rows: Range<Int>, in plan: Plan, to reads: inout RowSchedule.Reads) {
        reads.addSource(reach(of: rows, along: .y), of: plan)
    }
    /// A row of a kernel that is the same for all pixels reads only nearby rows.
    var isDivisible: Bool { reads.shape.isShiftInvariant }
    /// The drivers keep as many rows as the kernel is high, and a plan that is computed in blocks should need little memory.
    func blockStrips(of plan: CPUPlan) -> [CPUPlan] {
        plan.strips(width: max(Self.stripWidth, 2 * (reach(of: 0..<1, along: .x).count - 1)))
    }

    /// The minimum width of a strip in pixels. Strips are also at least twice as wide as the columns beside them that they
    /// read.
    private static let stripWidth = 512
}
