import CFrostKernels
import FrostCore

/// Makes pixels by two interpolations from samples that are kept.
///
/// Not thread-safe.
///
/// SAFETY: owns its memory; as many rows of samples are kept as a pair of rows is made from.
@safe final class BlurredPixels {
    /// Pairs of pixels that are made at a time.
    static let block = 128

    let grid: SampleGrid
    /// Two rows of what was made.
    let made: FixedRows
    private let arriving: ArrivingRows
    private let table: UnsafePointer<frost_kernels>
    private let samples: RowList<UInt16>
    private let interpolations: UnsafeMutablePointer<frost_interpolations>

    init(_ interpolations: [InterpolationTaps], _ arriving: ArrivingRows, kernels: KernelSet) {
        grid = SampleGrid(interpolations)
        self.arriving = arriving
        unsafe table = kernels.table
        samples = RowList(grid.n + grid.maximumSquares - 1)
        made = FixedRows(rows: 2, count: 8 * Self.block)
        unsafe self.interpolations = .allocate(capacity: 1)
        unsafe self.interpolations.initialize(to: frost_interpolations(interpolations))
    }

    deinit { unsafe interpolations.deallocate() }

    /// - Parameters:
    ///   - part: at most ``block`` pairs.
    ///   - pair: the row of samples before the rows.
    func make(_ part: Range<Int>, pair: Int) {
        let (x, squares) = (grid.square(part.lowerBound), grid.squares(pair))
        for row in squares.lowerBound..<squares.upperBound + grid.n - 1 {
            unsafe samples.set(row - squares.lowerBound, UnsafePointer(arriving.origin(row) + 4 * x))
        }
        unsafe table.pointee.fixed_interpolate_twice(
            samples.base, interpolations, Int32(part.lowerBound - grid.between(x)),
            Int32(pair - grid.between(squares.lowerBound)), made.row(0), made.row(1), Int32(part.count))
    }
}

extension frost_interpolations {
    /// - Parameter interpolations: two.
    init(_ interpolations: [InterpolationTaps]) {
        self.init()
        samples = (Int32(interpolations[0].taps.count), Int32(interpolations[1].taps.count))
        func weights(_ list: [UInt16]) -> (UInt16, UInt16, UInt16, UInt16, UInt16) {
            let all = list + Array(repeating: 0, count: Int(FROST_MAXIMUM_TAPS) - list.count)
            return (all[0], all[1], all[2], all[3], all[4])
        }
        taps = (weights(interpolations[0].taps), weights(interpolations[1].taps))
    }
}

/// Rows of such pixels, made block by block when they are first asked for.
///
/// Not thread-safe.
@safe final class BlurredRows: UncoloredRows {
    private let pixels: BlurredPixels
    private let output: Range<Int>
    private let pairs: Range<Int>
    /// Two rows, and the row of samples before them.
    private let rows: FixedRows
    private var pair: Int?
    private var isMade: [Bool]

    /// - Parameter result: the columns of the result.
    init(_ pixels: BlurredPixels, result: Range<Int>) {
        self.pixels = pixels
        output = result
        pairs = pixels.grid.pair(result.lowerBound)..<pixels.grid.pair(result.upperBound - 1) + 1
        rows = FixedRows(rows: 2, count: 8 * pairs.count)
        isMade = Array(repeating: false, count: (pairs.count + BlurredPixels.block - 1) / BlurredPixels.block)
    }

    /// Forgets what was made.
    func restart() { pair = nil }

    func row(_ y: Int, _ columns: Range<Int>) -> UnsafePointer<UInt16> {
        let grid = pixels.grid
        let pair = grid.pair(y)
        if self.pair != pair {
            self.pair = pair
            for block in isMade.indices { isMade[block] = false }
        }
        let first = grid.pair(output.lowerBound + columns.lowerBound) - pairs.lowerBound
        let last = grid.pair(output.lowerBound + columns.upperBound - 1) - pairs.lowerBound
        for block in first / BlurredPixels.block...last / BlurredPixels.block where !isMade[block] { make(block) }
        let start = output.lowerBound - grid.pixel(pairs.lowerBound)
        return unsafe UnsafePointer(rows.row(y - grid.pixel(pair)) + 4 * start)
    }

    private func make(_ block: Int) {
        guard let pair else { return }
        isMade[block] = true
        let offset = block * BlurredPixels.block
        let part = pairs.lowerBound + offset..<min(pairs.lowerBound + offset + BlurredPixels.block, pairs.upperBound)
        pixels.make(part, pair: pair)
        for row in 0..<2 {
            unsafe (rows.row(row) + 8 * offset).update(from: pixels.made.row(row), count: 8 * part.count)
        }
    }
}
