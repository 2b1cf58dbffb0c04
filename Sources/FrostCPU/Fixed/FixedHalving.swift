import CFrostKernels
import FrostCore

/// Halves the resolution along y and then along x, in fixed-point numbers. Reads the image's bytes where they are, or
/// rows that arrive.
@safe final class FixedHalving: FlowNode {
    private let following: any FlowNode
    let inputKind: RowKind
    private let schedule: RowSchedule
    private let kernels: KernelSet
    private let channels: Int
    private let taps: Int
    private let input: Range<Int>
    private let output: Range<Int>
    /// Two rows at a time: they read most of their rows in common.
    private let halves: [HalfRows]
    private let edges: EdgeCells
    private let reach: Range<Int>
    /// Rows that arrive; nil where they are read from `source`.
    private let ring: RowStorage?
    private let blank: RowStorage
    private var source: ByteRows?
    private let bytes: RowList<UInt8>
    private let numbers: RowList<UInt16>
    private var next: Int
    private var cancellation: Cancellation?

    /// - Parameters:
    ///   - schedule: of the pass along y.
    ///   - across: the pass along x.
    ///   - source: where bytes are read; nil if rows of `kind` arrive.
    ///   - input: the columns that arrive, or are read.
    ///   - output: the cells that are computed.
    init(
        _ schedule: RowSchedule, across: Pass, kind: RowKind, source: ByteRows?, input: Range<Int>,
        output: Range<Int>, channels: Int, kernels: KernelSet, cancellation: Cancellation?, following: any FlowNode
    ) {
        self.following = following
        inputKind = kind
        self.schedule = schedule
        self.kernels = kernels
        self.channels = channels
        self.input = input
        self.output = output
        self.cancellation = cancellation
        unsafe self.source = source
        taps = schedule.taps.count
        reach = across.operation.reach(of: output)
        edges = EdgeCells(reach, beyond: input, edge: across.edge)
        let all = min(reach.lowerBound, input.lowerBound)..<max(reach.upperBound, input.upperBound)
        halves = (0..<2).map { _ in HalfRows(all, channels: channels) }
        let size = kind == .bytes ? 1 : 2
        let floats = (input.count * channels * size + 3) / 4
        ring = unsafe source == nil ? RowStorage(rows: schedule.capacity, floats: floats) : nil
        blank = RowStorage(rows: 1, floats: floats)
        bytes = RowList(kind == .bytes ? taps + 2 + Self.ahead : 0)
        numbers = RowList(kind == .bytes ? 0 : taps)
        next = schedule.output.lowerBound
    }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer {
        unsafe UnsafeMutableRawPointer((ring ?? blank).row(ring == nil ? 0 : schedule.place(index)))
    }

    func restart(_ memory: CallerMemory) {
        next = schedule.output.lowerBound
        cancellation = memory.cancellation
        if let pixels = unsafe memory.source { unsafe source?.source = pixels }
    }

    func accept(_ index: Int) throws(CPUError) {
        while true {
            let count = schedule.rowsReady(next, after: index, readsAnyRow: unsafe source != nil)
            guard count > 0 else { return }
            if cancellation?.isCancelled == true { throw .cancelled }
            if inputKind == .bytes { sumBytes(count) } else { sumNumbers(count) }
            for row in 0..<count {
                let halves = halves[row]
                unsafe edges.fill(channels: channels) { unsafe halves.pixel($0) }
                let (first, second) = unsafe halves.pair(reach.lowerBound)
                unsafe kernels.table.pointee.fixed_halve_row(
                    first, second, Int32(taps), following.inputRow(next).assumingMemoryBound(to: UInt16.self),
                    Int32(output.count), Int32(channels))
                next += 1
                try following.accept(next - 1)
            }
        }
    }

    /// Rows that two more rows of the result will read, and these do not.
    private static let ahead = 4

    /// The pass along y, into the halves.
    private func sumBytes(_ count: Int) {
        let read = taps + 2 * (count - 1)
        // In place: rows beyond the last of the band are read by no one, but asking for them does no harm.
        let ahead = unsafe source != nil && count == 2 ? Self.ahead : 0
        for t in 0..<read + ahead {
            let from = unsafe under(t, of: next) ?? UnsafeRawPointer(blank.row(0))
            unsafe bytes.set(t, from.assumingMemoryBound(to: UInt8.self))
        }
        let (a, b) = unsafe (halves[0].pair(input.lowerBound), halves[1].pair(input.lowerBound))
        unsafe withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<UInt16>?.self, capacity: 4) { places in
            unsafe (places[0], places[1], places[2], places[3]) = (a.0, b.0, a.1, b.1)
            unsafe kernels.table.pointee.fixed_halve_bytes(
                bytes.base, Int32(taps), places.baseAddress, places.baseAddress.map { unsafe $0 + 2 }, Int32(count),
                Int32(ahead), Int32(input.count), Int32(channels))
        }
    }

    private func sumNumbers(_ count: Int) {
        for row in 0..<count {
            for t in 0..<taps {
                let from = unsafe under(t, of: next + row) ?? UnsafeRawPointer(blank.row(0))
                unsafe numbers.set(t, from.assumingMemoryBound(to: UInt16.self))
            }
            let (first, second) = unsafe halves[row].pair(input.lowerBound)
            unsafe kernels.table.pointee.fixed_halve_rows(
                numbers.base, Int32(taps), first, second, Int32(input.count), Int32(channels))
        }
    }

    /// The row under a tap; nil for transparent black.
    private func under(_ t: Int, of output: Int) -> UnsafeRawPointer? {
        guard let index = schedule.row(t, of: output) else { return nil }
        if let source = unsafe source { return unsafe source.row(index).map { unsafe UnsafeRawPointer($0) } }
        return unsafe UnsafeRawPointer(inputRow(index))
    }
}

/// A row of pixels, every other one in a row of its own: so filters that halve or double read and write whole vectors.
///
/// SAFETY: owns its memory; pixels lie within the range.
@safe struct HalfRows {
    private let rows: FixedRows
    private let start: Int
    private let channels: Int

    init(_ pixels: Range<Int>, channels: Int) {
        start = pixels.lowerBound
        self.channels = channels
        rows = FixedRows(rows: 2, count: (pixels.count / 2 + 1) * channels)
    }

    func pixel(_ x: Int) -> UnsafeMutablePointer<UInt16> {
        unsafe rows.row((x - start) & 1) + ((x - start) >> 1) * channels
    }

    /// Where pixels x, x + 2, … and x + 1, x + 3, … lie.
    func pair(_ x: Int) -> (UnsafeMutablePointer<UInt16>, UnsafeMutablePointer<UInt16>) {
        unsafe (pixel(x), pixel(x + 1))
    }
}

/// Rows of fixed-point numbers, with the slack that kernels need behind each.
///
/// SAFETY: as ``RowStorage``.
@safe struct FixedRows {
    private let storage: RowStorage

    init(rows: Int, count: Int) { storage = RowStorage(rows: rows, floats: (count + 1) / 2) }

    func row(_ index: Int) -> UnsafeMutablePointer<UInt16> {
        unsafe UnsafeMutableRawPointer(storage.row(index)).assumingMemoryBound(to: UInt16.self)
    }
}
