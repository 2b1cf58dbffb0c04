import CFrostKernels
import FrostTestSupport
import Testing

@testable import FrostCPU
@testable import FrostCore

/// Compares the fixed-point kernels of every instruction set with the baseline's, and what they add up with scalar Swift
/// versions (twins); see ``KernelTests``.
struct FixedKernelTests {
    static let widths = 1...130
    /// The largest fixed-point number that a chain of filters can produce: full scale (65280), plus a margin for rounding.
    static let limit: UInt16 = 65300

    // MARK: Conversions between bytes, floats and fixed-point numbers

    @Test("bytes and floats to fixed-point numbers and back")
    func conversions() {
        var check = KernelCheck()
        var values = KernelValues(seed: 1)
        for width in Self.widths {
            check.context = "width \(width)"
            let (n, bytes, numbers) = (Int32(width), values.bytes(width), values.integers(width, upTo: Self.limit))
            unsafe check.agree(width, "fixed_load_u8") {
                unsafe $0.fixed_load_u8($1.row(bytes), $2, n)
            }
            unsafe check.agree(width, "fixed_store_u8") {
                unsafe $0.fixed_store_u8($1.row(numbers), $2, n)
            }
            unsafe check.agree(width, "fixed_store_floats") {
                unsafe $0.fixed_store_floats($1.row(numbers), $2, n)
            }
            let floats = values.wildFloats(width)
            unsafe check.agree(width, "fixed_load_floats") {
                unsafe $0.fixed_load_floats($1.row(floats), $2, n)
            }
        }
    }

    @Test("RGB and straight RGBA to fixed-point numbers and back")
    func pixels() {
        var check = KernelCheck()
        var values = KernelValues(seed: 2)
        for width in Self.widths {
            check.context = "width \(width)"
            let (n, rgb, rgba) = (Int32(width), values.bytes(3 * width), values.bytes(4 * width))
            let numbers = values.integers(4 * width, upTo: Self.limit)
            unsafe check.agree(4 * width, "expand_rgb8") { unsafe $0.expand_rgb8($1.row(rgb), $2, n) }
            unsafe check.agree(4 * width, "fixed_load_rgb8") {
                unsafe $0.fixed_load_rgb8($1.row(rgb), $2, n)
            }
            unsafe check.expect(FixedTwins.loadRGBA(rgba), "fixed_load_rgba8") {
                unsafe $0.fixed_load_rgba8($1.row(rgba), $2, 4 * n)
            }
            // Kernels divide by no alpha that is written as 255, which is above 254.5 steps (65152).
            for leastAlpha in [0, 65151, 65152, 65153, 65280, Self.limit] {
                var numbers = numbers
                for i in stride(from: 3, to: numbers.count, by: 4) { numbers[i] = max(numbers[i], leastAlpha) }
                unsafe check.agree(4 * width, "fixed_store_rgba8, alpha from \(leastAlpha)") {
                    unsafe $0.fixed_store_rgba8($1.row(numbers), $2, 4 * n)
                }
            }
        }
    }

    @Test("premultiplication is within what FixedRoundingError says, for every colour and alpha")
    func premultiplication() {
        for alpha in UInt8.min...UInt8.max {
            for color in UInt8.min...UInt8.max {
                let exact = Double(color) * Double(alpha) / 255 * 256
                let error = Double(FixedTwins.loadRGBA([color, 0, 0, alpha])[0]) - exact
                #expect((-1.01...0).contains(error), "\(color), \(alpha)")
            }
        }
    }

