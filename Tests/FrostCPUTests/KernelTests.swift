import CFrostKernels
import FrostTestSupport
import Testing

@testable import FrostCPU
@testable import FrostCore

/// Compares every kernel of every instruction set with its scalar Swift version (twin), bit for bit. The tests cover every
/// width up to slightly more than two vectors of bytes, and every alignment. Guard pages enclose the memory of each row. The
/// values after a row, which a kernel may read but must not use (the slack), are garbage.
struct KernelTests {
    static let widths = 1...130

    // MARK: Weighted sums

    @Test("weighted sums between floats and bytes", arguments: [1, 2, 3, 4, 7, 16])
    func weightedSums(_ count: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(count))
        let n = Int32(count)
        for width in Self.widths {
            let taps = values.weights(count)
            let floats = values.rows(count) { $0.floats(width) }
            check.context = "\(count) taps, width \(width)"
            unsafe check.expect(KernelTwins.weightedSum(floats, taps), "weighted_sum") { table, memory, out in
                unsafe table.weighted_sum(memory.rows(floats), memory.taps(taps), n, out, Int32(width))
            }
            let bytes = values.rows(count) { $0.bytes(width) }
            unsafe check.expect(KernelTwins.weightedSumFromU8(bytes, taps), "from_u8") { table, memory, out in
                unsafe table.weighted_sum_from_u8(memory.rows(bytes), memory.taps(taps), n, out, Int32(width))
            }
            let wild = values.rows(count) { $0.wildFloats(width) }
            unsafe check.expect(KernelTwins.weightedSumToU8(wild, taps), "to_u8") { table, memory, out in
                unsafe table.weighted_sum_to_u8(memory.rows(wild), memory.taps(taps), n, out, Int32(width))
            }
        }
    }

    @Test("weighted sums between floats and straight RGBA", arguments: [1, 2, 3, 4, 7])
    func weightedSumsOfRGBA(_ count: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(count))
        let n = Int32(count)
        for width in Self.widths.map({ 4 * $0 }) {
            let taps = values.weights(count)
            check.context = "\(count) taps, width \(width)"
            let bytes = values.rows(count) { $0.bytes(width) }
            unsafe check.expect(KernelTwins.weightedSumFromRGBA8(bytes, taps), "from_rgba8") { table, memory, out in
                unsafe table.weighted_sum_from_rgba8(memory.rows(bytes), memory.taps(taps), n, out, Int32(width))
            }
            let wild = values.rows(count) { $0.wildFloats(width) }
            unsafe check.expect(KernelTwins.weightedSumToRGBA8(wild, taps), "to_rgba8") { table, memory, out in
                unsafe table.weighted_sum_to_rgba8(memory.rows(wild), memory.taps(taps), n, out, Int32(width))
            }
        }
    }

    // MARK: Conversions between bytes and floats

    @Test("bytes to floats and back")
    func conversions() {
        var check = KernelCheck()
        var values = KernelValues(seed: 1)
        for width in Self.widths {
            check.context = "width \(width)"
            let bytes = values.bytes(width)
            unsafe check.expect(KernelTwins.loadU8(bytes), "load_u8") { table, memory, out in
                unsafe table.load_u8(memory.row(bytes), out, Int32(width))
            }
            let pixels = values.bytes(4 * width)
            unsafe check.expect(KernelTwins.loadRGBA8(pixels), "load_rgba8") { table, memory, out in
                unsafe table.load_rgba8(memory.row(pixels), out, Int32(4 * width))
            }
            let floats = values.wildFloats(width)
            unsafe check.expect(KernelTwins.storeU8(floats), "store_u8") { table, memory, out in
                unsafe table.store_u8(memory.row(floats), out, Int32(width))
            }
            let colors = values.wildFloats(4 * width)
            unsafe check.expect(KernelTwins.storeRGBA8(colors), "store_rgba8") { table, memory, out in
                unsafe table.store_rgba8(memory.row(colors), out, Int32(4 * width))
            }
        }
    }

    @Test("NaN becomes 0, in colour and in alpha")
    func notANumber() {
        var check = KernelCheck()
        for width in Self.widths.map({ 4 * $0 }) {
            check.context = "width \(width)"
            let row = [Float](repeating: .nan, count: width)
            let zeros = [UInt8](repeating: 0, count: width)
            unsafe check.expect(zeros, "store_u8") { unsafe $0.store_u8($1.row(row), $2, Int32(width)) }
            unsafe check.expect(zeros, "store_rgba8") { unsafe $0.store_rgba8($1.row(row), $2, Int32(width)) }
        }
    }

    /// Returns a row of pixels with this alpha that contains every colour value.
    private static func pairs(_ alpha: UInt8) -> [UInt8] {
        (UInt8.min...UInt8.max).flatMap { [$0, 255 - $0, $0 / 2, alpha] }
    }

    @Test("straight RGBA is premultiplied as RowConversion does it, for every colour and alpha")
    func everyStraightColor() {
        var check = KernelCheck(placements: [Placement(atEnd: true, shift: 0)])
        let conversion = RowConversion(format: PixelFormat(.rgba))
        let count = Int32(4 * 256)
        for alpha in UInt8.min...UInt8.max {
            let row = Self.pairs(alpha)
            var expected = [Float](repeating: .nan, count: row.count)
            unsafe row.withUnsafeBytes { from in
                guard let from = from.baseAddress else { return }
                // SAFETY: both rows hold 256 pixels.
                unsafe expected.withUnsafeMutableBufferPointer { to in
                    guard let to = to.baseAddress else { return }
                    unsafe conversion.load(from, count: 256, into: to)
                }
            }
            check.context = "alpha \(alpha)"
            unsafe check.expect(expected, "load_rgba8") { unsafe $0.load_rgba8($1.row(row), $2, count) }
            unsafe check.expect(expected, "weighted_sum_from_rgba8") { table, memory, out in
                unsafe table.weighted_sum_from_rgba8(memory.rows([row]), memory.taps([Float(1)]), 1, out, count)
            }
        }
    }

    @Test("premultiplied colour is divided as RowConversion does it, for every colour and alpha")
    func everyPremultipliedColor() {
        var check = KernelCheck(placements: [Placement(atEnd: true, shift: 0)])
        let conversion = RowConversion(format: PixelFormat(.rgba))
        let count = Int32(4 * 256)
        var values = KernelValues(seed: 2)
        for alpha in UInt8.min...UInt8.max {
            let pairs = Self.pairs(alpha)
            // The first row consists of whole numbers. The second row has the values that are computed when straight colours
            // are loaded. The third row has random values whose alpha rounds to `alpha`.
            let rows = [
                pairs.map { Float($0) }, KernelTwins.loadRGBA8(pairs),
                pairs.indices.map { $0 % 4 == 3 ? Float(alpha) + values.between(-0.5, 0.5) : values.between(-2, 257) },
            ]
            for row in rows {
                var expected = [UInt8](repeating: 0, count: row.count)
                unsafe row.withUnsafeBufferPointer { from in
                    guard let from = from.baseAddress else { return }
                    // SAFETY: both rows hold 256 pixels.
                    unsafe expected.withUnsafeMutableBytes { to in
                        guard let to = to.baseAddress else { return }
                        unsafe conversion.store(from, count: 256, into: to)
                    }
                }
                check.context = "alpha \(alpha)"
                unsafe check.expect(expected, "store_rgba8") { unsafe $0.store_rgba8($1.row(row), $2, count) }
                unsafe check.expect(expected, "weighted_sum_to_rgba8") { table, memory, out in
                    unsafe table.weighted_sum_to_rgba8(memory.rows([row]), memory.taps([Float(1)]), 1, out, count)
                }
            }
        }
    }

    // MARK: Decimation and interpolation along a row of floats

    @Test("decimation", arguments: 1...4, [2, 4, 6, 8, 10])
    func decimate(_ channels: Int, _ count: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(channels))
        for width in Self.widths {
            let taps = values.weights(count)
            let row = values.floats((2 * width + count - 2) * channels)
            let expected = KernelTwins.decimate(row, taps, count: width, channels: channels)
            check.context = "width \(width)"
            unsafe check.expect(expected, "decimate") { table, memory, out in
                unsafe table.decimate(
                    memory.row(row), memory.taps(taps), Int32(count), out, Int32(width), Int32(channels))
            }
        }
    }

    @Test("interpolation", arguments: 1...4, 2...5)
    func interpolate(_ channels: Int, _ count: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(channels))
        for width in Self.widths {
            let even = values.weights(count)
            let odd = values.weights(count)
            for (half, first) in (1...4).flatMap({ half in [(half, 0), (half, 1)] }) {
                let cells = ((first + width - 1 - half) >> 1) - ((first - half) >> 1) + count
                let row = values.floats(cells * channels)
                let expected = KernelTwins.interpolate(
                    row, even: even, odd: odd, half: half, first: first, count: width, channels: channels)
                // Each width uses two of the eight placements. Together the widths cover every placement.
                check.placements = (0...1).map { Placement.all[(2 * half + 4 * $0 + first + width) % 8] }
                check.context = "width \(width), half \(half), first \(first)"
                unsafe check.expect(expected, "interpolate") { table, memory, out in
                    unsafe table.interpolate(
                        memory.row(row), memory.taps(even), memory.taps(odd), Int32(count), Int32(half), out,
                        Int32(first), Int32(width), Int32(channels))
                }
            }
        }
    }
}
