import CFrostKernels
import FrostCore

/// Doubles the resolution along x and then along y, in fixed-point numbers.
///
/// Between n cells lie two pixels, the *first* and the *second* of a pair, and likewise two rows. Pairs are kept apart
/// until the end, so that every step but the last works on whole vectors; two rows are made at once, since they read
/// the same cells.
@safe final class FixedDoubling: FlowNode {
    private let following: any FlowNode
    let inputKind = RowKind.fixed
    private let schedule: RowSchedule
    private let kernels: KernelSet
    private let channels: Int
    private let output: Range<Int>
    private let tapsX: [UInt16]
    private let tapsY: [UInt16]
    /// The first cell, and how many pairs lie between it and the others.
    private let firstCell: Int
    private let pairs: Int
    /// Whether the result begins with the second pixel of a pair.
    private let startsSecond: Bool
    private let half: Int
    private let arriving: ArrivingRows
    private let first: FixedRows
    private let second: FixedRows
    private var target: ByteTarget?
    private var finish: FinishTarget?
    /// Two parts of rows that are to be finished.
    private let parts: FixedRows
    private let firsts: RowList<UInt16>
    private let seconds: RowList<UInt16>
    private let spare: FixedRows
    private var next: Int
    private var cancellation: Cancellation?

    /// - Parameters:
    ///   - x: the pass along x.
    ///   - schedule: of the pass along y.
    ///   - input: the cells that arrive.
    ///   - output: the columns of the result.
    ///   - target: bytes are written here; nil if fixed-point rows go on.
    ///   - finish: rows are finished here.
    init(
        x: Pass, _ schedule: RowSchedule, input: Range<Int>, output: Range<Int>, channels: Int, target: ByteTarget?,
        finish: FinishTarget?, kernels: KernelSet, cancellation: Cancellation?, following: any FlowNode
    ) {
        self.following = following
        let across = TapSchedule(x.operation)
        tapsX = across.firstOfPair
        tapsY = schedule.taps.firstOfPair
        half = schedule.taps.half
        self.schedule = schedule
        unsafe self.target = target
        unsafe self.finish = finish
        self.kernels = kernels
        self.channels = channels
        self.output = output
        self.cancellation = cancellation
        arriving = ArrivingRows(x, input: input, output: output, channels: channels)
        firstCell = across.firstCell(output.lowerBound)
        pairs = across.firstCell(output.upperBound - 1) - firstCell + 1
        startsSecond = output.lowerBound != 2 * firstCell + across.half
        first = FixedRows(rows: schedule.capacity, count: (pairs + 1) * channels)
        second = FixedRows(rows: schedule.capacity, count: (pairs + 1) * channels)
        firsts = RowList(tapsY.count)
        seconds = RowList(tapsY.count)
        parts = FixedRows(
            rows: 2, count: unsafe finish == nil ? 0 : min(2 * Self.pairsFinished, output.count + 1) * channels)
        spare = FixedRows(rows: 1, count: unsafe target == nil ? (output.count + 1) * channels : 0)
        next = schedule.output.lowerBound
    }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer { unsafe arriving.row(index) }

    func restart(_ memory: CallerMemory) {
        next = schedule.output.lowerBound
        unsafe cancellation = memory.cancellation
        guard let rows = unsafe memory.target else { return }
        unsafe target?.rows = rows
        unsafe finish?.rows = rows
    }

    func accept(_ index: Int) throws(CPUError) {
        let origin = unsafe arriving.complete(index)
        let place = schedule.place(index)
        unsafe kernels.table.pointee.fixed_double_row(
            origin + firstCell * channels, tapsX, Int32(tapsX.count), first.row(place), second.row(place), Int32(pairs),
            Int32(channels))
        while schedule.isReady(self.next, after: index) {
            if cancellation?.isCancelled == true { throw .cancelled }
            // The row and the one that lies between the same cells, unless that is done or not wanted.
            let above = 2 * schedule.taps.firstCell(self.next) + half
            let rows = schedule.output.clamped(to: self.next..<above + 2)
            if let finish = unsafe finish {
                unsafe self.finish(rows, above: above, arrived: index, finish)
            } else {
                gather(self.next, arrived: index)
                compute(rows, above: above)
            }
            self.next = rows.upperBound
            for row in rows { try following.accept(row) }
        }
    }

    /// Points at the rows of cells of an output row, and in them at the pixels that come first and second in the result.
    ///
    /// - Parameter skipped: pairs of pixels.
    private func gather(_ row: Int, arrived index: Int, skipped: Int = 0) {
        for t in tapsY.indices {
            let place = schedule.place(schedule.row(t, of: row) ?? index)
            let offset = skipped * channels
            if startsSecond {
                unsafe firsts.set(t, UnsafePointer(second.row(place) + offset))
                unsafe seconds.set(t, UnsafePointer(first.row(place) + channels + offset))
            } else {
                unsafe firsts.set(t, UnsafePointer(first.row(place) + offset))
                unsafe seconds.set(t, UnsafePointer(second.row(place) + offset))
            }
        }
    }

    /// Of two rows, so many that both stay in the L2 cache until they are finished. With fewer, the calls cost more than the
    /// nearer cache saves.
    private static let pairsFinished = 2048

    /// Part by part: what is computed is finished while it is in the nearest cache.
    private func finish(_ rows: Range<Int>, above: Int, arrived index: Int, _ finish: FinishTarget) {
        let table = unsafe kernels.table.pointee
        var first = 0
        while first < output.count {
            let columns = first..<min(first + 2 * Self.pairsFinished, output.count)
            gather(rows.lowerBound, arrived: index, skipped: first / 2)
            unsafe table.fixed_double_rows(
                firsts.base, seconds.base, tapsY, Int32(tapsY.count), parts.row(0), parts.row(1),
                Int32((columns.count + 1) / 2), Int32(channels))
            for row in rows {
                unsafe finish.finisher.writeFixed(
                    row, columns, parts.row(row - above), to: finish.rows.row(row), streams: finish.rows.streams)
            }
            first = columns.upperBound
        }
    }

    private func compute(_ rows: Range<Int>, above: Int) {
        let table = unsafe kernels.table.pointee
        let (n, width, channels) = (Int32(tapsY.count), Int32(output.count), Int32(channels))
        if let target = unsafe target {
            unsafe table.fixed_double_to_u8(
                firsts.base, seconds.base, tapsY, n, rows.contains(above) ? target.row(above) : nil,
                rows.contains(above + 1) ? target.row(above + 1) : nil, width, channels, target.streams ? 1 : 0)
        } else {
            func row(_ index: Int) -> UnsafeMutablePointer<UInt16> {
                unsafe rows.contains(index)
                    ? following.inputRow(index).assumingMemoryBound(to: UInt16.self) : spare.row(0)
            }
            unsafe table.fixed_double_rows(
                firsts.base, seconds.base, tapsY, n, row(above), row(above + 1), (width + 1) / 2, channels)
        }
    }
}

extension TapSchedule {
    /// Of an interpolation, in 65536ths: the weights of the first of the two between the same cells.
    var firstOfPair: [UInt16] { (half & 1 == 0 ? even : odd).map { UInt16($0 * 65536) } }
}
