import CFrostKernels
import FrostTestSupport
import Testing

@testable import FrostCPU
@testable import FrostCore

/// Compares every kernel of every instruction set with the baseline's, or with a scalar Swift version (twin), bit for bit. The
/// tests cover every width up to slightly more than two vectors of bytes, and every alignment. Guard pages enclose the memory of each row. The
/// values after a row, which a kernel may read but must not use (the slack), are garbage.
struct KernelTests {
    static let widths = Array(1...130)

    // MARK: Weighted sums

    @Test("weighted sums", arguments: [1, 2, 3, 4, 7, 16])
    func weightedSums(_ count: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(count))
        for width in Self.widths {
            let taps = values.weights(count)
            let floats = values.rows(count) { $0.floats(width) }
            check.context = "\(count) taps, width \(width)"
            unsafe check.agree(width, "weighted_sum") { table, memory, out in
                unsafe table.weighted_sum(memory.rows(floats), memory.taps(taps), Int32(count), out, Int32(width))
            }
        }
    }

    // MARK: Conversions between bytes and floats

    @Test("NaN becomes 0, in colour and in alpha")
    func notANumber() {
        var check = KernelCheck()
        for width in Self.widths.map({ 4 * $0 }) {
            check.context = "width \(width)"
            let row = [Float](repeating: .nan, count: width)
            let zeros = [UInt8](repeating: 0, count: width)
            unsafe check.expect(zeros, "U8") { unsafe $0.store_floats(FROST_U8, $1.row(row), $2, Int32(width), 0) }
            unsafe check.expect(zeros, "RGBA8") {
                unsafe $0.store_floats(FROST_RGBA8, $1.row(row), $2, Int32(width), 0)
            }
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
            unsafe check.expect(expected, "RGBA8") { unsafe $0.load_floats(FROST_RGBA8, $1.row(row), $2, count) }
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
                unsafe check.expect(expected, "RGBA8") {
                    unsafe $0.store_floats(FROST_RGBA8, $1.row(row), $2, count, 0)
                }
            }
        }
    }

    // MARK: Decimation and interpolation along a row of floats

    @Test("decimation", arguments: 1...4, [2] + Array(4...15))
    func decimate(_ channels: Int, _ count: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(channels))
        for width in Self.widths + [140] {
            var taps = values.weights(count)
            for t in 0..<count / 2 { taps[count - 1 - t] = taps[t] }
            let row = values.floats((2 * width + count - 2) * channels)
            check.context = "width \(width)"
            unsafe check.agree(width * channels, "decimate") { table, memory, out in
                unsafe table.decimate(
                    memory.row(row), memory.taps(taps), Int32(count), out, Int32(width), Int32(channels))
            }
        }
    }

    @Test("interpolation", arguments: 1...4, 2...8)
    func interpolate(_ channels: Int, _ count: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(channels))
        for width in Self.widths + [260, 261] {
            let even = values.weights(count)
            let odd = values.weights(count)
            for (half, first) in (1...4).flatMap({ half in [(half, 0), (half, 1)] }) {
                let cells = ((first + width - 1 - half) >> 1) - ((first - half) >> 1) + count
                let row = values.floats(cells * channels)
                // Each width uses two of the eight placements. Together the widths cover every placement.
                check.placements = (0...1).map { Placement.all[(2 * half + 4 * $0 + first + width) % 8] }
                check.context = "width \(width), half \(half), first \(first)"
                unsafe check.agree(width * channels, "interpolate") { table, memory, out in
                    unsafe table.interpolate(
                        memory.row(row), memory.taps(even), memory.taps(odd), Int32(count), Int32(half), out,
                        Int32(first), Int32(width), Int32(channels))
                }
            }
        }
    }
}
