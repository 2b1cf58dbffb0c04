import CFrostKernels
import FrostCore

/// Makes pixels by two doublings from cells that are kept, where they are wanted.
///
/// Not thread-safe.
///
/// SAFETY: owns its memory; as many rows of cells are kept as a pair of rows is made of.
@safe final class PlainPixels {
    /// Pairs of pixels that are made at a time.
    static let most = 128

    let grid: CellGrid
    /// Two rows of what was made.
    let made: FixedRows
    private let arriving: ArrivingRows
    private let table: UnsafePointer<frost_kernels>
    private let cells: RowList<UInt16>
    private let doublings: UnsafeMutablePointer<frost_doublings>

    init(_ doublings: [Doubling], _ arriving: ArrivingRows, kernels: KernelSet) {
        grid = CellGrid(doublings)
        self.arriving = arriving
        unsafe table = kernels.table
        cells = RowList(grid.n + grid.most - 1)
        made = FixedRows(rows: 2, count: 8 * Self.most)
        unsafe self.doublings = .allocate(capacity: 1)
        unsafe self.doublings.initialize(to: frost_doublings(doublings))
    }

    deinit { unsafe doublings.deallocate() }

    /// The doublings as kernels take them.
    var value: frost_doublings { unsafe doublings.pointee }

    /// The rows of cells that two rows of pixels are made of, and how many rows between the doublings these do not need.
    ///
    /// - Parameters:
    ///   - pair: the row of cells before the rows.
    ///   - first: the cell that each begins with.
    func rows(_ pair: Int, from first: Int) -> (cells: UnsafeMutablePointer<UnsafePointer<UInt16>?>, skip: Int32) {
        let squares = grid.squares(pair)
        for row in squares.lowerBound..<squares.upperBound + grid.n - 1 {
            unsafe cells.set(row - squares.lowerBound, UnsafePointer(arriving.origin(row) + 4 * first))
        }
        return unsafe (cells.base, Int32(pair - grid.between(squares.lowerBound)))
    }

    /// - Parameters:
    ///   - part: at most ``most`` pairs.
    ///   - pair: the row of cells before the rows.
    func make(_ part: Range<Int>, pair: Int) {
        let x = grid.square(part.lowerBound)
        let (rows, skip) = unsafe rows(pair, from: x)
        unsafe table.pointee.fixed_double_twice(
            rows, doublings, Int32(part.lowerBound - grid.between(x)), skip, made.row(0), made.row(1),
            Int32(part.count))
    }
}

extension frost_doublings {
    /// - Parameter doublings: two.
    init(_ doublings: [Doubling]) {
        self.init()
        cells = (Int32(doublings[0].taps.count), Int32(doublings[1].taps.count))
        func weights(_ list: [UInt16]) -> (UInt16, UInt16, UInt16, UInt16, UInt16) {
            let all = list + Array(repeating: 0, count: Int(FROST_MOST_CELLS) - list.count)
            return (all[0], all[1], all[2], all[3], all[4])
        }
        taps = (weights(doublings[0].taps), weights(doublings[1].taps))
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
