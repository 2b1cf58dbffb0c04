import CFrostKernels
import FrostCore

/// A node for a pass along y, in floats. It keeps the input rows that its taps and the edge mode still need. If
/// possible, it reads the rows directly from the source instead of keeping them.
@safe final class VerticalNode: FlowNode {
    private let following: any FlowNode
    private let demand: RowDemand
    private let taps: RowStorage
    private let kernels: KernelSet
    private let samples: Int
    /// The input rows that are kept; nil if rows are read directly from the source.
    private let storage: RowStorage?
    private let blank: RowStorage
    private var next: Int
    private var pointers: [UnsafePointer<Float>?]
    private var bytes: [UnsafePointer<UInt8>?]
    private var source: RowSource?
    private var target: ByteTarget?
    private var cancellation: Cancellation?

    static func make(_ pass: Pass, _ request: NodeRequest) -> MadeNodes {
        let source = request.isFirst ? unsafe request.input?.rows(columns: request.columns) : nil
        let demand = request.demand(pass)
        // A node converts bytes at one end only: a pass that reads bytes does not write bytes.
        let readsBytes = if case .bytes? = unsafe source { true } else { false }
        let target = unsafe readsBytes ? nil : request.target
        let node = unsafe VerticalNode(demand, source: source, target: target, request)
        return unsafe MadeNodes(
            nodes: [node], rows: demand.input, columns: request.columns, readsDirectly: source != nil,
            writesDirectly: target != nil)
    }

    /// Creates a node for a pass along y.
    ///
    /// - Parameters:
    ///   - source: the rows to read directly; nil if rows are written to ``inputRow(_:)``.
    ///   - target: the rows to write directly; nil if rows go to the next node. The next node is notified of complete
    ///     rows in both cases.
    private init(_ demand: RowDemand, source: RowSource?, target: ByteTarget?, _ request: NodeRequest) {
        following = request.following
        self.demand = demand
        taps = demand.taps.storage
        kernels = request.kernels
        samples = request.columns.count * request.channels
        unsafe self.source = source
        unsafe self.target = target
        cancellation = request.cancellation
        storage = unsafe source == nil ? RowStorage(rows: demand.capacity, floats: samples) : nil
        blank = RowStorage(rows: 1, floats: samples)
        next = demand.output.lowerBound
        unsafe pointers = unsafe [UnsafePointer<Float>?](repeating: nil, count: demand.taps.count)
        unsafe bytes = unsafe [UnsafePointer<UInt8>?](repeating: nil, count: demand.taps.count)
    }

    /// The maximum number of rows that are kept.
    var rowsKept: Int { storage == nil ? 0 : demand.capacity }

    var inputKind: RowKind { .floats }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(stored(index)) }

    private func stored(_ index: Int) -> UnsafeMutablePointer<Float> {
        unsafe storage?.row(demand.place(index)) ?? blank.row(0)
    }

    func restart(_ memory: CallerMemory) {
        next = demand.output.lowerBound
        cancellation = memory.cancellation
        switch unsafe source {
        case .bytes(var rows, let kind):
            if let pixels = unsafe memory.source { unsafe rows.source = pixels }
            unsafe source = .bytes(rows, kind)
        case .plane, nil: break
        }
        if let rows = unsafe memory.target { unsafe target?.rows = rows }
    }

    func accept(_ index: Int) throws(CPUError) {
        while demand.isReady(self.next, after: index) {
            if cancellation?.isCancelled == true { throw .cancelled }
            let row = self.next
            if case .bytes(let source, let kind) = unsafe source {
                unsafe sum(row, from: source, kind, into: following.inputRow(row).assumingMemoryBound(to: Float.self))
            } else {
                collectRows(of: row)
                unsafe pointers.withUnsafeBufferPointer { rows in
                    let table = unsafe kernels.table.pointee
                    let weights = unsafe taps.row(row & 1)
                    let count = Int32(demand.taps.count)
                    let samples = Int32(samples)
                    switch unsafe target?.kind {
                    case nil:
                        unsafe table.weighted_sum(
                            rows.baseAddress, weights, count,
                            following.inputRow(row).assumingMemoryBound(to: Float.self), samples)
                    case .plain?:
                        unsafe table.weighted_sum_to_u8(
                            rows.baseAddress, weights, count, target?.row(row), samples)
                    case .straightRGBA?:
                        unsafe table.weighted_sum_to_rgba8(
                            rows.baseAddress, weights, count, target?.row(row), samples)
                    case .rgb?: preconditionFailure("RGB rows are never processed directly")
                    }
                }
            }
            self.next += 1
            try following.accept(row)
        }
    }

    /// Fills `pointers` with the input rows of an output row.
    private func collectRows(of row: Int) {
        for t in 0..<demand.taps.count {
            let from = demand.row(t, of: row)
            if case .plane(let plane, let offset) = unsafe source, let from {
                unsafe pointers[t] = UnsafePointer((plane.row(from) + offset).assumingMemoryBound(to: Float.self))
            } else {
                unsafe pointers[t] = UnsafePointer(from.map { unsafe stored($0) } ?? blank.row(0))
            }
        }
    }

    private func sum(
        _ row: Int, from source: ByteRows, _ kind: ByteKind, into out: UnsafeMutablePointer<Float>
    ) {
        for t in 0..<demand.taps.count {
            let from = unsafe demand.row(t, of: row).flatMap { unsafe source.row($0) }
            unsafe bytes[t] = from ?? UnsafeRawPointer(blank.row(0)).assumingMemoryBound(to: UInt8.self)
        }
        unsafe bytes.withUnsafeBufferPointer { rows in
            let table = unsafe kernels.table.pointee
            let weights = unsafe taps.row(row & 1)
            switch kind {
            case .plain:
                unsafe table.weighted_sum_from_u8(
                    rows.baseAddress, weights, Int32(demand.taps.count), out, Int32(samples))
            case .straightRGBA:
                unsafe table.weighted_sum_from_rgba8(
                    rows.baseAddress, weights, Int32(demand.taps.count), out, Int32(samples))
            case .rgb: preconditionFailure("RGB rows are never processed directly")
            }
        }
    }
}
