import CFrostKernels
import FrostCore

/// A table of rounding offsets. A kernel rounds a fixed-point number as follows: it adds an offset and drops the
/// fraction. The table has four offsets per pixel, one for each channel, in 1/64 of an 8-bit step. The offset of a
/// colour is the dither's offset, or 32 (half a step) without dither. The offset of alpha is 32. Each offset also
/// includes the constant that the last colour stage adds to its channel.
///
/// SAFETY: the object owns its memory: one period of pixels and the slack that kernels may read after it.
@safe final class OffsetTable {
    private let storage: RowStorage
    private let dither: Dither?

    /// Creates a table of rounding offsets. `add` is a constant for each channel, in 1/64 of an 8-bit step.
    ///
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

    /// The constant that the last stage adds to each of the four channels, in 1/64 of an 8-bit step.
    var add: UnsafePointer<Int16> { unsafe UnsafePointer(numbers + 4 * (Dither.period + Int(FROST_SLACK))) }

    var base: UnsafePointer<Int16> { unsafe UnsafePointer(numbers) }

    /// Returns the index in the table of the offset for the pixel at `x` and `y`.
    func phase(_ y: Int, _ x: Int) -> UInt32 { dither.phase(y, x) }
}

/// A table of rounding offsets for interpolations, in 1/256 of an 8-bit step. Interpolations store the first pixels and
/// the second pixels of pairs in separate rows. The table has one half for each of them; see FROST_PAIR_OFFSETS.
///
/// Pixels with straight alpha are rounded to the nearest number instead. For these pixels the table also has
/// differences: each difference is an offset minus half a step. To each difference, 1/512 of a step is added, so that
/// no sum is a rounding tie. Opaque pixels therefore get the same result with offsets and with differences.
///
/// SAFETY: the object owns its memory: one period of pixels and the slack that kernels may read after it.
@safe final class PairOffsetTable {
    private let rows: FixedRows
    private let differences: RowStorage
    let numbers: PairOffsets

    /// Creates a table of rounding offsets for pairs of pixels.
    ///
    /// - Parameters:
    ///   - dither: nil to round to nearest.
    ///   - add: a constant for each channel in 1/256 of an 8-bit step. It is added to the offsets, but not to the
    ///     differences.
    ///   - centres: whether the offsets of the dither are raised by 2/256 of a step, so that their mean is half a step. If
    ///     false, the offsets are those of ``OffsetTable``, and the bytes are those of the kernel fixed_output.
    init(_ dither: Dither?, add: [UInt16] = [0, 0, 0, 0], centres: Bool = true) {
        let pairs = Int(FROST_PAIR_OFFSETS)
        rows = FixedRows(rows: 1, count: 2 * pairs * 4)
        differences = RowStorage(rows: 1, floats: 2 * pairs)
        let (first, difference) = unsafe (rows.row(0), differences.row(0))
        unsafe numbers = PairOffsets(base: UnsafePointer(first), differences: UnsafePointer(difference), dither: dither)
        let offsets = dither?.offsets
        for second in 0..<2 {
            for pair in 0..<pairs {
                let offset =
                    offsets.map { 4 * UInt16($0[(2 * pair + second) % Dither.period]) + (centres ? 2 : 0) } ?? 128
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

/// Pointers into a ``PairOffsetTable``, without reference counting. An atomic reference counter would wait until all
/// bytes that were written around the caches have reached the memory.
///
/// SAFETY: the owner of the table outlives the value.
@safe struct PairOffsets {
    let base: UnsafePointer<UInt16>
    let differences: UnsafePointer<Float>
    fileprivate let dither: Dither?

    /// Returns the index in the table of the offset for the pixel at `x` and `y`, as ``OffsetTable/phase(_:_:)`` does.
    func phase(_ y: Int, _ x: Int) -> UInt32 { dither.phase(y, x) }
}

extension Dither? {
    fileprivate func phase(_ y: Int, _ x: Int) -> UInt32 {
        map { $0.start(y: y) &+ UInt32(truncatingIfNeeded: x) } ?? 0
    }
}
