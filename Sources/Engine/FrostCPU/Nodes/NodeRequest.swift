import FrostCore

/// The information from which a step creates its nodes: the rows and columns that the step computes, and the two ends
/// of the chain.
///
/// SAFETY: the memory at the ends of the chain outlives the chain.
@safe struct NodeRequest {
    let plan: CPUPlan
    /// The rows and columns that the step computes.
    var rows: Range<Int>
    var columns: Range<Int>
    /// The node that takes the step's output rows.
    var following: any FlowNode
    /// Whether the step is the first step of the chain. The input rows of the first step are the input rows of the
    /// chain.
    var isFirst: Bool
    /// The source of the chain's input rows, if it can be read in any order; otherwise nil.
    let input: RowInput?
    /// The target to which the last step may write directly; nil for all other steps.
    var target: DirectTarget?
    /// The target to which the last step may write through an encoder; nil for all other steps.
    var encoded: EncodedTarget?
    let cancellation: Cancellation?

    var channels: Int { plan.arithmetic.channels }
    var kernels: KernelSet { plan.kernels }
}

/// The nodes of a step, and the rows and columns that they read.
struct MadeNodes {
    /// The nodes, in the order in which rows pass through them.
    let nodes: [any FlowNode]
    /// The rows and columns that arrive at the first node.
    let rows: Range<Int>
    let columns: Range<Int>
    /// Whether the first node reads input rows directly from the source, so that they need not be written.
    var readsDirectly = false
    /// Whether the last node writes bytes directly to the target.
    var writesDirectly = false
}

extension NodeRequest {
    /// Returns the input columns that a pass along x needs.
    func columnsRead(_ pass: Pass) -> Range<Int> {
        pass.input(for: columns, of: plan.plan.window(of: pass.from).columns)
    }

    /// Returns the rows that a pass along y needs. If the source can be read in any order, its mirrored and repeated rows
    /// are read again where they are needed. Those of lower resolutions are kept. (The image between two parts of a plan
    /// contains all rows that the next part reads.)
    ///
    /// - Parameters:
    ///   - arriving: the maximum number of input rows that arrive together.
    ///   - together: the number of output rows that are computed together.
    func demand(_ pass: Pass, arriving: Int, together: Int = 1) -> RowDemand {
        let samples = plan.plan.window(of: pass.from).rows
        let reach = pass.operation.reach(of: rows)
        if plan.plan.level(of: pass.from, along: .y) == 0, arrivesInAnyOrder(reach, of: samples, pass.edge.mode) {
            var pass = pass
            pass.edge = EdgeRule(.clamp)
            return RowDemand(pass, input: reach, output: rows, arriving: arriving, together: together)
        }
        return RowDemand(
            pass, input: pass.input(for: rows, of: samples), output: rows, arriving: arriving, together: together)
    }

    /// Returns whether mirrored and repeated rows are read from the source where they are needed, instead of being
    /// kept.
    func arrivesInAnyOrder(_ reach: Range<Int>, of samples: Range<Int>, _ edge: EdgeMode) -> Bool {
        switch input {
        case .plane, nil: return false
        case .pixels: break
        }
        return edge.hasCopies && (reach.lowerBound < samples.lowerBound || reach.upperBound > samples.upperBound)
    }

    /// The number of output rows to compute together: ``targetRows`` if the step writes the target. But if rows are pushed, as
    /// few as the step allows, so that each row is written as soon as the rows that it reads have arrived.
    ///
    /// - Parameters:
    ///   - writesTarget: whether the step writes the target.
    ///   - least: the minimum number.
    func rowsTogether(writesTarget: Bool, least: Int) -> Int {
        guard input != nil else { return least }
        return writesTarget ? Self.targetRows : max(least, min(Self.targetRows, following.rowsTogether))
    }

    /// The maximum number of input rows that a node takes together: as many as stay in the L1 cache while the node reads
    /// them. But if rows are pushed, as few as the preceding node allows, so that each leaves as early as it can.
    ///
    /// - Parameters:
    ///   - bytes: the size of an input row.
    ///   - least: the minimum number if rows are not pushed.
    func rowsArriving(bytes: Int, least: Int = 2) -> Int {
        Self.rowsArriving(bytes: bytes, isPushed: input == nil, least: least)
    }

    static func rowsArriving(bytes: Int, isPushed: Bool, least: Int = 2) -> Int {
        isPushed ? 2 : max(least, min(32, (16 << 10) / max(bytes, 1)))
    }

    /// The number of rows of the target that are computed together. The kernel then reads each input row less often from the
    /// L2 cache.
    static let targetRows = 8

    /// Returns the target and the kind of its bytes, if the kind is one of `kinds`. Otherwise returns nil.
    func target(writing kinds: [ByteKind]) -> (target: DirectTarget, kind: ByteKind)? {
        guard let target = unsafe target, let kind = unsafe target.conversion.directKind, kinds.contains(kind) else {
            return nil
        }
        return unsafe (target, kind)
    }
}
