import CFrostKernels
import FrostCore

/// The offsets that kernels add before they cut off the fraction: four numbers a pixel, in 64ths of a step. An offset
/// is half a step or, for colours, the dither's offset, plus what the last stage adds.
///
/// SAFETY: owns its memory: a period, and the slack that kernels read after it.
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

    /// What the last stage adds, four numbers.
    var add: UnsafePointer<Int16> { unsafe UnsafePointer(numbers + 4 * (Dither.period + Int(FROST_SLACK))) }

    var base: UnsafePointer<Int16> { unsafe UnsafePointer(numbers) }

    /// The index of the offset of the pixel at `x` and `y`.
    func phase(_ y: Int, _ x: Int) -> UInt32 { dither.phase(y, x) }
}

/// The offsets for pairs of pixels that are stored apart, in 256ths of a step: see FROST_PAIR_OFFSETS. For straight
/// pixels, which are rounded to nearest, the table has differences from half a step. They are half a 256th away from
/// ties, so that opaque pixels get the same results either way.
///
/// SAFETY: as ``OffsetTable``.
@safe final class PairOffsetTable {
    private let rows: FixedRows
    private let differences: RowStorage
    let numbers: PairOffsets

    /// - Parameters:
    ///   - dither: nil to round to nearest.
    ///   - add: to each channel, in 256ths of a step; not to the differences.
    init(_ dither: Dither?, add: [UInt16] = [0, 0, 0, 0]) {
        let pairs = Int(FROST_PAIR_OFFSETS)
        rows = FixedRows(rows: 1, count: 2 * pairs * 4)
        differences = RowStorage(rows: 1, floats: 2 * pairs)
        let (first, difference) = unsafe (rows.row(0), differences.row(0))
        unsafe numbers = PairOffsets(base: UnsafePointer(first), differences: UnsafePointer(difference), dither: dither)
        let offsets = dither?.offsets
        for second in 0..<2 {
            for pair in 0..<pairs {
                let offset = offsets.map { 4 * UInt16($0[(2 * pair + second) % Dither.period]) + 2 } ?? 128
                let place = second * pairs + pair
                for channel in 0..<4 {
                    let number = Int(channel == 3 ? 128 : offset) + Int(add[channel])
                    unsafe first[4 * place + channel] = UInt16(min(number, 65535))
                }
                unsafe difference[place] = (Float(offset) + 0.5) / 256 - 0.5
            }
        }
    }
}

/// The memory of a ``PairOffsetTable``, without reference counting: atomic counters wait until all streamed stores have
/// reached the memory.
///
/// SAFETY: the owner of the table outlives the value.
@safe struct PairOffsets {
    let base: UnsafePointer<UInt16>
    let differences: UnsafePointer<Float>
    fileprivate let dither: Dither?

    /// As ``OffsetTable/phase(_:_:)``.
    func phase(_ y: Int, _ x: Int) -> UInt32 { dither.phase(y, x) }
}

extension Dither? {
    fileprivate func phase(_ y: Int, _ x: Int) -> UInt32 {
        map { $0.start(y: y) &+ UInt32(truncatingIfNeeded: x) } ?? 0
    }
}
