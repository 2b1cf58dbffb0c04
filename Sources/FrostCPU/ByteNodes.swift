import CFrostKernels
import FrostCore

/// The first halving of an 8-bit image in 16-bit integers: along y, and along x where the plan goes on with that.
///
/// Sums of bytes with binomial weights are whole numbers that floats hold exactly, so this computes the same bits as
/// the passes one by one, in half the time.
@safe final class ByteDecimator: FlowNode {
    private let schedule: RowSchedule
    private let rows: ByteRows
    private let kernels: KernelSet
    private let channels: Int
    /// Of the pass along x; nil where there is none.
    private let across: (taps: RowStorage, count: Int, output: Range<Int>)?
    private let edges: EdgeCells
    private let input: Range<Int>
    private let bufferStart: Int
    private let sums: UInt16Row
    private let widened: RowStorage
    private let blank: RowStorage
    private var pointers: [UnsafePointer<UInt8>?]
    private var next: Int
    private let cancellation: Cancellation?

    /// - Parameters:
    ///   - schedule: of the pass along y, which decimates with 4, 6 or 8 binomial taps.
    ///   - across: the pass along x that follows, if it decimates, and the cells it computes.
    ///   - input: the columns that are read from `rows`.
    init(
        _ schedule: RowSchedule, across: (pass: Pass, output: Range<Int>)?, rows: ByteRows, input: Range<Int>,
        channels: Int, kernels: KernelSet, cancellation: Cancellation?
    ) {
        self.schedule = schedule
        unsafe self.rows = rows
        self.kernels = kernels
        self.channels = channels
        self.input = input
        self.cancellation = cancellation
        let reach = across.map { $0.pass.operation.reach(of: $0.output) } ?? input
        edges = EdgeCells(reach, beyond: input, edge: across?.pass.edge ?? .clamp)
        bufferStart = min(reach.lowerBound, input.lowerBound)
        let count = (max(reach.upperBound, input.upperBound) - bufferStart) * channels
        sums = UInt16Row(rows: 1, count: count)
        widened = RowStorage(rows: 1, floats: count)
        blank = RowStorage(rows: 1, floats: (input.count * channels + 3) / 4)
        self.across = across.map { across in
            let taps = TapSchedule(across.pass.operation)
            return (taps.storage, taps.count, across.output)
        }
        unsafe pointers = unsafe [UnsafePointer<UInt8>?](repeating: nil, count: schedule.taps.count)
        next = schedule.output.lowerBound
    }

    func inputRow(_ index: Int) -> UnsafeMutablePointer<Float> { unsafe blank.row(0) }

    func accept(
        _ index: Int, target: (Int) -> UnsafeMutablePointer<Float>, emit: (Int) throws(CPUError) -> Void
    ) throws(CPUError) {
        while schedule.isReady(next, after: index) {
            if cancellation?.isCancelled == true { throw .cancelled }
            unsafe compute(next, into: target(next))
            next += 1
            try emit(next - 1)
        }
    }

    private func compute(_ row: Int, into out: UnsafeMutablePointer<Float>) {
        let table = unsafe kernels.table.pointee
        let count = schedule.taps.count
        for t in 0..<count {
            let from = unsafe schedule.row(t, of: row).flatMap { unsafe rows.row($0) }
            unsafe pointers[t] = from ?? UnsafeRawPointer(blank.row(0)).assumingMemoryBound(to: UInt8.self)
        }
        let origin = unsafe sums.row(0) - bufferStart * channels
        unsafe pointers.withUnsafeBufferPointer { rows in
            unsafe table.binomial_u8(
                rows.baseAddress, Int32(count), origin + input.lowerBound * channels, Int32(input.count * channels))
        }
        let scale = 1 / Float(1 << (count - 1))
        guard let across else {
            return unsafe table.widen_u16(
                origin + input.lowerBound * channels, scale, out, Int32(input.count * channels))
        }
        unsafe edges.fill(origin, channels: channels)
        let first = 2 * across.output.lowerBound - (across.count / 2 - 1)
        let pixels = Int32(across.output.count)
        // 255 * 2^3 * 2^3 fits in 16 bits.
        if channels == 4, count == 4, across.count == 4 {
            unsafe table.halve_u16(origin + first * channels, scale / 8, out, pixels)
        } else {
            let reach = 2 * across.output.count + across.count - 2
            unsafe table.widen_u16(origin + first * channels, scale, widened.row(0), Int32(reach * channels))
            unsafe table.decimate(
                widened.row(0), across.taps.row(0), Int32(across.count), out, pixels, Int32(channels))
        }
    }
}

/// The last doubling of an 8-bit image in 16-bit integers, in 256ths of a step, weights in 65536ths (binomial ones are
/// exact): along y, and along x before it where the plan has it so. Writes the result where it belongs.
///
/// With n taps the error of floats grows by 1/512 of a step for the conversion and (n + 1) / 512 an axis.
@safe final class ByteInterpolator: FlowNode {
    private let schedule: RowSchedule
    private let kernels: KernelSet
    private let channels: Int
    private let target: ByteTarget
    /// The cells that arrive, and those that are read, along x.
    private let input: Range<Int>
    private let reach: Range<Int>
    private let edges: EdgeCells
    private let across: HalfTaps?
    private let along: HalfTaps
    private let output: Range<Int>
    private let arriving: RowStorage
    private let cells: UInt16Row
    private let ring: UInt16Row
    private var rows: [UnsafePointer<UInt16>?]
    private var next: Int
    private let cancellation: Cancellation?

