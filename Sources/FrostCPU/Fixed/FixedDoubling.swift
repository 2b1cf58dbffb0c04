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
    private var finish: FinishTarget?
    /// Two parts of rows that are to be finished.
    private let parts: FixedRows
    private let firsts: RowList<UInt16>
    private let seconds: RowList<UInt16>
    private let spare: FixedRows
    /// Two rows of the result, of which some pixels are made again.
    private let kept: RowStorage
    /// What colours cells as they arrive; and what has coloured those from which these are made.
    let colors: CellColor?
    var colored: CellColor?
    private var next: Int
    private var cancellation: Cancellation?

    /// - Parameters:
    ///   - x: the pass along x.
    ///   - schedule: of the pass along y.
    ///   - input: the cells that arrive.
    ///   - output: the columns of the result.
    ///   - target: bytes are written here; nil if fixed-point rows go on.
    ///   - finish: rows are finished here.
    ///   - coloring: cells are to be coloured here.
    init(
        x: Pass, _ schedule: RowSchedule, input: Range<Int>, output: Range<Int>, channels: Int, target: ByteTarget?,
        finish: FinishTarget?, coloring: ColoringRequest?, kernels: KernelSet, cancellation: Cancellation?,
        following: any FlowNode
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
        let rowsKept = coloring.map { CellColor.rowsKept($0.coloring.doublings) } ?? 1
        let arriving = ArrivingRows(x, input: input, output: output, channels: channels, kept: rowsKept)
        self.arriving = arriving
        colors = coloring.map {
            CellColor(arriving, $0.coloring, output: $0.output, finisher: $0.finisher, kernels: kernels)
        }
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
        let keeps = unsafe finish?.rows.streams == true && finish?.finisher.writesStreams == true
        kept = RowStorage(rows: 2, floats: keeps ? output.count : 0)
        next = schedule.output.lowerBound
    }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer { unsafe arriving.row(index) }

    func restart(_ memory: CallerMemory) {
        next = schedule.output.lowerBound
        colors?.restart()
        unsafe cancellation = memory.cancellation
        guard let rows = unsafe memory.target else { return }
        unsafe target?.rows = rows
        unsafe finish?.rows = rows
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
    private func gather(_ row: Int, arrived index: Int) {
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

    /// Of two rows, so many that both stay in the L2 cache until they are finished. With fewer, the calls cost more than the
    /// nearer cache saves.
    private static let pairsFinished = 2048

    private func finish(_ rows: Range<Int>, above: Int, arrived index: Int, _ finish: FinishTarget) {
        gather(rows.lowerBound, arrived: index)
        let finisher = unsafe finish.finisher
        var target = unsafe finish.rows
        // What is written again must not have gone past the caches.
        if !finisher.takesParts { unsafe target.streams = false }
        guard let bends = colored?.bends else {
            return unsafe self.finish(rows, above: above, 0..<output.count, finisher, target)
        }
        let pair = schedule.taps.firstCell(rows.lowerBound)
        bends.prepare(pair)
        let keeps = unsafe bends.mendsAny && target.streams && finisher.writesStreams
        let mended = unsafe keeps ? TargetRows(kept) : target
        var first = 0
        while first < output.count {
            let (columns, isMended) = bends.part(from: first)
            unsafe self.finish(rows, above: above, columns, finisher, isMended ? mended : target)
            first = columns.upperBound
        }
        guard bends.mendsAny else { return }
        unsafe bends.mend(rows, pair: pair, mended)
        if keeps { unsafe copy(rows, bends, from: mended, to: target, finisher.writer.format.bytesPerPixel) }
    }

    /// The parts of rows that were mended.
    private func copy(
        _ rows: Range<Int>, _ bends: CellBends, from kept: TargetRows, to target: TargetRows, _ size: Int
    ) {
        var first = 0
        while first < output.count {
            let (columns, isMended) = bends.part(from: first)
            first = columns.upperBound
            for row in rows where isMended {
                let offset = columns.lowerBound * size
                unsafe kernels.table.pointee.stream_bytes(
                    (kept.row(row) + offset).assumingMemoryBound(to: UInt8.self),
                    (target.row(row) + offset).assumingMemoryBound(to: UInt8.self), Int32(columns.count * size),
                    row + 1 < rows.upperBound ? 1 : 3)
            }
        }
    }

    /// Part by part: what is computed is finished while it is in the nearest cache.
    ///
    /// - Parameter columns: counted from the first; the lists point at these, and then at those behind them.
    private func finish(
        _ rows: Range<Int>, above: Int, _ columns: Range<Int>, _ finisher: RowFinisher, _ target: TargetRows
    ) {
        let table = unsafe kernels.table
        let (n, streams) = unsafe (Int32(tapsY.count), target.streams)
        let isOpaque = colored?.isOpaque(schedule.taps.firstCell(rows.lowerBound)) == true
        var first = columns.lowerBound
        while first < columns.upperBound {
            var part = first..<columns.upperBound
            if let pairs = finisher.pairs(colored) {
                let x = output.lowerBound + first
                func row(_ index: Int) -> UnsafeMutablePointer<UInt8>? {
                    guard rows.contains(index) else { return nil }
                    return unsafe target.row(index).assumingMemoryBound(to: UInt8.self) + 4 * first
                }
                unsafe table.pointee.fixed_double_dithered(
                    firsts.base, seconds.base, tapsY, n, row(above), row(above + 1), Int32(part.count), pairs.base,
                    pairs.phase(above, x), pairs.phase(above + 1, x), colored?.limits, isOpaque ? 1 : 0,
                    !streams ? 0 : part.upperBound == output.count ? 3 : 1)
            } else {
                part = first..<min(first + 2 * Self.pairsFinished, columns.upperBound)
                unsafe table.pointee.fixed_double_rows(
                    firsts.base, seconds.base, tapsY, n, parts.row(0), parts.row(1), Int32((part.count + 1) / 2),
                    Int32(channels))
                for row in rows {
                    let numbers = unsafe parts.row(row - above)
                    if let limits = unsafe colored?.limits {
                        unsafe table.pointee.fixed_limit(numbers, limits, Int32(part.count))
                    }
                    unsafe finisher.writeFixed(
                        row, part, numbers, to: target.row(row), streams: streams, colored: colored != nil)
                }
            }
            firsts.advance(part.count / 2 * channels)
            seconds.advance(part.count / 2 * channels)
            first = part.upperBound
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

/// What cells are to be coloured for.
struct ColoringRequest {
    let coloring: CellColoring
    /// The columns of the result.
    let output: Range<Int>
    let finisher: RowFinisher
}

extension TapSchedule {
    /// Of an interpolation, in 65536ths: the weights of the first of the two between the same cells.
    var firstOfPair: [UInt16] { (half & 1 == 0 ? even : odd).map { UInt16($0 * 65536) } }
}
