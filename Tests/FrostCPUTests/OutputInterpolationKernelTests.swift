import CFrostKernels
import FrostTestSupport
import Testing

@testable import FrostCPU
@testable import FrostCore

/// Compares two groups of kernels with scalar Swift versions (twins), for every instruction set: the kernels that perform a
/// plan's last interpolation, and the kernels that process its input samples. See ``KernelTests``.
struct OutputInterpolationKernelTests {
    static let widths = ColorKernelTests.widths

    /// Colour matrices. Most of them have elements that are 0 or 1, for which the kernel skips operations. One matrix has
    /// other elements.
    static let matrices: [ColorMatrix] = [
        .saturation(1.8), .contrast(1.4), .brightness(-0.2),
        ColorMatrix(scale: 0.8, luma: .rec709, lumaScale: 0.1, alphaScale: 0.3), fading,
    ]

    /// A matrix that changes alpha.
    private static var fading: ColorMatrix {
        var matrix = ColorMatrix()
        matrix.alpha[3] = 0.7
        matrix.one = SIMD4(0.3, 0.2, 0.25, 0.1)
        return matrix
    }

    /// Returns random samples that resemble the results of filters: no colour exceeds alpha. Some samples are opaque, some
    /// translucent, and some transparent. The alpha of an opaque sample is 0 to 15 units (1/256 of an 8-bit step) below full
    /// scale.
    static func samples(_ count: Int, _ values: inout KernelValues) -> [UInt16] {
        var row = values.integers(4 * count, upTo: 65280)
        for i in 0..<count {
            if i % 50 < 30 { row[4 * i + 3] = 65280 - UInt16(i % 16) }
            if i % 9 == 8 { row[4 * i + 3] = 0 }
            for c in 0..<3 { row[4 * i + c] = min(row[4 * i + c], row[4 * i + 3]) }
        }
        return row
    }

