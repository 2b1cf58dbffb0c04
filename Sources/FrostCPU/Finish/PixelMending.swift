import CFrostKernels
import FrostCore

/// Makes some pixels of two rows again, from cells as they arrived, and colours them one by one: what a chain does whose cells are
/// not coloured.
///
/// Not thread-safe.
///
/// SAFETY: owns its memory; the finisher, whose stages it points at, lives as long.
@safe final class PixelMending {
    private let pixels: PlainPixels
    private let finisher: RowFinisher
    private let table: UnsafePointer<frost_kernels>
    private let output: Range<Int>
    private let how: UnsafeMutablePointer<frost_mending>

    var grid: CellGrid { pixels.grid }

    /// What pairs of runs are counted from: even, so that squares can be counted from half of it.
    let origin: Int

    /// - Parameter output: the columns of the result.
    init(_ pixels: PlainPixels, output: Range<Int>, finisher: RowFinisher, kernels: KernelSet) {
        self.pixels = pixels
        self.finisher = finisher
        self.output = output
        let grid = pixels.grid
        origin = grid.pair(output.lowerBound) & ~1
        unsafe table = kernels.table
        unsafe how = .allocate(capacity: 1)
        unsafe how.initialize(
            to: frost_mending(
                doublings: pixels.value, half: (Int32(grid.between(0)), Int32(grid.pixel(0))),
                finish: finisher.steps.value, first_column: Int32(output.lowerBound - 2 * origin),
                end_column: Int32(output.upperBound - 2 * origin),
                pixel_bytes: Int32(finisher.writer.format.bytesPerPixel))
        )
    }

    deinit { unsafe how.deallocate() }

    /// - Parameters:
    ///   - runs: the pairs of pixels that are wanted, from ``origin`` on.
    ///   - rows: of pixels, of those that row `pair` of cells lies before.
    func mend(_ runs: RunList, _ rows: Range<Int>, pair: Int, _ target: TargetRows) {
        let above = grid.pixel(pair)
        func row(_ y: Int) -> UnsafeMutablePointer<UInt8>? {
            rows.contains(y) ? unsafe target.row(y).assumingMemoryBound(to: UInt8.self) : nil
        }
        let (steps, x) = (finisher.steps, output.lowerBound)
        let (cells, skip) = unsafe pixels.rows(pair, from: origin / 2)
        unsafe table.pointee.fixed_mend(
            cells, skip, how, runs.base, row(above), row(above + 1), steps.phase(above, x), steps.phase(above + 1, x))
    }
}