    /// - Parameters:
    ///   - schedule: of the pass along y, which interpolates.
    ///   - across: the pass along x before it, if it interpolates.
    ///   - input: the columns that arrive.
    ///   - output: the columns of the result.
    init(
        _ schedule: RowSchedule, across: Pass?, input: Range<Int>, output: Range<Int>, channels: Int,
        target: ByteTarget, kernels: KernelSet, cancellation: Cancellation?
    ) {
        self.schedule = schedule
        self.kernels = kernels
        self.channels = channels
        unsafe self.target = target
        self.input = input
        self.output = output
        self.cancellation = cancellation
        self.across = across.map { HalfTaps(TapSchedule($0.operation)) }
        along = HalfTaps(schedule.taps)
        reach = across?.operation.reach(of: output) ?? input
        edges = EdgeCells(reach, beyond: input, edge: across?.edge ?? .clamp)
        let all = max(reach.upperBound, input.upperBound) - min(reach.lowerBound, input.lowerBound)
        arriving = RowStorage(rows: 1, floats: all * channels)
        cells = UInt16Row(rows: 1, count: all * channels)
        ring = UInt16Row(rows: schedule.capacity, count: (output.count + 2) * channels)
        unsafe rows = unsafe [UnsafePointer<UInt16>?](repeating: nil, count: schedule.taps.count)
        next = schedule.output.lowerBound
    }

    func inputRow(_ index: Int) -> UnsafeMutablePointer<Float> { unsafe arriving.row(0) }

    func accept(
        _ index: Int, target next: (Int) -> UnsafeMutablePointer<Float>, emit: (Int) throws(CPUError) -> Void
    ) throws(CPUError) {
        let table = unsafe kernels.table.pointee
        let row = unsafe ring.row(schedule.place(index))
        let samples = Int32(input.count * channels)
        if let across {
            let origin = unsafe cells.row(0) - min(reach.lowerBound, input.lowerBound) * channels
            unsafe table.quantize(arriving.row(0), 256, origin + input.lowerBound * channels, samples)
            unsafe edges.fill(origin, channels: channels)
            // Pairs of pixels from the even one at or before the first.
            let pair = output.lowerBound >> 1
            let pairs = ((output.upperBound - 1) >> 1) - pair + 1
            unsafe table.interpolate_u16(
                origin + pair * channels, across.even, Int32(across.evenFirst), across.odd, Int32(across.oddFirst),
                Int32(across.even.count), row, Int32(pairs), Int32(channels))
        } else {
            unsafe table.quantize(arriving.row(0), 256, row, samples)
        }
        let skip = across == nil ? 0 : (output.lowerBound & 1) * channels
        while schedule.isReady(self.next, after: index) {
            if cancellation?.isCancelled == true { throw .cancelled }
            let i = self.next
            for t in 0..<schedule.taps.count {
                unsafe rows[t] = UnsafePointer(ring.row(schedule.place(schedule.row(t, of: i) ?? index)) + skip)
            }
            unsafe rows.withUnsafeBufferPointer { rows in
                unsafe table.interpolate_to_u8(
                    rows.baseAddress, i & 1 == 0 ? along.even : along.odd, Int32(rows.count), target.row(i),
                    Int32(output.count * channels))
            }
            self.next += 1
            try emit(i)
        }
    }
}

/// The taps of an interpolation in 65536ths, and where the pair of pixels 0 and 1 begins to read.
private struct HalfTaps {
    let even: [UInt16]
    let odd: [UInt16]
    let evenFirst: Int
    let oddFirst: Int

    init(_ taps: TapSchedule) {
        even = taps.even.map { UInt16($0 * 65536) }
        odd = taps.odd.map { UInt16($0 * 65536) }
        evenFirst = taps.firstCell(0)
        oddFirst = taps.firstCell(1)
    }
}

/// Rows of 16-bit integers, with the slack that kernels need around each.
///
/// SAFETY: as ``RowStorage``.
@safe final class UInt16Row {
    private let storage: RowStorage

    init(rows: Int, count: Int) {
        storage = RowStorage(rows: rows, floats: (count + 1) / 2 + RowStorage.slack)
    }

    func row(_ index: Int) -> UnsafeMutablePointer<UInt16> {
        // The slack before the row is the first part of its own storage.
        unsafe UnsafeMutableRawPointer(storage.row(index) + RowStorage.slack).assumingMemoryBound(to: UInt16.self)
    }
}

extension Pass.Operation {
    /// Whether this decimates with binomial taps, as every chain does, and how many.
    var binomialDecimation: Int? {
        if case .decimate(let taps) = self, taps.isBinomial { taps.count } else { nil }
    }

    /// Whether this interpolates with binomial taps, as every chain does.
    var isBinomialInterpolation: Bool {
        if case .interpolate(let taps) = self { taps.count >= 4 && taps.isBinomial } else { false }
    }
}

extension [Float] {
    fileprivate var isBinomial: Bool {
        var row: [Float] = [1]
        while row.count < count { row = zip(row + [0], [0] + row).map { ($0 + $1) / 2 } }
        return row == self
    }
}
