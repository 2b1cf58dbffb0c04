import FrostCore

/// What the CPU asks of a kind of work. The kinds conform in files of their own: ``CopyWork``, ``Passes``, ``Kernel2D``,
/// ``Blend`` and ``Refraction``. ``Plan/Work/cpu`` is the only switch.
protocol CPUWork: PlanWork {
    func arithmetic(of plan: Plan, reader: RowConversion, writer: RowConversion) -> Arithmetic
    /// Returns the kind of the rows before the output stages.
    func resultKind(_ arithmetic: Arithmetic) -> RowKind
    /// Returns the steps of the chain of nodes that executes consecutive passes. Work without passes returns all of its
    /// steps, or no step if it has a driver of its own instead of ``PassDriver``.
    func steps(_ passes: Range<Int>, of plan: CPUPlan) -> [ChainStep]
    /// Creates a driver that computes rows of the result in one sweep.
    func driver(_ plan: CPUPlan, rows: Range<Int>, _ memory: CallerMemory) throws(CPUError) -> any RowDriver

    /// Divides a plan into stages.
    ///
    /// - Parameters:
    ///   - isWhole: whether passes become a single stage.
    ///   - isFine: whether the parts of the passes are those of ``Passes/fineParts``.
    func stages(of plan: CPUPlan, isWhole: Bool, isFine: Bool) -> [any Stage]
    /// Adds what a sweep reads to compute some rows of the result.
    func add(_ rows: Range<Int>, in plan: Plan, to reads: inout RowSchedule.Reads)
    /// Whether rows can be computed in blocks without reading nearly all rows for each block.
    var isDivisible: Bool { get }
    /// Returns the plans of the strips of columns for a plan that is computed in blocks of rows.
    func blockStrips(of plan: CPUPlan) -> [CPUPlan]
    /// Whether drivers hold few rows. Prepared plans are then kept, and low blocks of rows cost little.
    var hasLightDrivers: Bool { get }
}

extension Plan.Work {
    /// The work as a value that gives the answers of its kind.
    var cpu: any CPUWork {
        switch self {
        case .copy: CopyWork()
        case .passes(let passes): passes
        case .kernel2D(let kernel): kernel
        case .blend(let blend): blend
        case .refraction(let refraction): refraction
        }
    }
}

extension CPUWork {
    func arithmetic(of plan: Plan, reader: RowConversion, writer: RowConversion) -> Arithmetic {
        Arithmetic(plan, reader: reader, writer: writer)
    }
    func resultKind(_ arithmetic: Arithmetic) -> RowKind { .floats }
    func steps(_ passes: Range<Int>, of plan: CPUPlan) -> [ChainStep] { [] }
    func driver(_ plan: CPUPlan, rows: Range<Int>, _ memory: CallerMemory) throws(CPUError) -> any RowDriver {
        try PassDriver(
            plan, passes: plan.plan.passes.indices, rows: rows, read: nil, output: plan.output(), memory)
    }
    func stages(of plan: CPUPlan, isWhole: Bool, isFine: Bool) -> [any Stage] { [Sweep(plan: plan)] }
    var isDivisible: Bool { true }
    func blockStrips(of plan: CPUPlan) -> [CPUPlan] { plan.strips() }
    var hasLightDrivers: Bool { false }
}

extension CPUPlan {
    /// Returns the steps of consecutive passes; see ``CPUWork/steps(_:of:)``.
    func steps(_ passes: Range<Int>) -> [ChainStep] { plan.work.cpu.steps(passes, of: self) }

    /// Creates a driver that computes rows of the result in one sweep.
    func driver(_ rows: Range<Int>, _ memory: CallerMemory) throws(CPUError) -> any RowDriver {
        try plan.work.cpu.driver(self, rows: rows, memory)
    }

    /// Returns the destination of the result's rows: the target, or the output stages if there are any.
    func output() throws(CPUError) -> RowOutput {
        try .target(plan.outputStages.isEmpty ? nil : OutputStageRunner(self))
    }

    /// Returns an image between two parts of the plan as the destination of rows; the destination of the result's rows for nil.
    func output(to plane: RowPlane?) throws(CPUError) -> RowOutput {
        if let plane { .plane(plane) } else { try output() }
    }
}
