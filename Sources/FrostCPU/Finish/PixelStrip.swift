import CFrostKernels
import FrostCore

/// Makes some pixels of two rows from cells as they arrived, and colours them one by one: what a chain does whose cells are
/// not coloured.
///
/// Not thread-safe.
@safe final class PixelStrip {
    /// Pairs of pixels that are made at a time.
    private static let pairs = 128
    /// Below this many pairs between others it is less work to make them, too.
    private static let gap = 32

    private let grid: CellGrid
    private let arriving: ArrivingRows
    private let output: Range<Int>
    private let table: UnsafePointer<frost_kernels>
    private let finisher: RowFinisher
    /// Of the first and of the second doubling.
    private let taps: FixedRows
    /// Of rows of cells: the first pixels of pairs and the second.
    private let first: FixedRows
    private let second: FixedRows
    private let firsts: RowList<UInt16>
    private let seconds: RowList<UInt16>
    /// Rows between two doublings, and of pixels.
    private let between: FixedRows
    private let made: FixedRows
    private let bytes: RowStorage
    /// Bytes per pixel of the result.
    private let size: Int

    init(
        _ doublings: [Doubling], _ arriving: ArrivingRows, output: Range<Int>, finisher: RowFinisher, kernels: KernelSet
    ) {
        grid = CellGrid(doublings)
        self.arriving = arriving
        self.output = output
        unsafe table = kernels.table
        self.finisher = finisher
        let rows = doublings.map(\.taps.count).max() ?? 0
        taps = FixedRows(rows: 2, count: rows)
        for (row, doubling) in doublings.enumerated() {
            for (t, weight) in doubling.taps.enumerated() { unsafe taps.row(row)[t] = weight }
        }
        // With what interpolation needs beside them.
        let count = 4 * (Self.pairs + 2 * rows)
        first = FixedRows(rows: rows, count: count)
        second = FixedRows(rows: rows, count: count)
        between = FixedRows(rows: 2 * grid.most, count: 2 * count)
        made = FixedRows(rows: 2, count: 2 * count)
        firsts = RowList(rows)
        seconds = RowList(rows)
        for t in 0..<rows {
            unsafe firsts.set(t, UnsafePointer(first.row(t)))
            unsafe seconds.set(t, UnsafePointer(second.row(t)))
        }
        bytes = RowStorage(rows: 1, floats: 2 * Self.pairs)
        size = finisher.writer.format.bytesPerPixel
    }

    /// - Parameters:
    ///   - runs: the pairs of pixels that are wanted.
    ///   - rows: of pixels, of those that row `pair` of cells lies before.
    func finish(_ runs: RunList, _ rows: Range<Int>, pair: Int, _ target: TargetRows) {
        var from = 0
        while from < runs.count {
            // Runs that are near to one another are computed as one.
            var whole = runs[from]
            var end = from + 1
            while end < runs.count, runs[end].lowerBound - whole.upperBound < Self.gap {
                whole = whole.lowerBound..<max(whole.upperBound, runs[end].upperBound)
                end += 1
            }
            var start = whole.lowerBound
            while start < whole.upperBound {
                let part = start..<min(start + Self.pairs, whole.upperBound)
                unsafe finish(part, runs, from..<end, rows, pair: pair, target)
                start = part.upperBound
            }
            from = end
        }
    }

    private func finish(
        _ part: Range<Int>, _ runs: RunList, _ wanted: Range<Int>, _ rows: Range<Int>, pair: Int, _ target: TargetRows
    ) {
        makePixels(part, pair: pair)
        let all = pixels(part)
        // Counted from the region's first.
        let columns = all.lowerBound - output.lowerBound..<all.upperBound - output.lowerBound
        for y in rows {
            let from = unsafe made.row(y - grid.pixel(pair)) + 4 * (all.lowerBound - grid.pixel(part.lowerBound))
            let out = unsafe target.row(y)
            if wanted.count == 1 {
                unsafe finisher.writeFixed(y, columns, from, to: out, streams: false)
                continue
            }
            // What is not wanted in between keeps what it has.
            let scratch = unsafe UnsafeMutableRawPointer(bytes.row(0)) - columns.lowerBound * size
            unsafe finisher.writeFixed(y, columns, from, to: scratch, streams: false)
            for i in wanted {
                let run = pixels(runs[i].clamped(to: part))
                let place = (run.lowerBound - output.lowerBound) * size
                unsafe (out + place).copyMemory(from: scratch + place, byteCount: run.count * size)
            }
        }
    }

    private func pixels(_ pairs: Range<Int>) -> Range<Int> {
        (grid.pixel(pairs.lowerBound)..<grid.pixel(pairs.upperBound)).clamped(to: output)
    }

    private func makePixels(_ part: Range<Int>, pair: Int) {
        // Cells between the doublings, by squares.
        let squares = grid.squares(part.lowerBound).lowerBound..<grid.squares(part.upperBound - 1).upperBound
        for (i, row) in grid.squares(pair).enumerated() {
            for t in 0..<grid.n { unsafe double(arriving.origin(row + t), squares, t, by: taps.row(0), grid.n) }
            unsafe combine(squares.count, between.row(2 * i), between.row(2 * i + 1), by: taps.row(0), grid.n)
        }
        let (x, y) = (grid.between(squares.lowerBound), grid.between(grid.square(pair)))
        for t in 0..<grid.secondN {
            unsafe double(between.row(pair + t - y) - 4 * x, part, t, by: taps.row(1), grid.secondN)
        }
        unsafe combine(part.count, made.row(0), made.row(1), by: taps.row(1), grid.secondN)
    }

    /// Along x, of a row whose cell 0 is given.
    private func double(
        _ row: UnsafeMutablePointer<UInt16>, _ pairs: Range<Int>, _ t: Int, by taps: UnsafeMutablePointer<UInt16>,
        _ n: Int
    ) {
        unsafe table.pointee.fixed_double_row(
            row + 4 * pairs.lowerBound, taps, Int32(n), first.row(t), second.row(t), Int32(pairs.count), 4)
    }

    /// Along y.
    private func combine(
        _ pairs: Int, _ above: UnsafeMutablePointer<UInt16>, _ below: UnsafeMutablePointer<UInt16>,
        by taps: UnsafeMutablePointer<UInt16>, _ n: Int
    ) {
        unsafe table.pointee.fixed_double_rows(
            firsts.base, seconds.base, taps, Int32(n), above, below, Int32(pairs), 4)
    }
}
