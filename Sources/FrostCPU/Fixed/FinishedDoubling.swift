import CFrostKernels
import FrostCore

/// Finishes the rows that the last doubling makes, two at a time, as they are made.
///
/// Nothing here counts references while rows go past the caches: counting waits until they have reached the memory. So values
/// behind optionals are asked where they are, and not taken.
///
/// Not thread-safe.
///
/// SAFETY: owns its memory; the lists point at rows as wide as the output.
@safe final class FinishedDoubling {
    private let finisher: RowFinisher
    /// What has coloured the cells.
    private let colored: CellColor?
    private let bends: CellBends?
    /// What makes bytes without rows of numbers in between, and whether of straight pixels; nil if nothing can.
    private let offsets: PairOffsets?
    private let divides: Bool
    private let limits: UnsafePointer<frost_late_limits>?
    private let table: UnsafePointer<frost_kernels>
    /// The rows of cells, in which the first and the second pixels of pairs come apart.
    private let firsts: RowList<UInt16>
    private let seconds: RowList<UInt16>
    private let schedule: TapSchedule
    private let taps: [UInt16]
    private let output: Range<Int>
    private let channels: Int
    /// Two parts of rows that are to be finished.
    private let parts: FixedRows
    /// Two rows of the result, of which some pixels are made again.
    private let kept: RowStorage

    /// Of two rows, so many that both stay in the L2 cache until they are finished. With fewer, the calls cost more than the
    /// nearer cache saves.
    private static let pairsFinished = 2048

    /// - Parameters:
    ///   - pairs: lists that are filled before every two rows.
    ///   - taps: along y.
    ///   - output: the columns.
    init(
        _ outputStages: OutputStagesTarget, _ colored: CellColor?, pairs: (RowList<UInt16>, RowList<UInt16>),
        taps: TapSchedule,
        output: Range<Int>, channels: Int, kernels: KernelSet
    ) {
        finisher = unsafe outputStages.finisher
        self.colored = colored
        bends = colored?.bends
        unsafe limits = colored?.limits
        offsets = finisher.pairs(colored)
        divides = finisher.writer.format.needsPremultiplication
        unsafe table = kernels.table
        (firsts, seconds) = pairs
        schedule = taps
        self.taps = taps.firstOfPair
        self.output = output
        self.channels = channels
        let part = offsets == nil ? min(2 * Self.pairsFinished, output.count + 1) : 0
        parts = FixedRows(rows: 2, count: part * channels)
        let keeps = unsafe bends != nil && outputStages.rows.streams && finisher.writesStreams
        kept = RowStorage(rows: 2, floats: keeps ? output.count : 0)
    }

    /// - Parameters:
    ///   - rows: both or one of those between the same cells, of which `above` is the first.
    func finish(_ rows: Range<Int>, above: Int, _ target: TargetRows) {
        var target = unsafe target
        // What is written again must not have gone past the caches.
        if !finisher.takesParts { unsafe target.streams = false }
        let pair = schedule.firstCell(rows.lowerBound)
        let isOpaque = colored?.isOpaque(pair) == true
        bends?.prepare(pair)
        let mendsAny = bends?.mendsAny == true
        let keeps = unsafe mendsAny && target.streams && finisher.writesStreams
        let mended = unsafe keeps ? TargetRows(kept) : target
        var first = 0
        while first < output.count {
            let (columns, isMended) = part(from: first)
            unsafe finish(rows, above: above, columns, isOpaque: isOpaque, isMended ? mended : target)
            first = columns.upperBound
        }
        guard mendsAny else { return }
        unsafe bends?.mend(rows, pair: pair, mended)
        if keeps { unsafe copy(rows, from: mended, to: target) }
    }

    /// See ``CellBends/part(from:)``.
    private func part(from column: Int) -> (columns: Range<Int>, isMended: Bool) {
        bends?.part(from: column) ?? (column..<output.count, false)
    }

    /// The parts of rows that were mended.
    private func copy(_ rows: Range<Int>, from kept: TargetRows, to target: TargetRows) {
        let size = finisher.writer.format.bytesPerPixel
        var first = 0
        while first < output.count {
            let (columns, isMended) = part(from: first)
            first = columns.upperBound
            for row in rows where isMended {
                let offset = columns.lowerBound * size
                unsafe table.pointee.stream_bytes(
                    (kept.row(row) + offset).assumingMemoryBound(to: UInt8.self),
                    (target.row(row) + offset).assumingMemoryBound(to: UInt8.self), Int32(columns.count * size))
            }
        }
    }

    /// - Parameters:
    ///   - columns: counted from the first; the lists point at these, and then at those behind them.
    ///   - isOpaque: all of these, of coloured cells.
    private func finish(
        _ rows: Range<Int>, above: Int, _ columns: Range<Int>, isOpaque: Bool, _ target: TargetRows
    ) {
        guard let offsets else { return unsafe writeParts(rows, above: above, columns, target) }
        let x = output.lowerBound + columns.lowerBound
        let phases = (offsets.phase(above, x), offsets.phase(above + 1, x))
        func row(_ index: Int) -> UnsafeMutablePointer<UInt8>? {
            guard rows.contains(index) else { return nil }
            return unsafe target.row(index).assumingMemoryBound(to: UInt8.self) + 4 * columns.lowerBound
        }
        let (n, count, stream) = unsafe (Int32(taps.count), Int32(columns.count), Int32(target.streams ? 1 : 0))
        // Opaque pixels are the same either way.
        if divides && !isOpaque {
            unsafe table.pointee.fixed_double_divided(
                firsts.base, seconds.base, taps, n, row(above), row(above + 1), count, offsets.noise, phases.0,
                phases.1, limits, stream)
        } else {
            unsafe table.pointee.fixed_double_dithered(
                firsts.base, seconds.base, taps, n, row(above), row(above + 1), count, offsets.base, phases.0,
                phases.1, limits, isOpaque ? 1 : 0, stream)
        }
        advance(columns.count)
    }

    /// Part by part: what is computed is finished while it is in the nearest cache.
    private func writeParts(_ rows: Range<Int>, above: Int, _ columns: Range<Int>, _ target: TargetRows) {
        var first = columns.lowerBound
        while first < columns.upperBound {
            let part = first..<min(first + 2 * Self.pairsFinished, columns.upperBound)
            unsafe table.pointee.fixed_double_rows(
                firsts.base, seconds.base, taps, Int32(taps.count), parts.row(0), parts.row(1),
                Int32((part.count + 1) / 2), Int32(channels))
            for row in rows {
                let numbers = unsafe parts.row(row - above)
                if let limits = unsafe limits {
                    unsafe table.pointee.fixed_limit(numbers, limits, Int32(part.count))
                }
                unsafe finisher.writeFixed(
                    row, part, numbers, to: target.row(row), streams: target.streams, colored: colored != nil)
            }
            advance(part.count)
            first = part.upperBound
        }
    }

    private func advance(_ pixels: Int) {
        firsts.advance(pixels / 2 * channels)
        seconds.advance(pixels / 2 * channels)
    }
}
