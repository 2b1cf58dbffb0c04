import FrostCore

/// What the nodes of a step are made from: the rows and columns that the step has to make, and the ends of the chain.
///
/// SAFETY: the ends outlive the chain.
@safe struct NodeRequest {
    let plan: CPUPlan
    /// The rows and columns that the step has to make.
    var rows: Range<Int>
    var columns: Range<Int>
    /// The node that takes its rows.
    var following: any FlowNode
    /// Whether its rows are those that arrive at the chain.
    var isFirst: Bool
    /// Where the chain's rows come from, if they can be read in any order.
    let input: RowInput?
    /// For the last step: where bytes belong.
    var target: ByteTarget?
    /// For the last step: the output stages that make bytes of its rows.
    var outputStages: OutputStagesTarget?
    let cancellation: Cancellation?

    var channels: Int { plan.arithmetic.channels }
    var kernels: KernelSet { plan.kernels }
}

/// The nodes of a step, and what they read.
struct MadeNodes {
    /// In the order in which rows pass through them.
    let nodes: [any FlowNode]
    /// The rows and columns that arrive at the first node.
    let rows: Range<Int>
    let columns: Range<Int>
    /// Rows need not be written: the first node reads them where they are.
    var readsDirectly = false
    /// The last node writes bytes to where they belong.
    var writesDirectly = false
}

extension ChainStep {
    /// The table of node makers.
    func nodes(_ request: NodeRequest) -> MadeNodes {
        switch self {
        case .pass(let pass):
            switch pass.axis {
            case .x: HorizontalNode.make(pass, request)
            case .y: VerticalNode.make(pass, request)
            }
        case .kernel2D(let kernel):
            switch kernel.reads {
            case .runs(let runs): RunsNode.make(runs, kernel, request)
            case .zoom(let zoom): ZoomNode.make(zoom, kernel, request)
            }
        case .decimation(let y, let x): FixedDecimation.make(y: y, x: x, request)
        case .convolution(let x, let y): FixedConvolution.make(x: x, y: y, request)
        case .interpolation(let x, let y): FixedInterpolation.make(x: x, y: y, request)
        case .colored(let interpolations): interpolations.nodes(request)
        }
    }
}

extension NodeRequest {
    /// The columns of its input that a pass along x needs.
    func columnsRead(_ pass: Pass) -> Range<Int> {
        pass.input(for: columns, of: plan.plan.window(of: pass.from).columns)
    }

    /// The rows that a pass along y needs; mirrored and repeated rows where they are needed, if rows can be read in any
    /// order. (Between two parts of a plan every row that is read exists.)
    ///
    /// - Parameter together: rows that are computed at once.
    func demand(_ pass: Pass, together: Int = 1) -> RowDemand {
        let samples = plan.plan.window(of: pass.from).rows
        let reach = pass.operation.reach(of: rows)
        if arrivesInAnyOrder(reach, of: samples, pass.edge) {
            var pass = pass
            pass.edge = .clamp
            return RowDemand(pass, input: reach, output: rows, together: together)
        }
        return RowDemand(pass, input: pass.input(for: rows, of: samples), output: rows, together: together)
    }

    /// Whether mirrored and repeated rows are read where they are needed.
    func arrivesInAnyOrder(_ reach: Range<Int>, of samples: Range<Int>, _ edge: EdgeMode) -> Bool {
        switch input {
        case .plane, nil: return false
        case .pixels: break
        }
        return edge.hasCopies && (reach.lowerBound < samples.lowerBound || reach.upperBound > samples.upperBound)
    }

    /// The target, if a node can write its kind of bytes.
    func target(writing kinds: [ByteKind]) -> ByteTarget? {
        guard let target = unsafe target, unsafe kinds.contains(target.kind), unsafe target.channels == channels
        else { return nil }
        return unsafe target
    }
}
