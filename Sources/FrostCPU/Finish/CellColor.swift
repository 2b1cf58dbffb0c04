import CFrostKernels
import FrostCore

/// Stages of colour on the cells of which the last two doublings make the pixels: a sixteenth of the work.
///
/// Interpolation goes through stages as far as these are linear. Where they are not, by ``Curvature``, pixels are made again of
/// the cells as they were, and coloured one by one. Whether it is so is asked of the very cells that a pixel is made of, so that
/// it does not depend on the region.
///
/// Not thread-safe: each band has its own.
@safe final class CellColor {
    let grid: CellGrid
    let finisher: RowFinisher
    let kernels: KernelSet
    /// The columns of the result.
    let output: Range<Int>
    /// Pairs of pixels, by the cells of the last doubling that they lie between.
    let pairs: Range<Int>
    private let stages: [frost_color_stage]
    private let most: Bends
    private let squares: Range<Int>
    private let arriving: ArrivingRows
    private let colored: FixedRows
    /// By rows, of which so many are kept: the limits that cells met, if any did, and where on a curve they were.
    private let kept: Int
    private let limits: NoteRows
    private var hasMet: [Bool]
    private var isOpaque: [Bool]
    private let luma: FixedRows
    private let unmet: NoteRows
    /// Runs of squares that bend, by the row of their first cells.
    private let bent: [RunList]
    private let found: FixedRows
    private let rows: RowList<UInt16>
    private let notes: RowList<UInt32>
    /// Rows that arrived.
    private var seen = 0
    private let strip: PixelStrip
    /// The pixels without colour, where the finish may show more than the effect.
    let plain: PlainRows?
    /// Runs of pairs that bend, and the pieces of rows that have some.
    private let runs: RunList
    private var pieces: [Bool]

    /// Rows of cells that have to be kept, for doublings of that kind.
    static func rowsKept(_ doublings: [Doubling]) -> Int { CellGrid(doublings).n + CellGrid(doublings).most }

    /// - Parameters:
    ///   - arriving: keeps ``rowsKept(_:)``.
    ///   - doublings: the two from there to the pixels, alike along both axes.
    ///   - output: the columns of the result.
    /// - Returns: nil for a finish that has no stages, or is not one for fixed-point numbers.
    init?(
        _ arriving: ArrivingRows, doublings: [Doubling], output: Range<Int>, finisher: RowFinisher, kernels: KernelSet
    ) {
        guard let fixed = finisher.fixed, let curvature = Curvature(finisher.finish)
        else { return nil }
        let grid = CellGrid(doublings)
        self.grid = grid
        self.arriving = arriving
        self.finisher = finisher
        self.kernels = kernels
        self.output = output
        stages = FloatStages(Curvature.stages(finisher.finish), maximum: 255).stages
        pairs = grid.pair(output.lowerBound)..<grid.pair(output.upperBound - 1) + 1
        let columns = grid.squares(pairs.lowerBound).lowerBound..<grid.squares(pairs.upperBound - 1).upperBound
        squares = columns
        most = curvature.bends(budget: finisher.spare, doublings, keepsOpaque: fixed.keepsOpaque)
        kept = Self.rowsKept(doublings)
        let cells = columns.count + grid.n - 1
        colored = FixedRows(rows: 1, count: 4 * cells)
        limits = NoteRows(rows: kept, count: cells)
        luma = FixedRows(rows: kept, count: most.luma == nil ? 0 : cells)
        unmet = NoteRows(rows: 1, count: cells)
        found = FixedRows(rows: 1, count: columns.count)
        runs = RunList((grid.most + 1) * columns.count, from: pairs.lowerBound)
        hasMet = Array(repeating: false, count: kept)
        isOpaque = Array(repeating: false, count: kept)
        pieces = Array(repeating: false, count: (output.count + Self.piece - 1) / Self.piece)
        bent = (0..<kept).map { _ in RunList(columns.count, from: columns.lowerBound) }
        rows = RowList(grid.n)
        notes = RowList(grid.n)
        let pixels = PlainPixels(doublings, arriving, kernels: kernels)
        strip = PixelStrip(pixels, output: output, finisher: finisher)
        plain = finisher.takesParts ? nil : PlainRows(pixels, output: output, pairs: pairs)
    }

    func restart() {
        seen = 0
        plain?.restart()
    }

    private func place(_ row: Int) -> Int {
        let place = row % kept
        return place < 0 ? place + kept : place
    }

    /// Colours a row that has been written.
    ///
    /// - Returns: the first of the cells that are needed.
    func color(_ index: Int) -> UnsafePointer<UInt16> {
        let table = unsafe kernels.table.pointee
        let n = grid.n
        let from = unsafe arriving.complete(index) + 4 * squares.lowerBound
        let place = place(index)
        let told = unsafe table.color_cells(
            from, stages, Int32(stages.count), colored.row(0), limits.row(place),
            most.luma == nil ? nil : luma.row(place), Int32(squares.count + n - 1))
        hasMet[place] = told & 1 != 0
        isOpaque[place] = told & 2 != 0
        seen += 1
        if seen >= n { findBends(index - n + 1) }
        return unsafe UnsafePointer(colored.row(0))
    }

