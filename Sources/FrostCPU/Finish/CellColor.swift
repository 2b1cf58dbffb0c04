import CFrostKernels
import FrostCore

/// Stages of colour on the cells of which the last two doublings make the pixels: a sixteenth of the work.
///
/// Interpolation goes through stages as far as these are linear. Limits at the end of them wait until bytes are made:
/// ``LateLimits``. Where curves are not linear, pixels are made again of the cells as they were: ``CellBends``.
struct CellColoring {
    /// From the cells to the pixels, alike along both axes.
    let doublings: [Doubling]
    let way: Way

    enum Way {
        case late(LateLimits)
        case bending(Curvature)
    }

    /// - Parameters:
    ///   - finish: of the plan, in fixed point.
    ///   - isDeep: the blur goes deeper than the cells. At the level that it is computed at itself, pictures with hard edges are so
    ///     steep from one cell to the next that most would have to be made again.
    ///   - spare: see ``Arithmetic/spare``.
    /// - Returns: nil without stages, and for those for which it does not pay.
    init?(_ outputStages: OutputStages, _ doublings: [Doubling], isDeep: Bool, spare: Double) {
        self.doublings = doublings
        if let late = LateLimits(outputStages.stages, doublings, spare: spare) {
            way = .late(late)
        } else if isDeep, let curvature = Curvature(CellStages(outputStages.stages).list) {
            way = .bending(curvature)
        } else {
            return nil
        }
    }
}

extension OutputStages {
    /// Of pixels that neither show the original nor have content over them.
    var stages: [ColorStage] { inside + over }
}

/// Colours cells as they arrive.
///
/// Not thread-safe: each band has its own.
///
/// SAFETY: owns its limits.
@safe final class CellColor {
    let grid: CellGrid
    let finisher: RowFinisher
    /// For what makes bytes; nil where limits are met already. And its offsets, where they have the shift in them.
    let limits: UnsafePointer<frost_late_limits>?
    var pairs: PairOffsets? { pairOffsets?.numbers }
    /// Nil where nothing bends.
    let bends: CellBends?
    /// The pixels without colour, where the finish may show more than the effect.
    let plain: PlainRows?
    private let pairOffsets: PairOffsetTable?
    private let table: UnsafePointer<frost_kernels>
    private let stages: [frost_color_stage]
    /// The stages that have limits to meet, a bit each.
    private let limited: Int32
    /// Opaque cells have at least this alpha.
    private let opaque: Float
    private let squares: Range<Int>
    /// The rows that it colours, and keeps.
    let arriving: ArrivingRows
    private let colored: FixedRows
    /// Of the rows that are kept.
    private var isOpaque: [Bool]

    /// - Parameters:
    ///   - x: the pass along x that reads the cells.
    ///   - input: the cells that arrive; output: those that the pass computes.
    ///   - result: the columns of the result.
    ///   - finisher: of fixed-point numbers.
    init(
        _ x: Pass, input: Range<Int>, output: Range<Int>, result: Range<Int>, _ coloring: CellColoring,
        finisher: RowFinisher, kernels: KernelSet
    ) {
        let doublings = coloring.doublings
        let grid = CellGrid(doublings)
        self.grid = grid
        let kept = grid.n + grid.most
        arriving = ArrivingRows(x, input: input, output: output, channels: 4, kept: kept)
        self.finisher = finisher
        unsafe table = kernels.table
        let pairs = grid.pair(result.lowerBound)..<grid.pair(result.upperBound - 1) + 1
        squares = grid.squares(pairs.lowerBound).lowerBound..<grid.squares(pairs.upperBound - 1).upperBound
        colored = FixedRows(rows: 1, count: 4 * (squares.count + grid.n - 1))
        isOpaque = Array(repeating: false, count: kept)
        let pixels = PlainPixels(doublings, arriving, kernels: kernels)
        plain = finisher.takesParts ? nil : PlainRows(pixels, output: result, pairs: pairs)
        switch coloring.way {
        case .late(let late):
            stages = FloatStages([.matrix(late.matrix)], maximum: 255).stages
            limited = 0
            opaque = late.opaque
            bends = nil
            pairOffsets = finisher.makesBytes ? PairOffsetTable(finisher.outputStages.dither, add: late.add) : nil
            let limits = UnsafeMutablePointer<frost_late_limits>.allocate(capacity: 1)
            unsafe limits.initialize(to: late.limits)
            unsafe self.limits = UnsafePointer(limits)
        case .bending(let curvature):
            // Pixels of such cells round to 255, however that is done.
            opaque = 254.75
            pairOffsets = nil
            unsafe limits = nil
            let list = CellStages(finisher.outputStages.stages)
            stages = list.stages
            limited = list.limited
            let most = curvature.bends(
                budget: finisher.spare, doublings, keepsOpaque: finisher.fixed?.keepsOpaque == true)
            bends = CellBends(
                arriving, squares: squares, pairs: pairs, output: result, kept: kept, most: most,
                PixelMending(pixels, output: result, finisher: finisher, kernels: kernels), kernels: kernels)
        }
    }

    deinit { unsafe limits?.deallocate() }

    func restart() {
        bends?.restart()
        plain?.restart()
    }

    /// Colours a row that has been written.
    ///
    /// - Returns: the first of the cells that are needed.
    func color(_ index: Int) -> UnsafePointer<UInt16> {
        let from = unsafe arriving.complete(index) + 4 * squares.lowerBound
        let (limits, luma) = unsafe (bends?.limits(index), bends?.luma(index))
        let told = unsafe table.pointee.color_cells(
            from, stages, Int32(stages.count), limited, colored.row(0), limits, luma, opaque,
            Int32(squares.count + grid.n - 1))
        isOpaque[index.modulo(isOpaque.count)] = told & 2 != 0
        bends?.add(index, hasMet: told & 1 != 0)
        return unsafe UnsafePointer(colored.row(0))
    }

    /// Whether alpha of the rows that row `pair` of cells lies before comes to 255.
    func isOpaque(_ pair: Int) -> Bool {
        let squares = grid.squares(pair)
        return (squares.lowerBound..<squares.upperBound + grid.n - 1).allSatisfy { isOpaque[$0.modulo(isOpaque.count)] }
    }
}

extension Int {
    /// The remainder that is not negative.
    func modulo(_ divisor: Int) -> Int {
        let rest = self % divisor
        return rest < 0 ? rest + divisor : rest
    }
}
