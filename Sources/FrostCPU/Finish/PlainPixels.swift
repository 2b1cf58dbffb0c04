import CFrostKernels
import FrostCore

/// Makes pixels by two doublings from cells that are kept, where they are wanted.
///
/// Not thread-safe.
@safe final class PlainPixels {
    /// Pairs of pixels that are made at a time.
    static let most = 128

    let grid: CellGrid
    /// Two rows of what was made.
    let made: FixedRows
    private let arriving: ArrivingRows
    private let table: UnsafePointer<frost_kernels>
    /// Of the first and of the second doubling.
    private let taps: FixedRows
    /// Of rows of cells: the first pixels of pairs and the second.
    private let first: FixedRows
    private let second: FixedRows
    private let firsts: RowList<UInt16>
    private let seconds: RowList<UInt16>
    /// Rows between two doublings.
    private let between: FixedRows

    init(_ doublings: [Doubling], _ arriving: ArrivingRows, kernels: KernelSet) {
        grid = CellGrid(doublings)
        self.arriving = arriving
        unsafe table = kernels.table
        let rows = doublings.map(\.taps.count).max() ?? 0
        taps = FixedRows(rows: 2, count: rows)
        for (row, doubling) in doublings.enumerated() {
            for (t, weight) in doubling.taps.enumerated() { unsafe taps.row(row)[t] = weight }
        }
        // With what interpolation needs beside them.
        let count = 4 * (Self.most + 2 * rows)
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
    }

    /// - Parameters:
    ///   - part: at most ``most`` pairs.
    ///   - pair: the row of cells before the rows.
    func make(_ part: Range<Int>, pair: Int) {
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

/// Rows of such pixels, made block by block when they are first asked for.
///
/// Not thread-safe.
@safe final class PlainRows {
    private let pixels: PlainPixels
    private let output: Range<Int>
    private let pairs: Range<Int>
    /// Two rows, and the row of cells before them.
    private let rows: FixedRows
    private var pair: Int?
    private var isMade: [Bool]

    /// - Parameters:
    ///   - output: the columns of the result, and the pairs that they belong to.
    init(_ pixels: PlainPixels, output: Range<Int>, pairs: Range<Int>) {
        self.pixels = pixels
        self.output = output
        self.pairs = pairs
        rows = FixedRows(rows: 2, count: 8 * pairs.count)
        isMade = Array(repeating: false, count: (pairs.count + PlainPixels.most - 1) / PlainPixels.most)
    }

    /// Forgets what was made.
    func restart() { pair = nil }

    /// The first of the result's pixels in a row, of which these have been made.
    ///
    /// - Parameter columns: counted from the first; not empty.
    func row(_ y: Int, _ columns: Range<Int>) -> UnsafePointer<UInt16> {
        let grid = pixels.grid
        let pair = grid.pair(y)
        if self.pair != pair {
            self.pair = pair
            for block in isMade.indices { isMade[block] = false }
        }
        let first = grid.pair(output.lowerBound + columns.lowerBound) - pairs.lowerBound
        let last = grid.pair(output.lowerBound + columns.upperBound - 1) - pairs.lowerBound
        for block in first / PlainPixels.most...last / PlainPixels.most where !isMade[block] { make(block) }
        let start = output.lowerBound - grid.pixel(pairs.lowerBound)
        return unsafe UnsafePointer(rows.row(y - grid.pixel(pair)) + 4 * start)
    }

    private func make(_ block: Int) {
        guard let pair else { return }
        isMade[block] = true
        let offset = block * PlainPixels.most
        let part = pairs.lowerBound + offset..<min(pairs.lowerBound + offset + PlainPixels.most, pairs.upperBound)
        pixels.make(part, pair: pair)
        for row in 0..<2 {
            unsafe (rows.row(row) + 8 * offset).update(from: pixels.made.row(row), count: 8 * part.count)
        }
    }
}