    /// Of the squares whose first cells are in a row.
    private func findBends(_ row: Int) {
        let table = unsafe kernels.table.pointee
        let n = grid.n
        let bends = unsafe UnsafeMutableRawPointer(found.row(0)).assumingMemoryBound(to: UInt8.self)
        var bend = false
        if let most = most.luma {
            for t in 0..<n { unsafe rows.set(t, UnsafePointer(luma.row(place(row + t)))) }
            bend = unsafe table.find_curve_bends(rows.base, Int32(n), Int32(most), bends, Int32(squares.count)) != 0
        }
        if (row..<row + n).contains(where: { hasMet[place($0)] }) {
            if most.luma == nil { unsafe bends.update(repeating: 0, count: squares.count) }
            for t in 0..<n {
                let place = place(row + t)
                unsafe rows.set(t, UnsafePointer(arriving.origin(row + t) + 4 * squares.lowerBound))
                unsafe notes.set(t, UnsafePointer(hasMet[place] ? limits.row(place) : unmet.row(0)))
            }
            let isLimited = unsafe table.find_limit_bends(
                rows.base, notes.base, Int32(n), most.numbers, bends, Int32(squares.count))
            bend = bend || isLimited != 0
        }
        let runs = bent[place(row)]
        runs.clear()
        if bend { unsafe addRuns(bends, to: runs) }
    }

    /// The longest runs of squares that bend.
    private func addRuns(_ bends: UnsafePointer<UInt8>, to runs: RunList) {
        var x = 0
        while x < squares.count {
            // Most do not.
            if x + 8 <= squares.count, unsafe UnsafeRawPointer(bends + x).loadUnaligned(as: UInt64.self) == 0 {
                x += 8
                continue
            }
            if unsafe bends[x] != 0 {
                let start = x
                while unsafe x < squares.count && bends[x] != 0 { x += 1 }
                runs.insert(squares.lowerBound + start..<squares.lowerBound + x)
            } else {
                x += 1
            }
        }
    }

    /// Finds the pixels whose cells bend, of the rows that row `pair` of cells lies before.
    func prepare(_ pair: Int) {
        for piece in pieces.indices { pieces[piece] = false }
        runs.clear()
        for row in grid.squares(pair) {
            let found = bent[place(row)]
            for i in 0..<found.count {
                let part = grid.pairs(found[i]).clamped(to: pairs)
                guard !part.isEmpty else { continue }
                runs.insert(part)
                let first = max(grid.pixel(part.lowerBound) - output.lowerBound, 0)
                let last = min(grid.pixel(part.upperBound), output.upperBound) - 1 - output.lowerBound
                for piece in first / Self.piece...last / Self.piece { pieces[piece] = true }
            }
        }
    }

    /// Pixels of a row that are written alike.
    private static let piece = 512

    /// Up to where pixels from `column` on, counted from the region's first, are all made as they are to be, or some of them have to
    /// be made again.
    func part(from column: Int) -> (columns: Range<Int>, isMended: Bool) {
        var piece = column / Self.piece
        let isMended = pieces[piece]
        while piece < pieces.count, pieces[piece] == isMended { piece += 1 }
        return (column..<min(piece * Self.piece, output.count), isMended)
    }

    var mendsAny: Bool { runs.count > 0 }

    /// Whether alpha of the rows that row `pair` of cells lies before comes to 255.
    func isOpaque(_ pair: Int) -> Bool {
        let squares = grid.squares(pair)
        return (squares.lowerBound..<squares.upperBound + grid.n - 1).allSatisfy { isOpaque[place($0)] }
    }

    /// Makes these again.
    ///
    /// - Parameter rows: of the result, both or one of those between the same cells.
    func mend(_ rows: Range<Int>, pair: Int, _ target: TargetRows) {
        unsafe strip.finish(runs, rows, pair: pair, target)
    }
}

/// Ranges in the order of their beginnings.
///
/// SAFETY: owns its memory; there are at most as many as it was made for.
@safe final class RunList {
    private let rows: NoteRows
    private let origin: Int
    private(set) var count = 0

    /// - Parameter origin: before all of them, and less than 2^31 from their ends.
    init(_ most: Int, from origin: Int) {
        rows = NoteRows(rows: 2, count: most)
        self.origin = origin
    }

    subscript(_ i: Int) -> Range<Int> { unsafe origin + Int(rows.row(0)[i])..<origin + Int(rows.row(1)[i]) }

    func clear() { count = 0 }

    func insert(_ run: Range<Int>) {
        let (starts, ends) = unsafe (rows.row(0), rows.row(1))
        let start = UInt32(run.lowerBound - origin)
        var place = count
        while unsafe place > 0 && starts[place - 1] > start {
            unsafe starts[place] = starts[place - 1]
            unsafe ends[place] = ends[place - 1]
            place -= 1
        }
        unsafe starts[place] = start
        unsafe ends[place] = UInt32(run.upperBound - origin)
        count += 1
    }
}

/// Rows of what is noted of cells.
///
/// SAFETY: as ``RowStorage``.
@safe final class NoteRows {
    private let storage: RowStorage

    init(rows: Int, count: Int) { storage = RowStorage(rows: rows, floats: count) }

    func row(_ index: Int) -> UnsafeMutablePointer<UInt32> {
        unsafe UnsafeMutableRawPointer(storage.row(index)).assumingMemoryBound(to: UInt32.self)
    }
}
