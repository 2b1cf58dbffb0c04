import FrostCore

/// A plan together with the formats of its images, its arithmetic, its mask image and the kernels. The pixels of a
/// result depend only on these values and on the source's pixels, not on the number of threads.
struct CPUPlan {
    let plan: Plan
    /// The conversions from the source's format (`reader`) and to the target's format (`writer`).
    let reader: RowConversion
    let writer: RowConversion
    let arithmetic: Arithmetic
    /// The mask image, if the output stages or the blend have a mask that is an image.
    let mask: MaskImage?
    let kernels: KernelSet
}

extension CPUPlan {
    /// Creates a CPU plan. Chooses the arithmetic if the caller gives none.
    ///
    /// - Parameter arithmetic: the arithmetic to use; nil to choose the arithmetic that suits the plan.
    init(
        _ plan: Plan, source: PixelFormat, target: PixelFormat, mask: MaskImage? = nil,
        arithmetic: Arithmetic? = nil, kernels: KernelSet = .best
    ) {
        let reader = RowConversion(format: source, addingAlpha: target.channels.hasAlpha)
        let writer = RowConversion(format: target)
        let suited =
            switch plan.work {
            case .copy, .passes, .kernel2D: Arithmetic(plan, reader: reader, writer: writer)
            case .blend(let blend): Arithmetic(blend, of: plan, reader: reader, writer: writer)
            }
        let used = arithmetic ?? suited
        self.init(
            plan: plan, reader: used.reader(reader), writer: writer, arithmetic: used, mask: mask, kernels: kernels)
    }

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

    /// Returns the plan for a part of its region, or of the image at another place. The part has the same pixels as the whole.
    func restricted(to rect: Rect, at place: Place = .output) -> CPUPlan {
        CPUPlan(
            plan: plan.restricted(to: rect, at: place), reader: reader, writer: writer, arithmetic: arithmetic,
            mask: mask,
            kernels: kernels)
    }

    /// Returns the steps of consecutive passes. A plan with a 2-D kernel has no passes; the kernel is its only step.
    func steps(_ passes: Range<Int>) -> [ChainStep] {
        switch plan.work {
        case .passes(let all): arithmetic.steps(all, passes)
        case .kernel2D(let kernel): [.kernel2D(kernel)]
        case .copy, .blend: preconditionFailure("no chain can execute this plan")
        }
    }

    /// Returns the place to which consecutive passes write their result. A 2-D kernel writes to the output.
    func place(after passes: Range<Int>) -> Place {
        plan.passes[passes].last?.to ?? .output
    }

    /// Returns the level of a place's grid along an axis. A 2-D kernel works at level 0.
    func level(of place: Place, along axis: Axis) -> Int { plan.level(of: place, along: axis) }

    /// Returns the level of the image that consecutive passes read. A 2-D kernel reads the source.
    func inputLevel(of passes: Range<Int>, along axis: Axis) -> Int {
        plan.passes[passes].first.map { plan.level(of: $0.from, along: axis) } ?? 0
    }

    /// Allocates memory for the intermediate image at a place between two passes.
    ///
    /// - Parameter rows: the number of consecutive rows that exist at the same time; nil for all rows.
    func plane(at place: Place, rows: Int? = nil) -> RowPlane {
        RowPlane(window: plan.window(of: place), channels: arithmetic.channels, kind: kind(at: place), rows: rows)
    }

    /// Returns the length in floats of a row of the intermediate image at a place between two passes.
    func floatsPerRow(at place: Place) -> Int {
        RowPlane.floatsPerRow(plan.window(of: place).width, channels: arithmetic.channels, kind: kind(at: place))
    }

    private func kind(at place: Place) -> RowKind {
        arithmetic.kind(place, of: plan.slots)
    }

    /// Returns the source as the input of a chain.
    func pixels(_ source: PixelSource) -> RowInput {
        unsafe .pixels(source, reader, extent: plan.extent, edge: plan.rowEdge, decoding: plan.decoding)
    }

    /// Creates a runner of the output stages. For a blend, the runner writes the mixed pixels even if there are no
    /// output stages.
    func outputStages() -> OutputStageRunner {
        OutputStageRunner(self)
    }

    /// Returns the destination of the result's rows: the target, or the output stages if there are any.
    func output() -> RowOutput {
        plan.outputStages.isEmpty ? .target : .outputStages(outputStages())
    }

    /// Creates a driver that computes rows of the result in one sweep.
    func driver(_ rows: Range<Int>, _ memory: CallerMemory) -> any RowDriver {
        switch plan.work {
        case .copy: CopyDriver(self, rows: rows, memory)
        case .passes(let passes):
            PassDriver(self, passes: passes.list.indices, rows: rows, read: nil, output: output(), memory)
        case .kernel2D: PassDriver(self, passes: 0..<0, rows: rows, read: nil, output: output(), memory)
        case .blend(let blend):
            BlendDriver(self, blend, levels: blend.levels.map { wholeLevel($0) }, rows: rows, memory)
        }
    }

    private func wholeLevel(_ level: Blend.Level) -> BlendDriver.Level {
        BlendDriver.Level(level: level, plan: self.level(level.plan), passes: level.plan.passes.list.indices, read: nil)
    }
}
