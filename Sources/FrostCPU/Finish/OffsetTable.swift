import CFrostKernels
import FrostCore

/// What is added to numbers before their fractions are cut off, where kernels can read it: four numbers a pixel, in 64ths of
/// a step. Half a step, or for colours the dither's offsets; and what stages have left to be added.
///
/// SAFETY: owns its memory, of a period and the slack that kernels read beyond it.
@safe final class OffsetTable {
    private let storage: RowStorage
    private let dither: Dither?

    /// - Parameter dither: nil to round to nearest.
    init(_ dither: Dither?, add: (Int16, Int16, Int16, Int16) = (0, 0, 0, 0)) {
        self.dither = dither
        let pixels = Dither.period + Int(FROST_SLACK)
        storage = RowStorage(rows: 1, floats: 2 * (pixels + 1))
        let numbers = unsafe numbers
        let (offsets, add) = (dither?.offsets, [add.0, add.1, add.2, add.3])
        for channel in 0..<4 { unsafe numbers[4 * pixels + channel] = add[channel] }
        for pixel in 0..<pixels {
            let offset = offsets.map { Int16($0[pixel % Dither.period]) } ?? 32
            for channel in 0..<4 {
                unsafe numbers[4 * pixel + channel] = (channel == 3 ? 32 : offset) + add[channel]
            }
        }
    }

    private var numbers: UnsafeMutablePointer<Int16> {
        unsafe UnsafeMutableRawPointer(storage.row(0)).assumingMemoryBound(to: Int16.self)
    }

    /// What stages have left, four numbers.
    var add: UnsafePointer<Int16> { unsafe UnsafePointer(numbers + 4 * (Dither.period + Int(FROST_SLACK))) }

    /// For the pixels of row `y` from column `x` on: the table, and the pixel to begin with.
    func row(_ y: Int, _ x: Int) -> (table: UnsafePointer<Int16>, phase: UInt32) {
        let phase = dither.map { $0.start(y: y) &+ UInt32(truncatingIfNeeded: x) } ?? 0
        return unsafe (UnsafePointer(numbers), phase)
    }
}

/// The same where pairs of pixels come apart, in 256ths of a step: see FROST_PAIR_OFFSETS.
///
/// SAFETY: as ``OffsetTable``.
@safe final class PairOffsetTable {
    private let rows: FixedRows
    private let dither: Dither?

    /// - Parameters:
    ///   - dither: nil to round to nearest.
    ///   - add: to each channel, in 256ths of a step.
    init(_ dither: Dither?, add: [UInt16] = [0, 0, 0, 0]) {
        self.dither = dither
        let pairs = Int(FROST_PAIR_OFFSETS)
        rows = FixedRows(rows: 1, count: 2 * pairs * 4)
        let numbers = unsafe rows.row(0)
        let offsets = dither?.offsets
        for second in 0..<2 {
            for pair in 0..<pairs {
                let offset = offsets.map { 4 * UInt16($0[(2 * pair + second) % Dither.period]) + 2 } ?? 128
                let place = unsafe numbers + 4 * (second * pairs + pair)
                for channel in 0..<4 {
                    unsafe place[channel] = UInt16(min(Int(channel == 3 ? 128 : offset) + Int(add[channel]), 65535))
                }
            }
        }
    }

    var base: UnsafePointer<UInt16> { unsafe UnsafePointer(rows.row(0)) }

    /// Of the pixels of row `y` from column `x` on: the one to begin with.
    func phase(_ y: Int, _ x: Int) -> UInt32 { dither.map { $0.start(y: y) &+ UInt32(truncatingIfNeeded: x) } ?? 0 }
}
