import CFrostKernels
import FrostCore

/// A pass along y: keeps as many rows as its taps and the edge rule can still ask for, or reads them where they are.
@safe final class VerticalNode: FlowNode {
    private let following: any FlowNode
    private let schedule: RowSchedule
    private let taps: RowStorage
    private let kernels: KernelSet
    private let samples: Int
    /// Nil where rows are read from the source.
    private let storage: RowStorage?
    private let blank: RowStorage
    private var next: Int
    private var pointers: [UnsafePointer<Float>?]
    private var bytes: [UnsafePointer<UInt8>?]
    private var source: RowSource?
    private var target: ByteTarget?
    private var cancellation: Cancellation?

    /// - Parameters:
    ///   - samples: of a row.
    ///   - source: rows are read from here instead of being written to ``inputRow(_:)``.
    ///   - target: rows are written here instead of to the next node; `emit` still says that they are complete.
    init(
        _ schedule: RowSchedule, samples: Int, kernels: KernelSet, source: RowSource?, target: ByteTarget?,
        cancellation: Cancellation?, following: any FlowNode
    ) {
        self.following = following
        self.schedule = schedule
        taps = schedule.taps.storage
        self.kernels = kernels
        self.samples = samples
        unsafe self.source = source
        unsafe self.target = target
        self.cancellation = cancellation
        storage = unsafe source == nil ? RowStorage(rows: schedule.capacity, floats: samples) : nil
        blank = RowStorage(rows: 1, floats: samples)
        next = schedule.output.lowerBound
        unsafe pointers = unsafe [UnsafePointer<Float>?](repeating: nil, count: schedule.taps.count)
        unsafe bytes = unsafe [UnsafePointer<UInt8>?](repeating: nil, count: schedule.taps.count)
    }

    /// Rows that are kept at the most.
    var rowsKept: Int { storage == nil ? 0 : schedule.capacity }

    var inputKind: RowKind { .floats }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(stored(index)) }

    private func stored(_ index: Int) -> UnsafeMutablePointer<Float> {
        unsafe storage?.row(schedule.place(index)) ?? blank.row(0)
    }

    func restart(_ memory: CallerMemory) {
        next = schedule.output.lowerBound
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
        while schedule.isReady(self.next, after: index) {
            if cancellation?.isCancelled == true { throw .cancelled }
            let row = self.next
            if case .bytes(let source, let kind) = unsafe source {
                unsafe sum(row, from: source, kind, into: following.inputRow(row).assumingMemoryBound(to: Float.self))
            } else {
                collectRows(of: row)
                unsafe pointers.withUnsafeBufferPointer { rows in
                    let table = unsafe kernels.table.pointee
                    let weights = unsafe taps.row(row & 1)
                    let count = Int32(schedule.taps.count)
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
                    case .rgb?: preconditionFailure("RGB is read as it is, or not directly")
                    }
                }
            }
            self.next += 1
            try following.accept(row)
        }
    }

    /// Points `pointers` at the input rows of an output row.
    private func collectRows(of row: Int) {
        for t in 0..<schedule.taps.count {
            let from = schedule.row(t, of: row)
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
        for t in 0..<schedule.taps.count {
            let from = unsafe schedule.row(t, of: row).flatMap { unsafe source.row($0) }
            unsafe bytes[t] = from ?? UnsafeRawPointer(blank.row(0)).assumingMemoryBound(to: UInt8.self)
        }
        unsafe bytes.withUnsafeBufferPointer { rows in
            let table = unsafe kernels.table.pointee
            let weights = unsafe taps.row(row & 1)
            switch kind {
            case .plain:
                unsafe table.weighted_sum_from_u8(
                    rows.baseAddress, weights, Int32(schedule.taps.count), out, Int32(samples))
            case .straightRGBA:
                unsafe table.weighted_sum_from_rgba8(
                    rows.baseAddress, weights, Int32(schedule.taps.count), out, Int32(samples))
            case .rgb: preconditionFailure("RGB is read as it is, or not directly")
            }
        }
    }
}
