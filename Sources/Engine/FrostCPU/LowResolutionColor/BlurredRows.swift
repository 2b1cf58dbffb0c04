import CFrostKernels
import FrostCore

/// Computes pixels from low-resolution samples by two interpolations.
///
/// Not thread-safe.
///
/// SAFETY: the object owns its memory. `arriving` keeps all rows of samples that are needed to compute a pair of rows.
@safe final class BlurredPixels {
    /// The maximum number of pairs of pixels that are computed at a time.
    static let block = 128

    let grid: SampleGrid
    /// The two rows of pixels that the last call of ``make(_:pair:)`` has computed.
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

    /// Computes a block of pixels of two rows.
    ///
    /// - Parameters:
    ///   - part: the indices of the pairs of pixels along x, at most ``block`` of them.
    ///   - pair: the index of the pair of rows along y.
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
    /// Creates the argument of the C kernel for two consecutive interpolations.
    ///
    /// - Parameter interpolations: the first and the second interpolation.
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

/// Rows of pixels that are interpolated from uncoloured samples. A block of pixels is computed when it is first read.
///
/// Not thread-safe.
@safe final class BlurredRows: UncoloredRows {
    private let pixels: BlurredPixels
    private let output: Range<Int>
    private let pairs: Range<Int>
    /// `rows` has two neighbouring rows of pixels, which are computed together. `pair` is the index of this pair of rows;
    /// it is nil if nothing has been computed.
    private let rows: FixedRows
    private var pair: Int?
    private var isMade: [Bool]

    /// Creates rows of pixels that are computed when they are first read.
    ///
    /// - Parameter result: the columns of the result.
    init(_ pixels: BlurredPixels, result: Range<Int>) {
        self.pixels = pixels
        output = result
        pairs = pixels.grid.pair(result.lowerBound)..<pixels.grid.pair(result.upperBound - 1) + 1
        rows = FixedRows(rows: 2, count: 8 * pairs.count)
        isMade = Array(repeating: false, count: (pairs.count + BlurredPixels.block - 1) / BlurredPixels.block)
    }

    /// Discards the computed pixels.
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
