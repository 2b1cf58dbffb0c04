import CFrostKernels
import FrostCore

/// Applies colour stages to the low-resolution samples from which the last two interpolations compute the pixels. This
/// is a sixteenth of the work of applying the stages to all pixels.
///
/// The optimisation is for output stages that are linear except for limits, and whose limits come last
/// (``LateLimits``). Interpolation is linear too, so the order of colour stages and interpolation does not matter. The
/// last interpolation clamps and dithers when it writes bytes.
///
/// This folder can be deleted together with ``ChainStep/colored(_:)``. The stages then run pixel by pixel.
struct ColoredInterpolations {
    let first: (x: Pass, y: Pass)
    let second: (x: Pass, y: Pass)
    private let late: LateLimits
    private let taps: [InterpolationTaps]

    /// The level whose samples are coloured.
    private static let level = 2

    /// The number of passes that the step replaces: two interpolations along both axes.
    static let passCount = 4

    /// Replaces the last two interpolations of a plan by a single step, if the output stages allow it. Otherwise
    /// returns the steps unchanged.
    static func fused(_ steps: [ChainStep], of plan: CPUPlan) -> [ChainStep] {
        guard plan.usesFixedOutputStages, !plan.plan.outputStages.stages.isEmpty, plan.arithmetic.fixedLevel == level,
            steps.count >= 2,
            case .interpolation(let x, let y) = steps[steps.count - 2],
            case .interpolation(let lastX, let lastY) = steps[steps.count - 1]
        else { return steps }
        let taps = [InterpolationTaps(x), InterpolationTaps(lastX)]
        guard let late = LateLimits(plan.plan.outputStages.stages, taps, budget: plan.arithmetic.remainingBudget)
        else { return steps }
        let fused = ColoredInterpolations(first: (x, y), second: (lastX, lastY), late: late, taps: taps)
        return steps.dropLast(2) + [.colored(fused)]
    }

    /// Creates the nodes: one that colours the samples, then one for each interpolation.
    func nodes(_ request: NodeRequest) -> MadeNodes {
        guard let runner = unsafe request.outputStages?.runner else {
            preconditionFailure("colouring low-resolution samples needs output stages")
        }
        let colors = SampleColors(late, runner)
        let last = FixedInterpolation.make(x: second.x, y: second.y, request, colored: colors.samples)
        var inner = request
        unsafe (inner.target, inner.outputStages) = (nil, nil)
        (inner.rows, inner.columns, inner.following) = (last.rows, last.columns, last.nodes[0])
        let between = FixedInterpolation.make(x: first.x, y: first.y, inner)
        let node = ColorNode(
            colors, taps, first.x, input: between.columns, output: inner.columns, result: request.columns,
            following: between.nodes[0], runner, kernels: request.kernels)
        return MadeNodes(
            nodes: [node] + between.nodes + last.nodes, rows: between.rows, columns: between.columns,
            writesDirectly: last.writesDirectly)
    }
}

/// The data about coloured samples that the last interpolation needs.
///
/// SAFETY: the object owns the memory that the pointers in ``samples`` refer to.
@safe final class SampleColors {
    let samples: ColoredSamples
    let matrix: frost_color_stage
    /// The minimum alpha of opaque samples.
    let opaque: Float
    private let limits: UnsafeMutablePointer<frost_late_limits>
    private let offsets: PairOffsetTable?
    private let isOpaque: UnsafeMutablePointer<Bool>

    init(_ late: LateLimits, _ runner: OutputStageRunner) {
        matrix = FloatStages([.matrix(late.matrix)], maximum: 255).stages[0]
        opaque = late.opaque
        unsafe limits = .allocate(capacity: 1)
        unsafe limits.initialize(to: late.limits)
        unsafe isOpaque = .allocate(capacity: 1)
        unsafe isOpaque.initialize(to: false)
        offsets = runner.makesBytes ? PairOffsetTable(runner.outputStages.dither, add: late.add) : nil
        samples = unsafe ColoredSamples(
            limits: UnsafePointer(limits), offsets: offsets?.numbers, isOpaque: UnsafePointer(isOpaque))
    }

    deinit {
        unsafe limits.deallocate()
        unsafe isOpaque.deallocate()
    }

    func set(isOpaque: Bool) { unsafe self.isOpaque.pointee = isOpaque }
}

/// A node that applies colour stages to rows of low-resolution samples as they arrive.
///
/// Not thread-safe: each band of rows has its own node.
@safe final class ColorNode: FlowNode {
    private let following: any FlowNode
    let inputKind = RowKind.fixed
    private let colors: SampleColors
    private let kernels: KernelSet
    /// Two rows arrive together, but they leave one at a time, because the following nodes must know whether the rows that
    /// they read at that time are opaque.
    let rowsTogether = 2
    private let arriving: ArrivingRows
    private let input: Range<Int>
    /// The blurred pixels before the colour stages. Some output stages need them, for example to mix the effect with the
    /// original image. Nil if the output stages do not need them.
    private let blurred: BlurredRows?
    /// The maximum number of rows of samples that a pair of output rows is computed from.
    private let kept: Int
    /// `seen` is the number of rows that have arrived. `opaqueRows` is the number of the most recent consecutive rows
    /// that were opaque.
    private var seen = 0
    private var opaqueRows = 0

    /// Creates a node that colours samples.
    ///
    /// - Parameters:
    ///   - x: the pass along x that reads the samples.
    ///   - input: the columns of samples that arrive.
    ///   - output: the columns that the pass along x computes.
    ///   - result: the columns of the result.
    init(
        _ colors: SampleColors, _ taps: [InterpolationTaps], _ x: Pass, input: Range<Int>, output: Range<Int>,
        result: Range<Int>, following: any FlowNode, _ runner: OutputStageRunner, kernels: KernelSet
    ) {
        self.colors = colors
        self.input = input
        self.following = following
        self.kernels = kernels
        let grid = SampleGrid(taps)
        kept = grid.n + grid.maximumSquares
        arriving = ArrivingRows(x, input: input, output: output, channels: 4, kept: kept + 1)
        blurred =
            runner.takesParts
            ? nil : BlurredRows(BlurredPixels(taps, arriving, kernels: kernels), result: result)
        runner.uncolored = blurred
    }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer { unsafe arriving.row(index) }

    func restart(_ memory: CallerMemory) {
        (seen, opaqueRows) = (0, 0)
        blurred?.restart()
    }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        for index in rows {
            color(index)
            try following.accept(index..<index + 1)
        }
    }

    private func color(_ index: Int) {
        let row = unsafe arriving.complete(index) + 4 * input.lowerBound
        var matrix = colors.matrix
        let isOpaque = unsafe kernels.table.pointee.color_samples(
            row, &matrix, following.inputRow(index).assumingMemoryBound(to: UInt16.self), colors.opaque,
            Int32(input.count))
        seen += 1
        opaqueRows = isOpaque != 0 ? opaqueRows + 1 : 0
        colors.set(isOpaque: opaqueRows >= min(seen, kept))
    }
}
