import FrostCore

/// A node executes one or more passes of a chain. Input rows arrive in order, and output rows leave in order. Several
/// rows arrive or leave at a time, because calls from node to node would take most of the time of short rows.
///
/// A node owns the memory of its input rows, so that a row is written only once, to the place where it is used.
protocol FlowNode: AnyObject {
    var inputKind: RowKind { get }
    /// The rows that arrive, in this order. For the first node of a chain whose input can be read in any order, the range
    /// may extend outside the image: whoever writes the rows then applies the edge mode.
    var inputRows: Range<Int> { get }
    /// The columns of the rows that arrive.
    var inputColumns: Range<Int> { get }
    /// Whether the node reads the chain's input itself. Input rows are then accepted without having been written.
    var readsDirectly: Bool { get }
    /// Returns the memory for input row `index`: the pixels of ``inputColumns``.
    func inputRow(_ index: Int) -> Row
    /// The maximum number of consecutive input rows that are written before they are accepted. It is at least 2 for
    /// rows in fixed point, because ``FixedInterpolation`` computes two rows together.
    var rowsTogether: Int { get }
    /// Starts with the first row of an image. Called before the first row arrives.
    func start(_ memory: CallerMemory)
    /// Takes the next input rows, at most ``rowsTogether``, which have been written. Computes every output row that can
    /// be computed now, writes it to the memory that the following node's ``inputRow(_:)`` returns, and calls `accept`
    /// of the following node before it returns.
    func accept(_ rows: Range<Int>) throws(CPUError)
}

extension FlowNode {
    var readsDirectly: Bool { false }

    /// Does nothing. For nodes that neither count rows nor access the caller's memory.
    func start(_ memory: CallerMemory) {}
}

extension Range<Int> {
    /// Returns consecutive parts of the range, each of at most `count` elements.
    func parts(of count: Int) -> some Sequence<Range<Int>> {
        stride(from: lowerBound, to: upperBound, by: count).lazy.map { $0..<Swift.min($0 + count, upperBound) }
    }
}

/// The information from which a step creates its node: what the step reads and what follows it.
struct NodeRequest {
    let plan: CPUPlan
    /// The node that takes the step's output rows.
    let following: any FlowNode
    /// Whether the step is the first step of the chain. The input rows of the first step are the input rows of the
    /// chain.
    let isFirst: Bool
    /// The source of the chain's input rows, if it can be read in any order and repeatedly; otherwise nil, and rows are
    /// pushed. Nodes may read rows directly from the source. Mirrored and repeated rows are read again when they are needed,
    /// instead of being kept.
    let input: RowInput?
    /// Whether the step writes the samples of the target itself; see ``ChainStep/writesTarget(of:through:)``.
    let writesTarget: Bool
    /// The encoder through which the step writes the target; nil if there are no output stages.
    let encoder: FixedEncoder?
    /// The pixels that the step writes to the target itself if a lens follows; nil for none.
    let plain: PlainPixels?

    /// The rows and columns that the step computes.
    var rows: Range<Int> { following.inputRows }
    var columns: Range<Int> { following.inputColumns }
    var channels: Int { plan.arithmetic.channels }
    var kernels: KernelSet { plan.kernels }
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
        case .image: break
        }
        return edge.hasCopies && (reach.lowerBound < samples.lowerBound || reach.upperBound > samples.upperBound)
    }

    /// The number of output rows to compute together: ``targetRows`` if the step writes the target. But if rows are pushed, as
    /// few as the step allows, so that each row is written as soon as the rows that it reads have arrived.
    ///
    /// - Parameter least: the minimum number.
    func rowsTogether(least: Int) -> Int {
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
}

/// A node that converts rows of floats to fixed-point numbers, or the reverse.
final class RowKindConversion: FlowNode {
    private let following: any FlowNode
    let inputKind: RowKind
    private let rows: RowRing
    let rowsTogether: Int
    private let samples: Int
    private let kernels: KernelSet

    /// Creates a node that converts rows to the kind that the following node reads.
    ///
    /// - Parameter kind: the kind of the rows that arrive: the other one of ``RowKind/floats`` and ``RowKind/fixed``.
    init(from kind: RowKind, _ request: NodeRequest) throws(CPUError) {
        following = request.following
        inputKind = kind
        samples = request.columns.count * request.channels
        kernels = request.kernels
        rowsTogether = request.rowsArriving(bytes: 4 * samples)
        rows = try RowRing(rows: rowsTogether, floats: samples)
    }

    var inputRows: Range<Int> { following.inputRows }
    var inputColumns: Range<Int> { following.inputColumns }

    func inputRow(_ index: Int) -> Row { rows.row(index) }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        for part in rows.parts(of: following.rowsTogether) {
            for index in part {
                inputKind.convert(
                    inputRow(index), to: following.inputKind, following.inputRow(index), samples, kernels)
            }
            try following.accept(part)
        }
    }
}
