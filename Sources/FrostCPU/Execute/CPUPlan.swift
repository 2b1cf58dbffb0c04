import FrostCore

/// A plan with the formats of its images and the numbers it is carried out with: all that its rows depend on, besides
/// pixels and threads.
struct CPUPlan {
    let plan: Plan
    /// Of the source, and of the target.
    let reader: RowConversion
    let writer: RowConversion
    let arithmetic: Arithmetic
    /// Where the output stages or the blend have a mask that is an image.
    let mask: MaskImage?
    let kernels: KernelSet
}

extension CPUPlan {
    /// - Parameter arithmetic: other than that which suits the plan.
    init(
        _ plan: Plan, source: PixelFormat, target: PixelFormat, mask: MaskImage? = nil,
        arithmetic: Arithmetic? = nil, kernels: KernelSet = .best
    ) {
        let reader = RowConversion(format: source, addingAlpha: target.channels.hasAlpha)
        let writer = RowConversion(format: target)
        let suited =
            switch plan.work {
            case .copy, .passes, .kernel2D: Arithmetic(plan, reader: reader, writer: writer)
            // Levels are mixed in floats of RGBA.
            case .blend: Arithmetic(floats: 4)
            }
        self.init(
            plan: plan, reader: reader, writer: writer, arithmetic: arithmetic ?? suited, mask: mask,
            kernels: kernels)
    }

    /// The plan of a level of this blend. Its rows go to the mixture.
    func level(_ level: Blend.Level) -> CPUPlan {
        CPUPlan(
            plan: level.plan, reader: reader, writer: writer,
            arithmetic: Arithmetic(
                level: level.plan, amplification: plan.outputStages.amplification, reader: reader),
            mask: nil, kernels: kernels)
    }

    /// The steps of consecutive passes; for a 2-D kernel, which has no passes, its only one.
    func steps(_ passes: Range<Int>) -> [ChainStep] {
        switch plan.work {
        case .passes(let all):
            passes.upperBound == all.list.count
                ? ColoredInterpolations.fused(arithmetic.steps(all, passes), of: self)
                : arithmetic.steps(all, passes)
        case .kernel2D(let kernel): [.kernel2D(kernel)]
        case .copy, .blend: preconditionFailure("a plan that no chain carries out")
        }
    }

    /// Whether output stages run in fixed point.
    var usesFixedOutputStages: Bool {
        guard arithmetic.outputStages != nil, arithmetic.channels == 4, writer.format.sample == .u8 else {
            return false
        }
        return switch writer.format.channels {
        case .rgb, .rgba: true
        case .grey, .greyAlpha, .bgra: false
        }
    }

    /// What consecutive passes make; for a 2-D kernel the result.
    func place(after passes: Range<Int>) -> Place {
        switch plan.work {
        case .passes(let all): all.list[passes].last?.to ?? .output
        case .kernel2D, .copy, .blend: .output
        }
    }

    /// Memory for what a pass makes at a place.
    func plane(at place: Place) -> RowPlane {
        switch plan.work {
        case .passes(let passes):
            RowPlane(
                window: plan.window(of: place), channels: arithmetic.channels,
                kind: arithmetic.kind(place, of: passes))
        case .copy, .kernel2D, .blend: preconditionFailure("only passes have images between them")
        }
    }

    /// The rows of the source.
    func pixels(_ source: PixelSource) -> RowInput {
        unsafe .pixels(source, reader, extent: plan.extent, edge: plan.rowEdge, decoding: plan.decoding)
    }

    /// What carries out the output stages, which also write the pixels that a blend mixes.
    func outputStages() -> OutputStageRunner {
        OutputStageRunner(plan, reader: reader, writer: writer, arithmetic: arithmetic, mask: mask, kernels: kernels)
    }

    /// Where rows of the result go.
    func output() -> RowOutput {
        plan.outputStages.isEmpty ? .target : .outputStages(outputStages())
    }

    /// What makes rows of the result in one sweep.
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
        BlendDriver.Level(level: level, plan: self.level(level), passes: level.passes.list.indices, read: nil)
    }
}
