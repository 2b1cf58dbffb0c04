import CFrostKernels
import FrostCore

/// Where curves and limits bend colours between cells, by ``Curvature``, and the pixels there.
///
/// Whether it is so is asked of the very cells that a pixel is made of, so that it does not depend on the region.
///
/// Not thread-safe.
@safe final class CellBends {
    private let grid: CellGrid
    private let table: UnsafePointer<frost_kernels>
    private let output: Range<Int>
    /// Pairs of pixels, by the cells of the last doubling that they lie between.
    private let pairs: Range<Int>
    private let squares: Range<Int>
    private let most: Bends
    private let arriving: ArrivingRows
    /// By rows, of which so many are kept: the limits that cells met, if any did, and where on a curve they were.
    private let kept: Int
    private let limits: NoteRows
    private var hasMet: [Bool]
    private let luma: FixedRows
    private let unmet: NoteRows
    /// By the row of their first cells, the squares that bend, a byte each, and whether there are any; and the rows of a pair that
    /// have some.
    private let bent: NoteRows
    private var isBent: [Bool]
    private let found: RowList<UInt64>
    private let rows: RowList<UInt16>
    private let notes: RowList<UInt32>
    /// Rows that arrived.
    private var seen = 0
    private let mending: PixelMending
    /// Runs of pairs that bend, and whether pieces of rows have some, 1 for those.
    private let runs: RunList
    private let pieces: NoteRows
    private let pieceCount: Int

    /// - Parameters:
    ///   - squares: of cells, that are needed for `pairs` of pixels, for the columns `output`.
    ///   - kept: rows of cells.
    ///   - most: how much cells may differ.
    init(
        _ arriving: ArrivingRows, squares: Range<Int>, pairs: Range<Int>, output: Range<Int>, kept: Int, most: Bends,
        _ mending: PixelMending, kernels: KernelSet
    ) {
        self.arriving = arriving
        self.squares = squares
        self.pairs = pairs
        self.output = output
        self.kept = kept
        self.most = most
        self.mending = mending
        grid = mending.grid
        unsafe table = kernels.table
        let cells = squares.count + grid.n - 1
        limits = NoteRows(rows: kept, count: cells)
        luma = FixedRows(rows: kept, count: cells)
        unmet = NoteRows(rows: 1, count: cells)
        bent = NoteRows(rows: kept, count: (squares.count + 3) / 4)
        isBent = Array(repeating: false, count: kept)
        found = RowList(grid.most)
        runs = RunList(squares.count, from: mending.origin)
        hasMet = Array(repeating: false, count: kept)
        pieceCount = (output.count + Self.piece - 1) / Self.piece
        pieces = NoteRows(rows: 1, count: pieceCount)
        rows = RowList(grid.n)
        notes = RowList(grid.n)
    }

    func restart() { seen = 0 }

    /// Where the limits are noted that the cells of a row meet, and their places on the curve.
    func limits(_ row: Int) -> UnsafeMutablePointer<UInt32> { unsafe limits.row(row.modulo(kept)) }
    func luma(_ row: Int) -> UnsafeMutablePointer<UInt16> { unsafe luma.row(row.modulo(kept)) }

    /// Takes what has been noted of the next row.
    func add(_ row: Int, hasMet: Bool) {
        self.hasMet[row.modulo(kept)] = hasMet
        seen += 1
        if seen >= grid.n { findBends(row - grid.n + 1) }
    }

    /// Of the squares whose first cells are in a row.
    private func findBends(_ row: Int) {
        let (table, n) = unsafe (self.table.pointee, grid.n)
        let bends = unsafe flags(row)
        for t in 0..<n { unsafe rows.set(t, UnsafePointer(luma(row + t))) }
        var bend =
            unsafe table.find_curve_bends(rows.base, Int32(n), Int32(most.luma), bends, Int32(squares.count)) != 0
        if (row..<row + n).contains(where: { hasMet[$0.modulo(kept)] }) {
            for t in 0..<n {
                let place = (row + t).modulo(kept)
                unsafe rows.set(t, UnsafePointer(arriving.origin(row + t) + 4 * squares.lowerBound))
                unsafe notes.set(t, UnsafePointer(hasMet[place] ? limits.row(place) : unmet.row(0)))
            }
            let isLimited = unsafe table.find_limit_bends(
                rows.base, notes.base, Int32(n), most.numbers, bends, Int32(squares.count))
            bend = bend || isLimited != 0
        }
        isBent[row.modulo(kept)] = bend
    }

    private func flags(_ row: Int) -> UnsafeMutablePointer<UInt8> {
        unsafe UnsafeMutableRawPointer(bent.row(row.modulo(kept))).assumingMemoryBound(to: UInt8.self)
    }

    /// Finds the pixels whose cells bend, of the rows that row `pair` of cells lies before.
    func prepare(_ pair: Int) {
        runs.clear()
        unsafe pieces.row(0).update(repeating: 0, count: pieceCount)
        var count = 0
        for row in grid.squares(pair) where isBent[row.modulo(kept)] {
            unsafe found.set(count, UnsafeRawPointer(flags(row)).assumingMemoryBound(to: UInt64.self))
            count += 1
        }
        guard count > 0 else { return }
        // Eight at a time; and many of which there are none.
        let words = (squares.count + 7) / 8
        var i = 0
        while i < words {
            var word = flags(i, count)
            if i % 4 == 0, word | flags(i + 1, count) | flags(i + 2, count) | flags(i + 3, count) == 0 {
                i += 4
                continue
            }
            // Bytes of 1, the lowest first: run by run.
            while word != 0 {
                let shift = word.trailingZeroBitCount
                let length = (~(word >> shift) & 0x0101_0101_0101_0101).trailingZeroBitCount / 8
                let first = squares.lowerBound + 8 * i + shift / 8
                addRun(first..<first + length)
                // All from there on, if any: a shift by 64 leaves none.
                word &= UInt64.max << (shift + 8 * length)
            }
            i += 1
        }
    }

    /// Of eight squares, in as many of the rows that were found; none behind the last.
    private func flags(_ word: Int, _ count: Int) -> UInt64 {
        var flags: UInt64 = 0
        for row in 0..<count { unsafe flags |= found.base[row].unsafelyUnwrapped[word] }
        return flags
    }

    private func addRun(_ squares: Range<Int>) {
        let part = grid.pairs(squares).clamped(to: pairs)
        guard !part.isEmpty else { return }
        runs.append(part)
        let first = max(grid.pixel(part.lowerBound) - output.lowerBound, 0)
        let last = min(grid.pixel(part.upperBound), output.upperBound) - 1 - output.lowerBound
        for piece in first / Self.piece...last / Self.piece { unsafe pieces.row(0)[piece] = 1 }
    }

    /// Pixels of a row that are written alike.
    private static let piece = 512

    /// Up to where pixels from `column` on, counted from the region's first, are all made as they are to be, or some of them have to
    /// be made again.
    func part(from column: Int) -> (columns: Range<Int>, isMended: Bool) {
        let pieces = unsafe pieces.row(0)
        var piece = column / Self.piece
        let isMended = unsafe pieces[piece]
        while piece < pieceCount, unsafe pieces[piece] == isMended { piece += 1 }
        return (column..<min(piece * Self.piece, output.count), isMended != 0)
    }

    var mendsAny: Bool { !runs.isEmpty }

    /// Makes these again.
    ///
    /// - Parameter rows: of the result, both or one of those between the same cells.
    func mend(_ rows: Range<Int>, pair: Int, _ target: TargetRows) {
        unsafe mending.mend(runs, rows, pair: pair, target)
    }
}