    @Test("opaque pixels are recognised, wherever the only other pixel is")
    func opaque() {
        for width in Self.widths {
            var bytes = (0..<4 * width).map { $0 % 4 == 3 ? UInt8(255) : UInt8(truncatingIfNeeded: $0 &* 37) }
            for kernels in KernelSet.all {
                #expect(unsafe kernels.table.pointee.is_opaque_rgba8(bytes, Int32(4 * width)) == 1, "\(kernels.name)")
            }
            for pixel in Set([0, width / 2, width - 1]) {
                bytes[4 * pixel + 3] = 254
                for kernels in KernelSet.all {
                    #expect(
                        unsafe kernels.table.pointee.is_opaque_rgba8(bytes, Int32(4 * width)) == 0,
                        "\(kernels.name), pixel \(pixel) of \(width)")
                }
                bytes[4 * pixel + 3] = 255
            }
            let least = UInt16(FROST_OPAQUE)
            var numbers = (0..<4 * width).map { $0 % 4 == 3 ? least : UInt16(truncatingIfNeeded: $0 &* 3777) }
            for kernels in KernelSet.all {
                #expect(unsafe kernels.table.pointee.is_opaque_fixed(numbers, Int32(4 * width)) == 1, "\(kernels.name)")
            }
            for pixel in Set([0, width / 2, width - 1]) {
                numbers[4 * pixel + 3] = least - 1
                for kernels in KernelSet.all {
                    #expect(
                        unsafe kernels.table.pointee.is_opaque_fixed(numbers, Int32(4 * width)) == 0,
                        "\(kernels.name), pixel \(pixel) of \(width)")
                }
                numbers[4 * pixel + 3] = least
            }
        }
    }

    @Test("opaque rows have the same sums as bytes and as fixed-point numbers", arguments: 4...9)
    func opaqueSums(_ n: Int) {
        var values = KernelValues(seed: UInt64(n))
        let rows = values.rows(n) { $0.bytes(4 * 50).enumerated().map { $0.offset % 4 == 3 ? 255 : $0.element } }
        let bias = UInt16(FixedDecimation.bias(n))
        #expect(FixedTwins.sumBytes(rows, bias: bias) == FixedTwins.sumRows(rows.map { FixedTwins.loadRGBA($0) }))
        #expect(rows.allSatisfy { FixedTwins.loadRGBA($0) == FixedTwins.load($0) })
    }

    // MARK: Decimation

    @Test("decimating rows of bytes, one and two at a time", arguments: 4...9, [1, 2, 3, 4])
    func decimateBytes(_ n: Int, _ channels: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(n))
        for width in Self.widths {
            let rows =
                width % 13 == 0
                ? [[UInt8]](repeating: [UInt8](repeating: 255, count: width * channels), count: n + 2)
                : values.rows(n + 2) { $0.bytes(width * channels) }
            let bias = UInt16(width % 3)
            check.context = "width \(width)"
            // Each width uses two of the eight placements. Together the widths cover every placement.
            check.placements = (0...1).map { Placement.all[(4 * $0 + width) % 8] }
            for row in 0...1 {
                for (half, pixels) in [(width + 1) / 2, width / 2].enumerated() where pixels > 0 {
                    for count in row + 1...2 {
                        unsafe check.agree(
                            pixels * channels, "fixed_decimate_bytes, row \(row) of \(count), half \(half)"
                        ) {
                            (table: frost_kernels, memory: KernelMemory, out: UnsafeMutablePointer<UInt16>) in
                            var outs: [UnsafeMutablePointer<UInt16>?] = unsafe (0..<4).map { _ in
                                unsafe memory.blank(width * channels).row
                            }
                            unsafe outs[2 * row + half] = out
                            let ahead: [UnsafePointer<UInt8>?] = unsafe [nil]
                            // Separate rows, or the rows of an image, which may be read up to the end of the image.
                            var inputs: [UnsafePointer<UInt8>?] = unsafe []
                            var end: UnsafePointer<UInt8>?
                            if count == 1 {
                                unsafe inputs = memory.rows(rows)
                            } else {
                                let image = unsafe UnsafePointer(memory.row(rows.flatMap { $0 }))
                                unsafe inputs = rows.indices.map { unsafe image + $0 * width * channels }
                                unsafe end = image + rows.count * width * channels
                            }
                            unsafe table.fixed_decimate_bytes(
                                inputs + ahead, Int32(n), [outs[0], outs[2]], [outs[1], outs[3]], Int32(count),
                                count == 2 ? 1 : 0, end, Int32(bias), Int32(width), Int32(channels))
                        }
                    }
                }
            }
        }
    }

    @Test("decimating rows of numbers, and along a row", arguments: 4...9, [1, 2, 3, 4])
    func decimate(_ n: Int, _ channels: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(n))
        for width in Self.widths {
            check.context = "width \(width)"
            check.placements = (0...1).map { Placement.all[(4 * $0 + width) % 8] }
            let rows = values.rows(n) { $0.integers(width * channels, upTo: Self.limit) }
            for (half, pixels) in [(width + 1) / 2, width / 2].enumerated() where pixels > 0 {
                unsafe check.agree(pixels * channels, "fixed_decimate_rows, half \(half)") {
                    (table: frost_kernels, memory: KernelMemory, out: UnsafeMutablePointer<UInt16>) in
                    let other: UnsafeMutablePointer<UInt16> = unsafe memory.blank(width * channels).row
                    unsafe table.fixed_decimate_rows(
                        memory.rows(rows), Int32(n), half == 0 ? out : other, half == 0 ? other : out, Int32(width),
                        Int32(channels))
                }
            }
            let first = values.integers((width + (n - 1) / 2) * channels, upTo: Self.limit)
            let second = values.integers((width + (n - 1) / 2) * channels, upTo: Self.limit)
            unsafe check.agree(width * channels, "fixed_decimate_row") {
                unsafe $0.fixed_decimate_row(
                    $1.row(first), $1.row(second), Int32(n), $2, Int32(width), Int32(channels))
            }
        }
    }

    // MARK: Convolution

    @Test("symmetric filters, of one to three rows", arguments: 1...12)
    func convolve(_ radius: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(radius))
        for width in Self.widths {
            let taps = values.integerWeights(radius + 1)
            let rows = values.rows(2 * radius + 3) { $0.integers(width, upTo: Self.limit) }
            check.context = "width \(width)"
            check.placements = [Placement.all[width % 8]]
            let (n, r) = (Int32(width), Int32(radius))
            // Rows are computed in pairs, so the last of three rows is computed alone.
            for (count, row) in [(1, 0), (2, 0), (2, 1), (3, 2)] {
                let expected = FixedTwins.convolve(Array(rows[row...row + 2 * radius]), taps)
                unsafe check.expect(expected, "fixed_convolve, row \(row) of \(count)") { (table, memory, out) in
                    let list = unsafe Self.rows(count, row, out, memory, width)
                    unsafe table.fixed_convolve(memory.rows(rows), memory.taps(taps), r, list, Int32(count), n)
                }
                for stream in [0, 1] as [Int32] {
                    let context = "row \(row) of \(count), stream \(stream)"
                    unsafe check.agree(width, "fixed_convolve_to_u8, \(context)") {
                        (table: frost_kernels, memory: KernelMemory, out: UnsafeMutablePointer<UInt8>) in
                        let list = unsafe Self.rows(count, row, out, memory, width)
                        unsafe table.fixed_convolve_to_u8(
                            memory.rows(rows), memory.taps(taps), r, list, Int32(count), n, 0, stream)
                    }
                    guard width % 4 == 0 else { continue }
                    unsafe check.agree(width, "fixed_convolve_to_u8, straight, \(context)") {
                        (table: frost_kernels, memory: KernelMemory, out: UnsafeMutablePointer<UInt8>) in
                        let list = unsafe Self.rows(count, row, out, memory, width)
                        unsafe table.fixed_convolve_to_u8(
                            memory.rows(rows), memory.taps(taps), r, list, Int32(count), n, 1, stream)
                    }
                }
            }
        }
    }

    /// Every distance between the pixels of a tap: whole lanes, parts of them, and distances beyond the next vector.
    @Test("symmetric filters along a row", arguments: 1...12, 1...4)
    func convolveRow(_ radius: Int, channels: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(16 * radius + channels))
        let halo = radius * channels
        for pixels in [1, 2, 5, 8, 16, 21, 43] {
            let (taps, count) = (values.integerWeights(radius + 1), pixels * channels)
            let row = values.integers(count + 2 * halo, upTo: Self.limit)
            let tapped = (0...2 * radius).map { Array(row[$0 * channels..<$0 * channels + count]) }
            check.context = "\(pixels) pixels"
            check.placements = [Placement.all[pixels % 8]]
            unsafe check.expect(FixedTwins.convolve(tapped, taps), "fixed_convolve_row") { (table, memory, out) in
                unsafe table.fixed_convolve_row(
                    memory.row(row) + halo, memory.taps(taps), Int32(radius), out, Int32(pixels), Int32(channels), nil)
            }
        }
    }

    @Test("symmetric filters of rows that are longer than a block")
    func convolveBlocks() {
        var check = KernelCheck(placements: [.all[0], .all[5]])
        var values = KernelValues(seed: 77)
        for width in [1023, 1024, 1025, 2048, 2200] {
            let taps = values.integerWeights(4)
            let rows = values.rows(7) { $0.integers(width, upTo: Self.limit) }
            let expected = FixedTwins.convolve(rows, taps)
            check.context = "width \(width)"
            unsafe check.expect(expected, "fixed_convolve") { (table, memory, out) in
                unsafe table.fixed_convolve(memory.rows(rows), memory.taps(taps), 3, [out], 1, Int32(width))
            }
            for stream in [0, 1] as [Int32] {
                unsafe check.agree(width, "fixed_convolve_to_u8, stream \(stream)") {
                    (table, memory, out) in
                    unsafe table.fixed_convolve_to_u8(
                        memory.rows(rows), memory.taps(taps), 3, [out], 1, Int32(width), 0, stream)
                }
            }
        }
    }

    /// Returns a list of `count` output rows: `out` at index `row`, and memory that is not checked at all other indices.
    private static func rows<Value: KernelValue>(
        _ count: Int, _ row: Int, _ out: UnsafeMutablePointer<Value>, _ memory: KernelMemory, _ width: Int
    ) -> [UnsafeMutablePointer<Value>?] {
        unsafe (0..<count).map { unsafe $0 == row ? out : memory.blank(width).row }
    }

    // MARK: Interpolation

    /// Returns the weights of an interpolation filter with n taps for each of the two outputs of a pair. If n is 2, the weights
    /// are fixed (3/4 and 1/4), because the kernels accept only these weights.
    static func weights(_ n: Int, _ values: inout KernelValues) -> [UInt16] {
        n == 2 ? [49152, 16384, 16384, 49152] : values.integerWeights(n) + values.integerWeights(n)
    }

    @Test("interpolating along a row", arguments: 2...5, [1, 2, 3, 4])
    func interpolateRow(_ n: Int, _ channels: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(n))
        for width in Self.widths {
            let taps = Self.weights(n, &values)
            let row = values.integers((width + n - 1) * channels, upTo: Self.limit)
            check.context = "width \(width)"
            check.placements = (0...1).map { Placement.all[(4 * $0 + width) % 8] }
            for half in 0...1 {
                unsafe check.agree(width * channels, "fixed_interpolate_row, half \(half)") {
                    (table: frost_kernels, memory: KernelMemory, out: UnsafeMutablePointer<UInt16>) in
                    let other: UnsafeMutablePointer<UInt16> = unsafe memory.blank(width * channels).row
                    unsafe table.fixed_interpolate_row(
                        memory.row(row), memory.taps(taps), Int32(n), half == 0 ? out : other,
                        half == 0 ? other : out, Int32(width), Int32(channels))
                }
            }
        }
    }

    @Test("interpolating across rows, to numbers and to bytes", arguments: 2...5, [1, 2, 3, 4])
    func interpolateRows(_ n: Int, _ channels: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(n))
        for pairs in Self.widths {
            let taps = Self.weights(n, &values)
            let first = values.rows(n) { $0.integers(pairs * channels, upTo: Self.limit) }
            let second = values.rows(n) { $0.integers(pairs * channels, upTo: Self.limit) }
            check.context = "\(pairs) pairs"
            check.placements = (0...1).map { Placement.all[(4 * $0 + pairs) % 8] }
            for row in 0...1 {
                unsafe check.agree(2 * pairs * channels, "fixed_interpolate_rows, row \(row)") {
                    (table: frost_kernels, memory: KernelMemory, out: UnsafeMutablePointer<UInt16>) in
                    let other: UnsafeMutablePointer<UInt16> = unsafe memory.blank(2 * pairs * channels).row
                    unsafe table.fixed_interpolate_rows(
                        memory.rows(first), memory.rows(second), memory.taps(taps), Int32(n), row == 0 ? out : other,
                        row == 0 ? other : out, Int32(pairs), Int32(channels))
                }
                // The cases differ in three things: whether the number of pixels is odd, whether the second output row is
                // missing, and whether stores bypass the caches.
                for (pixels, hasOther, stream) in [
                    (2 * pairs, true, 0), (2 * pairs - 1, false, 1), (2 * pairs, true, 1),
                ] {
                    unsafe check.agree(
                        pixels * channels, "fixed_interpolate_to_u8, row \(row), \(pixels) pixels, stream \(stream)"
                    ) {
                        (table: frost_kernels, memory: KernelMemory, out: UnsafeMutablePointer<UInt8>) in
                        let other: UnsafeMutablePointer<UInt8>? =
                            unsafe hasOther ? memory.blank(pixels * channels).row : nil
                        unsafe table.fixed_interpolate_to_u8(
                            memory.rows(first), memory.rows(second), memory.taps(taps), Int32(n),
                            row == 0 ? out : other, row == 0 ? other : out, Int32(pixels), Int32(channels),
                            Int32(stream))
                    }
                    guard channels == 4 else { continue }
                    unsafe check.agree(
                        4 * pixels, "fixed_interpolate_to_rgba8, row \(row), \(pixels) pixels, stream \(stream)"
                    ) {
                        (table: frost_kernels, memory: KernelMemory, out: UnsafeMutablePointer<UInt8>) in
                        let other: UnsafeMutablePointer<UInt8>? =
                            unsafe hasOther ? memory.blank(pixels * channels).row : nil
                        unsafe table.fixed_interpolate_to_rgba8(
                            memory.rows(first), memory.rows(second), memory.taps(taps), Int32(n),
                            row == 0 ? out : other, row == 0 ? other : out, Int32(pixels), 0, Int32(stream))
                    }
                }
            }
        }
    }

    @Test("interpolating opaque pixels to straight bytes, without a look at their alpha")
    func interpolateOpaque() {
        var check = KernelCheck()
        var values = KernelValues(seed: 31)
        for pairs in Self.widths {
            check.context = "\(pairs) pairs"
            let rows = values.rows(2) { values in
                values.integers(4 * pairs, upTo: 65280).enumerated().map { $0 & 3 == 3 ? 65277 : $1 }
            }
            func interpolate(_ isOpaque: Int32) -> (frost_kernels, KernelMemory, UnsafeMutablePointer<UInt8>) -> Void {
                { kernels, memory, out in
                    unsafe kernels.fixed_interpolate_to_rgba8(
                        memory.rows(rows), memory.rows(rows), memory.taps([49152, 16384]), 2, out, nil,
                        Int32(2 * pairs), isOpaque, 0)
                }
            }
            unsafe check.expect(
                check.baseline(8 * pairs, interpolate(0)), "fixed_interpolate_to_rgba8, opaque", interpolate(1))
        }
    }

    // MARK: Rounding errors

    /// Computes the filter's error for many random inputs, and returns the range of these errors in units of 1/256 of an
    /// 8-bit step.
    private static func errors(
        _ count: Int, exact weights: [Double], _ filter: ([UInt16]) -> UInt16
    ) -> ClosedRange<Double> {
        var random = SeededGenerator(seed: UInt64(count))
        var range = 0.0...0.0
        for _ in 0..<300_000 {
            let x = (0..<count).map { _ in UInt16.random(in: 0...65280, using: &random) }
            let error = Double(filter(x)) - zip(x, weights).reduce(0) { $0 + Double($1.0) * $1.1 }
            range = min(range.lowerBound, error)...max(range.upperBound, error)
        }
        return range
    }

    private static func expect(
        _ errors: ClosedRange<Double>, within bound: (low: Double, high: Double), _ context: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(
            errors.lowerBound >= bound.low && errors.upperBound <= bound.high, "\(context)",
            sourceLocation: sourceLocation)
        // Random inputs must reach at least half of the bound's width. This shows that the bound is not much wider than
        // necessary.
        let width = errors.upperBound - errors.lowerBound
        #expect(width >= 0.5 * (bound.high - bound.low), "\(context)", sourceLocation: sourceLocation)
    }

    @Test("decimating and interpolating add at most what FixedRoundingError says")
    func resamplingNoise() {
        for n in 4...9 {
            let taps = ResamplingChain.binomial(n)
            Self.expect(
                Self.errors(n, exact: taps) { FixedTwins.binomial($0) }, within: FixedRoundingError.decimation(n),
                "decimating with \(n) taps")
            let schedule = PolyphaseTaps(.interpolate(taps: taps.map { Float($0) }))
            let weights = schedule.ofPair
            let exact = weights.map { Double($0) / 65536 }
            let first = Self.errors(schedule.count, exact: Array(exact.prefix(schedule.count))) {
                FixedTwins.interpolated($0, weights).first
            }
            let second = Self.errors(schedule.count, exact: Array(exact.suffix(schedule.count))) {
                FixedTwins.interpolated($0, weights).second
            }
            Self.expect(
                min(first.lowerBound, second.lowerBound)...max(first.upperBound, second.upperBound),
                within: FixedRoundingError.interpolation(schedule.count), "interpolating with \(n) taps")
        }
    }

    @Test("a symmetric filter adds at most what its taps say", arguments: [0.4, 0.8, 1.3, 1.9, 2.4])
    func convolutionError(_ sigma: Double) throws {
        let taps = AxisFilter.make(sigma: sigma, budget: 0.2 / 255).taps
        let fixed = try #require(FixedTaps(taps))
        #expect(fixed.weights.reduce(0) { $0 + Int($1) } == 65536)
        let errors = Self.errors(taps.count, exact: taps.map { Double($0) }) { x in
            FixedTwins.convolve(x.map { [$0] }, fixed.weights)[0]
        }
        #expect(errors.lowerBound >= fixed.roundingError.low && errors.upperBound <= fixed.roundingError.high)
    }
}
