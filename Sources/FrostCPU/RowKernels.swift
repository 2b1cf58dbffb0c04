import FrostCore

/// The inner loops: whole rows of interleaved floats, `channels` (1 to 4) a pixel.
///
/// Every output value is a sum in a fixed order of its taps, multiply and add rounded separately, so results do not
/// depend on the vector width, the position in the row or the number of threads.
///
/// SAFETY: callers provide rows with ``RowKernels/slack`` floats behind their last value, which the loops may read and
/// overwrite with numbers that mean nothing.
enum RowKernels {
    /// Floats behind every row that vector loops may touch.
    static let slack = 16

    /// `out[x] = sum over t of taps[t] * rows[t][x]` for `count` floats. Serves every vertical pass, and the
    /// horizontal convolution with `rows[t] = row + t * channels`.
    static func weightedSum(
        _ rows: UnsafeMutablePointer<UnsafePointer<Float>>, _ taps: UnsafePointer<Float>, tapCount: Int,
        out: UnsafeMutablePointer<Float>, count: Int
    ) {
        var x = 0
        while x < count {
            var low = SIMD8<Float>.zero
            var high = SIMD8<Float>.zero
            for t in 0..<tapCount {
                let row = unsafe UnsafeRawPointer(rows[t] + x)
                let tap = unsafe taps[t]
                unsafe low += row.loadUnaligned(as: SIMD8<Float>.self) * tap
                unsafe high += row.loadUnaligned(fromByteOffset: 32, as: SIMD8<Float>.self) * tap
            }
            let to = unsafe UnsafeMutableRawPointer(out + x)
            unsafe to.storeBytes(of: low, as: SIMD8<Float>.self)
            unsafe to.storeBytes(of: high, toByteOffset: 32, as: SIMD8<Float>.self)
            x += 16
        }
    }

    /// `out[i] = sum over t of taps[t] * row[2i + t]` for `count` pixels.
    ///
    /// Four floats are always computed; those beyond `channels` are overwritten by the next pixel.
    static func decimate(
        _ row: UnsafePointer<Float>, _ taps: UnsafePointer<Float>, tapCount: Int,
        out: UnsafeMutablePointer<Float>, count: Int, channels: Int
    ) {
        for i in 0..<count {
            var sum = SIMD4<Float>.zero
            let from = unsafe UnsafeRawPointer(row + 2 * i * channels)
            for t in 0..<tapCount {
                unsafe sum += from.loadUnaligned(fromByteOffset: 4 * t * channels, as: SIMD4<Float>.self) * taps[t]
            }
            unsafe UnsafeMutableRawPointer(out + i * channels).storeBytes(of: sum, as: SIMD4<Float>.self)
        }
    }

    /// Output pixels `first ..< first + count` of an interpolation: pixel i sums `tapCount` cells from cell
    /// `(i - half) >> 1` on, with the taps of its parity. `row` points at cell `(first - half) >> 1`.
    static func interpolate(
        _ row: UnsafePointer<Float>, even: UnsafePointer<Float>, odd: UnsafePointer<Float>, tapCount: Int, half: Int,
        out: UnsafeMutablePointer<Float>, first: Int, count: Int, channels: Int
    ) {
        let firstCell = (first - half) >> 1
        for k in 0..<count {
            let i = first + k
            let taps = unsafe i & 1 == 0 ? even : odd
            var sum = SIMD4<Float>.zero
            let from = unsafe UnsafeRawPointer(row + (((i - half) >> 1) - firstCell) * channels)
            for t in 0..<tapCount {
                unsafe sum += from.loadUnaligned(fromByteOffset: 4 * t * channels, as: SIMD4<Float>.self) * taps[t]
            }
            unsafe UnsafeMutableRawPointer(out + k * channels).storeBytes(of: sum, as: SIMD4<Float>.self)
        }
    }
}

/// A pass's taps by output index: which input cell comes first, and the weights from there on.
struct TapSchedule {
    private let operation: Pass.Operation
    /// Weights for even and odd outputs; the same for operations that do not tell them apart.
    let even: [Float]
    let odd: [Float]
    /// `n/2 - 1` for a resampling filter of n taps.
    let half: Int

    var count: Int { even.count }

    init(_ operation: Pass.Operation) {
        self.operation = operation
        switch operation {
        case .convolve(let taps):
            half = taps.count / 2
            (even, odd) = (taps, taps)
        case .decimate(let taps):
            half = taps.count / 2 - 1
            (even, odd) = (taps, taps)
        case .interpolate(let taps):
            // Output i and the s-th cell j from (i - half) >> 1 on meet at tap i - 2j + half: where i - half is even
            // that is 2 half - 2s, else 2 half + 1 - 2s.
            let half = taps.count / 2 - 1
            let same = (0...half).map { 2 * taps[2 * half - 2 * $0] }
            let other = (0...half).map { 2 * taps[2 * half + 1 - 2 * $0] }
            self.half = half
            (even, odd) = half & 1 == 0 ? (same, other) : (other, same)
        }
    }

    /// The weights where kernels can read them: row 0 for even outputs, row 1 for odd ones.
    var storage: RowStorage {
        let storage = RowStorage(rows: 2, floats: count)
        for t in 0..<count {
            unsafe storage.row(0)[t] = even[t]
            unsafe storage.row(1)[t] = odd[t]
        }
        return storage
    }

    /// The first input cell of output `i`, before any edge rule.
    func firstCell(_ i: Int) -> Int {
        switch operation {
        case .convolve: i - half
        case .decimate: 2 * i - half
        case .interpolate: (i - half) >> 1
        }
    }
}