    @Test("a matrix on samples, and whether all of them are opaque", arguments: matrices.indices)
    func colors(_ index: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(index))
        var matrix = FloatStages([.matrix(Self.matrices[index])], maximum: 255).stages[0]
        for width in Self.widths {
            // The colours are limited so that no result exceeds 16 bits.
            let row = Self.samples(width, &values).enumerated().map { $0 & 3 == 3 ? $1 : $1 / 4 + 16384 }
            let expected = OutputInterpolationTwins.color(row, matrix)
            let minimum = OutputInterpolationTwins.alphas(row, matrix).reduce(.infinity) { min($0, $1) }
            for opaque in [minimum, minimum.nextUp] {
                check.context = "width \(width), matrix \(index), opaque from \(opaque)"
                unsafe check.expect(expected, "color_samples") { table, memory, out in
                    let isOpaque = unsafe table.color_samples(memory.row(row), &matrix, out, opaque, Int32(width))
                    #expect((isOpaque != 0) == (opaque == minimum))
                }
            }
        }
    }

    @Test("interpolating twice", arguments: 2...5, 2...5)
    func twice(_ n: Int, _ secondN: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(8 * n + secondN))
        // Some of these widths exceed the number of pairs that the kernel computes at once.
        for pairs in [1, 2, 3, 7, 8, 17, 63, 64, 65, 131] {
            for (x, y) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let taps = [FixedKernelTests.weights(n, &values), FixedKernelTests.weights(secondN, &values)]
                let width = (x + pairs + secondN) / 2 + n - 1
                let samples = values.rows((y + secondN + 1) / 2 + n - 1) { Self.samples(width, &$0) }
                let result = FixedTwins.interpolateTwice(samples, taps, skip: (x, y), pairs: pairs)
                var interpolations = frost_interpolations(taps.map { InterpolationTaps(taps: $0, half: 0) })
                check.context = "\(pairs) pairs, without \(x), \(y)"
                check.placements = [Placement.all[(pairs + x) % 8]]
                for (row, expected) in [result.above, result.below].enumerated() {
                    unsafe check.expect(expected, "fixed_interpolate_twice, row \(row)") {
                        (table: frost_kernels, memory: KernelMemory, out: UnsafeMutablePointer<UInt16>) in
                        let other: UnsafeMutablePointer<UInt16> = unsafe memory.blank(8 * pairs).row
                        unsafe table.fixed_interpolate_twice(
                            memory.rows(samples), &interpolations, Int32(x), Int32(y), row == 0 ? out : other,
                            row == 0 ? other : out, Int32(pairs))
                    }
                }
            }
        }
    }

    /// Returns random rows of samples, and the two rows that are interpolated from them. In the random rows, the first
    /// pixels of all pairs are in one array, and the second pixels in another.
    private static func interpolated(
        _ n: Int, _ pairs: Int, _ values: inout KernelValues
    ) -> (taps: [UInt16], first: [[UInt16]], second: [[UInt16]], result: (above: [UInt16], below: [UInt16])) {
        let taps = FixedKernelTests.weights(n, &values)
        let first = values.rows(n) { samples(pairs, &$0) }
        let second = values.rows(n) { samples(pairs, &$0) }
        return (taps, first, second, FixedTwins.interpolateRows(first, second, taps, 4))
    }

    @Test("interpolating to bytes with dither", arguments: 2...5)
    func dithered(_ n: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(n))
        for pairs in Self.widths {
            let (taps, first, second, result) = Self.interpolated(n, pairs, &values)
            check.placements = (0...1).map { Placement.all[(4 * $0 + pairs) % 8] }
            for (dither, x) in [(nil, 0), (Dither(seed: 3), pairs), (Dither(seed: 3), -7)] as [(Dither?, Int)] {
                let offsets = PairOffsetTable(dither)
                let phases = [offsets.numbers.phase(5, x), offsets.numbers.phase(6, x)]
                for (row, numbers) in [result.above, result.below].enumerated() {
                    for (pixels, stream) in [(2 * pairs, 0), (2 * pairs - 1, 1), (2 * pairs, 1)] {
                        check.context = "\(pixels) pixels from \(x) on, stream \(stream)"
                        let expected = OutputInterpolationTwins.dithered(
                            Array(numbers[..<(4 * pixels)]), dither, phase: phases[row])
                        unsafe check.expect(expected, "fixed_interpolate_dithered, row \(row)") {
                            (kernels: frost_kernels, memory: KernelMemory, out: UnsafeMutablePointer<UInt8>) in
                            let other: UnsafeMutablePointer<UInt8> = unsafe memory.blank(4 * pixels).row
                            unsafe kernels.fixed_interpolate_dithered(
                                memory.rows(first), memory.rows(second), memory.taps(taps), Int32(n),
                                row == 0 ? out : other, row == 0 ? other : out, Int32(pixels), offsets.numbers.base,
                                phases[0], phases[1], nil, 0, Int32(stream))
                        }
                    }
                }
            }
        }
    }

    @Test("interpolating to straight pixels, with dither and without", arguments: 2...5)
    func divided(_ n: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(40 + n))
        for pairs in Self.widths {
            let (taps, first, second, result) = Self.interpolated(n, pairs, &values)
            check.placements = (0...1).map { Placement.all[(4 * $0 + pairs) % 8] }
            for dither in [Dither??.none, .some(nil), .some(Dither(seed: 3))] {
                let offsets = PairOffsetTable(dither ?? nil)
                let phases = [offsets.numbers.phase(5, -7), offsets.numbers.phase(6, -7)]
                let table = unsafe dither == nil ? nil : offsets.numbers.differences
                for (row, numbers) in [result.above, result.below].enumerated() {
                    for (pixels, stream) in [(2 * pairs, 0), (2 * pairs - 1, 1), (2 * pairs, 1)] {
                        check.context = "\(pixels) pixels, \(String(describing: dither)), stream \(stream)"
                        let expected = OutputInterpolationTwins.divided(
                            Array(numbers[..<(4 * pixels)]), dither: dither, phase: phases[row])
                        unsafe check.expect(expected, "fixed_interpolate_divided, row \(row)") {
                            (kernels: frost_kernels, memory: KernelMemory, out: UnsafeMutablePointer<UInt8>) in
                            let other: UnsafeMutablePointer<UInt8>? =
                                unsafe stream == 0 ? nil : memory.blank(4 * pixels).row
                            unsafe kernels.fixed_interpolate_divided(
                                memory.rows(first), memory.rows(second), memory.taps(taps), Int32(n),
                                row == 0 ? out : other, row == 0 ? other : out, Int32(pixels), table, phases[0],
                                phases[1], nil, 0, Int32(stream))
                        }
                    }
                }
            }
        }
    }

    @Test("samples without limits, and limits that are applied when bytes are made")
    func late() throws {
        var check = KernelCheck()
        var values = KernelValues(seed: 12)
        let interpolation = InterpolationTaps(
            Pass(
                axis: .x, operation: .interpolate(taps: [0.125, 0.375, 0.375, 0.125]), from: .source, to: .output,
                edge: .clamp))
        for name in ["light", "7blur-coral", "gpuimage-ios"] {
            let outputStages = try EffectCatalog.effect(name).make().outputStages
            let late = try #require(LateLimits(outputStages.stages, [interpolation, interpolation], budget: 1))
            var matrix = FloatStages([.matrix(late.matrix)], maximum: 255).stages[0]
            let dither = Dither(seed: 5)
            let offsets = PairOffsetTable(dither, add: late.add)
            var limits = late.limits
            for pairs in Self.widths {
                check.context = "\(name), \(pairs) pairs"
                let rows = values.rows(2) { Self.samples(pairs, &$0) }
                let colored = rows.map { OutputInterpolationTwins.color($0, matrix) }
                let isOpaque = (0..<pairs).allSatisfy { Float(colored[0][4 * $0 + 3]) / 256 >= late.opaque }
                unsafe check.expect(colored[0], "color_samples") { kernels, memory, out in
                    let told = unsafe kernels.color_samples(
                        memory.row(rows[0]), &matrix, out, late.opaque, Int32(pairs))
                    #expect((told != 0) == isOpaque)
                }
                let numbers = FixedTwins.interpolateRows(colored, colored, [49152, 16384], 4).above
                let limited = OutputInterpolationTwins.limited(numbers, limits)
                unsafe check.expect(limited, "fixed_limit") { kernels, memory, out in
                    unsafe out.update(from: memory.row(numbers), count: numbers.count)
                    unsafe kernels.fixed_limit(out, &limits, Int32(2 * pairs))
                }
                let phase = offsets.numbers.phase(9, 4)
                unsafe check.expect(
                    OutputInterpolationTwins.dithered(limited, dither, phase: phase), "fixed_interpolate_dithered"
                ) {
                    kernels, memory, out in
                    unsafe kernels.fixed_interpolate_dithered(
                        memory.rows(colored), memory.rows(colored), memory.taps([49152, 16384]), 2, out, nil,
                        Int32(2 * pairs), offsets.numbers.base, phase, phase, &limits, 0, 0)
                }
                let straight = OutputInterpolationTwins.divided(limited, dither: dither, phase: phase)
                unsafe check.expect(straight, "fixed_interpolate_divided") { kernels, memory, out in
                    unsafe kernels.fixed_interpolate_divided(
                        memory.rows(colored), memory.rows(colored), memory.taps([49152, 16384]), 2, out, nil,
                        Int32(2 * pairs), offsets.numbers.differences, phase, phase, &limits, 0, 0)
                }
                let opaque = colored.map { $0.enumerated().map { $0 & 3 == 3 ? 65535 : $1 } }
                let shown = OutputInterpolationTwins.limited(
                    FixedTwins.interpolateRows(opaque, opaque, [49152, 16384], 4).above, limits)
                unsafe check.expect(
                    OutputInterpolationTwins.dithered(shown, dither, phase: phase), "fixed_interpolate_dithered, opaque"
                ) {
                    kernels, memory, out in
                    unsafe kernels.fixed_interpolate_dithered(
                        memory.rows(opaque), memory.rows(opaque), memory.taps([49152, 16384]), 2, out, nil,
                        Int32(2 * pairs), offsets.numbers.base, phase, phase, &limits, 1, 0)
                }
            }
        }
    }

    @Test("opaque pixels with dither, without a look at their alpha")
    func others() {
        var check = KernelCheck()
        var values = KernelValues(seed: 31)
        for pairs in Self.widths {
            check.context = "\(pairs) pairs"
            let rows = values.rows(2) { values in
                values.integers(4 * pairs, upTo: 65280).enumerated().map { $0 & 3 == 3 ? 65277 : $1 }
            }
            let numbers = FixedTwins.interpolateRows(rows, rows, [49152, 16384], 4).above
            let dither = Dither(seed: 8)
            let offsets = PairOffsetTable(dither)
            let phase = offsets.numbers.phase(9, 4)
            let expected = OutputInterpolationTwins.dithered(numbers, dither, phase: phase)
            unsafe check.expect(expected, "fixed_interpolate_dithered, opaque") { kernels, memory, out in
                unsafe kernels.fixed_interpolate_dithered(
                    memory.rows(rows), memory.rows(rows), memory.taps([49152, 16384]), 2, out, nil, Int32(2 * pairs),
                    offsets.numbers.base, phase, phase, nil, 1, 0)
            }
            // If all pixels are opaque, the kernel for straight formats writes the same bytes.
            unsafe check.expect(expected, "fixed_interpolate_divided, opaque") { kernels, memory, out in
                unsafe kernels.fixed_interpolate_divided(
                    memory.rows(rows), memory.rows(rows), memory.taps([49152, 16384]), 2, out, nil, Int32(2 * pairs),
                    offsets.numbers.differences, phase, phase, nil, 0, 0)
            }
            let plain = OutputInterpolationTwins.divided(numbers, dither: nil, phase: phase)
            unsafe check.expect(plain, "fixed_interpolate_divided, told to be opaque") { kernels, memory, out in
                unsafe kernels.fixed_interpolate_divided(
                    memory.rows(rows), memory.rows(rows), memory.taps([49152, 16384]), 2, out, nil, Int32(2 * pairs),
                    nil, 0, 0, nil, 1, 0)
            }
        }
    }
}
