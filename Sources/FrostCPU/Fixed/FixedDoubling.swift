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
    let output: Range<Int>
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
    /// What finishes rows, and where they then belong.
    private let finishing: FinishedDoubling?
    private var finished: TargetRows?
    private let firsts: RowList<UInt16>
    private let seconds: RowList<UInt16>
    private let spare: FixedRows
    /// What colours cells as they arrive.
    let colors: CellColor?
    private var next: Int
    private var cancellation: Cancellation?

    /// - Parameters:
    ///   - x: the pass along x.
    ///   - schedule: of the pass along y.
    ///   - input: the cells that arrive.
    ///   - output: the columns of the result.
    ///   - target: bytes are written here; nil if fixed-point rows go on.
    ///   - finish: rows are finished here.
    ///   - colors: see ``colors``.
    ///   - colored: what colours the cells of the doubling before.
    init(
        x: Pass, _ schedule: RowSchedule, input: Range<Int>, output: Range<Int>, channels: Int, target: ByteTarget?,
        outputStages: OutputStagesTarget?, colors: CellColor?, colored: CellColor?, kernels: KernelSet,
        cancellation: Cancellation?, following: any FlowNode
    ) {
        self.following = following
        let across = TapSchedule(x.operation)
        tapsX = across.firstOfPair
        tapsY = schedule.taps.firstOfPair
        half = schedule.taps.half
        self.schedule = schedule
        unsafe self.target = target
        unsafe finished = outputStages?.rows
        self.colors = colors
        self.kernels = kernels
        self.channels = channels
        self.output = output
        self.cancellation = cancellation
        arriving = colors?.arriving ?? ArrivingRows(x, input: input, output: output, channels: channels)
        firstCell = across.firstCell(output.lowerBound)
        pairs = across.firstCell(output.upperBound - 1) - firstCell + 1
        startsSecond = output.lowerBound != 2 * firstCell + across.half
        first = FixedRows(rows: schedule.capacity, count: (pairs + 1) * channels)
        second = FixedRows(rows: schedule.capacity, count: (pairs + 1) * channels)
        firsts = RowList(tapsY.count)
        seconds = RowList(tapsY.count)
        spare = FixedRows(rows: 1, count: unsafe target == nil ? (output.count + 1) * channels : 0)
        let lists = (firsts, seconds)
        finishing = unsafe outputStages.map {
            unsafe FinishedDoubling(
                $0, colored, pairs: lists, taps: schedule.taps, output: output, channels: channels, kernels: kernels)
        }
        next = schedule.output.lowerBound
    }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer { unsafe arriving.row(index) }

    func restart(_ memory: CallerMemory) {
        next = schedule.output.lowerBound
        colors?.restart()
        cancellation = memory.cancellation
        guard let rows = unsafe memory.target else { return }
        unsafe target?.rows = rows
        if finishing != nil { unsafe finished = rows }
    }

    func accept(_ index: Int) throws(CPUError) {
        let cells = unsafe colors?.color(index) ?? UnsafePointer(arriving.complete(index) + firstCell * channels)
        let place = schedule.place(index)
        unsafe kernels.table.pointee.fixed_double_row(
            cells, tapsX, Int32(tapsX.count), first.row(place), second.row(place), Int32(pairs),
            Int32(channels))
        while schedule.isReady(self.next, after: index) {
            if cancellation?.isCancelled == true { throw .cancelled }
            // The row and the one that lies between the same cells, unless that is done or not wanted.
            let above = 2 * schedule.taps.firstCell(self.next) + half
            let rows = schedule.output.clamped(to: self.next..<above + 2)
            collectRows(of: self.next, arrived: index)
            if let target = unsafe finished {
                unsafe finishing?.finish(rows, above: above, target)
            } else {
                compute(rows, above: above)
            }
            self.next = rows.upperBound
            for row in rows { try following.accept(row) }
        }
    }

    /// Points at the rows of cells of an output row, and in them at the pixels that come first and second in the result.
    private func collectRows(of row: Int, arrived index: Int) {
        for t in tapsY.indices {
            let place = schedule.place(schedule.row(t, of: row) ?? index)
            if startsSecond {
                unsafe firsts.set(t, UnsafePointer(second.row(place)))
                unsafe seconds.set(t, UnsafePointer(first.row(place) + channels))
            } else {
                unsafe firsts.set(t, UnsafePointer(first.row(place)))
                unsafe seconds.set(t, UnsafePointer(second.row(place)))
            }
        }
    }

    private func compute(_ rows: Range<Int>, above: Int) {
        let table = unsafe kernels.table.pointee
        let (n, width, channels) = (Int32(tapsY.count), Int32(output.count), Int32(channels))
        if let target = unsafe target {
            let aboveRow = unsafe rows.contains(above) ? target.row(above) : nil
            let belowRow = unsafe rows.contains(above + 1) ? target.row(above + 1) : nil
            let stream = unsafe Int32(target.streams ? 1 : 0)
            if unsafe target.kind == .straightRGBA {
                unsafe table.fixed_double_divided(
                    firsts.base, seconds.base, tapsY, n, aboveRow, belowRow, width, nil, 0, 0, nil, stream)
            } else {
                unsafe table.fixed_double_to_u8(
                    firsts.base, seconds.base, tapsY, n, aboveRow, belowRow, width, channels, stream)
            }
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
