import CFrostKernels
import FrostTestSupport
import Testing

@testable import FrostCPU
@testable import FrostCore

/// The inner loops for cells of every instruction set against their scalar twins: see ``KernelTests``.
struct CellKernelTests {
    static let widths = ColorKernelTests.widths

    static let lists: [[ColorStage]] =
        ["light", "tint", "gpuimage-ios", "material-thin-light", "material-chrome-light", "material-chrome-dark"]
        .compactMap { (try? EffectCatalog.effect($0).make()).map { $0.outputStages.stages } } + [
            [.matrix(.contrast(1.4)), .matrix(.brightness(-0.2))],
            [.matrix(ColorMatrix(scale: 0.8, luma: .rec709, lumaScale: 0.1, alphaScale: 0.3)), .matrix(fading)],
        ]

    /// Changes alpha.
    private static var fading: ColorMatrix {
        var matrix = ColorMatrix()
        matrix.alpha[3] = 0.7
        matrix.one = SIMD4(0.1, 0, -0.05, 0.4)
        return matrix
    }

    /// As filters leave them: colours at most alpha, but for roundings; opaque, soft and transparent.
    static func cells(_ count: Int, _ values: inout KernelValues) -> [UInt16] {
        var row = values.integers(4 * count, upTo: 65280)
        for i in 0..<count {
            if i % 50 < 30 { row[4 * i + 3] = 65280 - UInt16(i % 16) }
            if i % 9 == 8 { row[4 * i + 3] = 0 }
            for c in 0..<3 { row[4 * i + c] = min(row[4 * i + c], row[4 * i + 3]) }
        }
        return row
    }

    @Test("stages of colour on cells, limits that they meet, and where on a curve they are", arguments: lists.indices)
    func colors(_ list: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(list))
        let cellStages = CellStages(Self.lists[list])
        let (stages, limited) = (cellStages.stages, cellStages.limited)
        for width in Self.widths {
            check.context = "width \(width), list \(list)"
            let row = Self.cells(width, &values)
            let expected = CellTwins.color(row, stages, limited: limited)
            let count = Int32(stages.count)
            let isMet = expected.limits.contains { $0 != 0 }
            let isOpaque = (0..<width).allSatisfy { expected.colors[4 * $0 + 3] >= 65280 - 128 }
            unsafe check.expect(expected.colors, "color_cells") { table, memory, out in
                let limits: UnsafeMutablePointer<UInt32> = unsafe memory.blank(width).row
                let told = unsafe table.color_cells(
                    memory.row(row), stages, count, limited, out, limits, nil, 254.5, Int32(width))
                // What lies behind the last cell may meet some.
                #expect(told & 1 != 0 || !isMet)
                #expect(told & 2 == 0 || isOpaque)
            }
            unsafe check.expect(expected.limits, "color_cells, limits") { table, memory, out in
                let colors: UnsafeMutablePointer<UInt16> = unsafe memory.blank(4 * width).row
                unsafe _ = table.color_cells(
                    memory.row(row), stages, count, limited, colors, out, nil, 254.5, Int32(width))
            }
            guard stages.contains(where: { $0.kind == Int32(FROST_STAGE_LUMINANCE) }) else { continue }
            unsafe check.expect(expected.luma, "color_cells, luma") { table, memory, out in
                let colors: UnsafeMutablePointer<UInt16> = unsafe memory.blank(4 * width).row
                let limits: UnsafeMutablePointer<UInt32> = unsafe memory.blank(width).row
                unsafe _ = table.color_cells(
                    memory.row(row), stages, count, limited, colors, limits, out, 254.5, Int32(width))
            }
        }
    }

    @Test("squares of cells that bend", arguments: 2...5)
    func bends(_ n: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(n))
        for squares in Self.widths {
            check.context = "\(squares) squares of \(n)"
            let count = squares + n - 1
            let luma = values.rows(n) { values in
                values.integers(count, upTo: 9000).enumerated().map { $0 % 40 < 12 ? 65535 : $1 / 6 + 20000 }
            }
            let most = 1200
            let curve = CellTwins.curveBends(luma, n, most, squares)
            unsafe check.expect(curve, "find_curve_bends") { table, memory, out in
                let found = unsafe table.find_curve_bends(memory.rows(luma), Int32(n), Int32(most), out, Int32(squares))
                #expect(found != 0 || !curve.contains(1))
            }
            let rows = values.rows(n) { values in
                values.integers(4 * count, upTo: 65280).enumerated().map { i, value in
                    i & 3 == 3 ? (i % 90 < 50 ? 65279 : 60000) : value / 64 + 20000
                }
            }
            let limits = values.rows(n) { values in
                values.integers(count, upTo: 65280).enumerated().map { $0 % 30 < 20 ? 4 : UInt32($1 % 2) * 4 }
            }
            let limited = CellTwins.limitBends(rows, limits, n, [900, 500], squares)
            unsafe check.expect(limited, "find_limit_bends") { table, memory, out in
                for x in 0..<squares { unsafe out[x] = 0 }
                let found = unsafe table.find_limit_bends(
                    memory.rows(rows), memory.rows(limits), Int32(n), [900, 500], out, Int32(squares))
                #expect((found != 0) == limited.contains(1))
            }
        }
    }

    @Test("doubling twice", arguments: 2...5, 2...5)
    func twice(_ n: Int, _ secondN: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(8 * n + secondN))
        // Longer, too, than the kernel makes at a time.
        for pairs in [1, 2, 3, 7, 8, 17, 63, 64, 65, 131] {
            for (x, y) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let taps = [FixedKernelTests.weights(n, &values), FixedKernelTests.weights(secondN, &values)]
                let width = (x + pairs + secondN) / 2 + n - 1
                let cells = values.rows((y + secondN + 1) / 2 + n - 1) { Self.cells(width, &$0) }
                let result = FixedTwins.doubleTwice(cells, taps, skip: (x, y), pairs: pairs)
                var doublings = frost_doublings(taps.map { Doubling(taps: $0, half: 0) })
                check.context = "\(pairs) pairs, without \(x), \(y)"
                check.placements = [Placement.all[(pairs + x) % 8]]
                for (row, expected) in [result.above, result.below].enumerated() {
                    unsafe check.expect(expected, "fixed_double_twice, row \(row)") {
                        (table: frost_kernels, memory: KernelMemory, out: UnsafeMutablePointer<UInt16>) in
                        let other: UnsafeMutablePointer<UInt16> = unsafe memory.blank(8 * pairs).row
                        unsafe table.fixed_double_twice(
                            memory.rows(cells), &doublings, Int32(x), Int32(y), row == 0 ? out : other,
                            row == 0 ? other : out, Int32(pairs))
                    }
                }
            }
        }
    }

    /// Rows of cells with first and second pixels apart, and what is between them.
    private static func doubled(
        _ n: Int, _ pairs: Int, _ values: inout KernelValues
    ) -> (taps: [UInt16], first: [[UInt16]], second: [[UInt16]], result: (above: [UInt16], below: [UInt16])) {
        let taps = FixedKernelTests.weights(n, &values)
        let first = values.rows(n) { cells(pairs, &$0) }
        let second = values.rows(n) { cells(pairs, &$0) }
        return (taps, first, second, FixedTwins.doubleRows(first, second, taps, 4))
    }

    @Test("doubling to bytes with dither", arguments: 2...5)
    func dithered(_ n: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(n))
        for pairs in Self.widths {
            let (taps, first, second, result) = Self.doubled(n, pairs, &values)
            check.placements = (0...1).map { Placement.all[(4 * $0 + pairs) % 8] }
            for (dither, x) in [(nil, 0), (Dither(seed: 3), pairs), (Dither(seed: 3), -7)] as [(Dither?, Int)] {
                let offsets = PairOffsetTable(dither)
                let phases = [offsets.numbers.phase(5, x), offsets.numbers.phase(6, x)]
                for (row, numbers) in [result.above, result.below].enumerated() {
                    for (pixels, stream) in [(2 * pairs, 0), (2 * pairs - 1, 1), (2 * pairs, 1)] {
                        check.context = "\(pixels) pixels from \(x) on, stream \(stream)"
                        let expected = CellTwins.dithered(Array(numbers[..<(4 * pixels)]), dither, phase: phases[row])
                        unsafe check.expect(expected, "fixed_double_dithered, row \(row)") {
                            (kernels: frost_kernels, memory: KernelMemory, out: UnsafeMutablePointer<UInt8>) in
                            let other: UnsafeMutablePointer<UInt8> = unsafe memory.blank(4 * pixels).row
                            unsafe kernels.fixed_double_dithered(
                                memory.rows(first), memory.rows(second), memory.taps(taps), Int32(n),
                                row == 0 ? out : other, row == 0 ? other : out, Int32(pixels), offsets.numbers.base,
                                phases[0], phases[1], nil, 0, Int32(stream))
                        }
                    }
                }
            }
        }
    }

    @Test("doubling to straight pixels, with noise and without", arguments: 2...5)
    func divided(_ n: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(40 + n))
        for pairs in Self.widths {
            let (taps, first, second, result) = Self.doubled(n, pairs, &values)
            check.placements = (0...1).map { Placement.all[(4 * $0 + pairs) % 8] }
            for noise in [Dither??.none, .some(nil), .some(Dither(seed: 3))] {
                let offsets = PairOffsetTable(noise ?? nil)
                let phases = [offsets.numbers.phase(5, -7), offsets.numbers.phase(6, -7)]
                let table = unsafe noise == nil ? nil : offsets.numbers.noise
                for (row, numbers) in [result.above, result.below].enumerated() {
                    for (pixels, stream) in [(2 * pairs, 0), (2 * pairs - 1, 1), (2 * pairs, 1)] {
                        check.context = "\(pixels) pixels, \(String(describing: noise)), stream \(stream)"
                        let expected = CellTwins.divided(
                            Array(numbers[..<(4 * pixels)]), noise: noise, phase: phases[row])
                        unsafe check.expect(expected, "fixed_double_divided, row \(row)") {
                            (kernels: frost_kernels, memory: KernelMemory, out: UnsafeMutablePointer<UInt8>) in
                            let other: UnsafeMutablePointer<UInt8>? =
                                unsafe stream == 0 ? nil : memory.blank(4 * pixels).row
                            unsafe kernels.fixed_double_divided(
                                memory.rows(first), memory.rows(second), memory.taps(taps), Int32(n),
                                row == 0 ? out : other, row == 0 ? other : out, Int32(pixels), table, phases[0],
                                phases[1], nil, Int32(stream))
                        }
                    }
                }
            }
        }
    }

    @Test("cells without limits, and limits that are met when bytes are made")
    func late() throws {
        var check = KernelCheck()
        var values = KernelValues(seed: 12)
        let doubling = Doubling(
            Pass(
                axis: .x, operation: .interpolate(taps: [0.125, 0.375, 0.375, 0.125]), from: .source, to: .output,
                edge: .clamp))
        for name in ["light", "7blur-coral", "gpuimage-ios"] {
            let outputStages = try EffectCatalog.effect(name).make().outputStages
            let late = try #require(LateLimits(outputStages.stages, [doubling, doubling], spare: 1))
            let stages = FloatStages([.matrix(late.matrix)], maximum: 255).stages
            let dither = Dither(seed: 5)
            let offsets = PairOffsetTable(dither, add: late.add)
            var limits = late.limits
            for pairs in Self.widths {
                check.context = "\(name), \(pairs) pairs"
                let rows = values.rows(2) { Self.cells(pairs, &$0) }
                let colored = rows.map { CellTwins.color($0, stages, limited: 0).colors }
                let isOpaque = (0..<pairs).allSatisfy { Float(colored[0][4 * $0 + 3]) / 256 >= late.opaque }
                unsafe check.expect(colored[0], "color_cells") { kernels, memory, out in
                    let told = unsafe kernels.color_cells(
                        memory.row(rows[0]), stages, 1, 0, out, nil, nil, late.opaque, Int32(pairs))
                    #expect(told & 1 == 0 && (told == 0 || isOpaque))
                }
                let numbers = FixedTwins.doubleRows(colored, colored, [49152, 16384], 4).above
                let limited = CellTwins.limited(numbers, limits)
                unsafe check.expect(limited, "fixed_limit") { kernels, memory, out in
                    unsafe out.update(from: memory.row(numbers), count: numbers.count)
                    unsafe kernels.fixed_limit(out, &limits, Int32(2 * pairs))
                }
                let phase = offsets.numbers.phase(9, 4)
                unsafe check.expect(CellTwins.dithered(limited, dither, phase: phase), "fixed_double_dithered") {
                    kernels, memory, out in
                    unsafe kernels.fixed_double_dithered(
                        memory.rows(colored), memory.rows(colored), memory.taps([49152, 16384]), 2, out, nil,
                        Int32(2 * pairs), offsets.numbers.base, phase, phase, &limits, 0, 0)
                }
                let straight = CellTwins.divided(limited, noise: dither, phase: phase)
                unsafe check.expect(straight, "fixed_double_divided") { kernels, memory, out in
                    unsafe kernels.fixed_double_divided(
                        memory.rows(colored), memory.rows(colored), memory.taps([49152, 16384]), 2, out, nil,
                        Int32(2 * pairs), offsets.numbers.noise, phase, phase, &limits, 0)
                }
                let opaque = colored.map { $0.enumerated().map { $0 & 3 == 3 ? 65535 : $1 } }
                let shown = CellTwins.limited(FixedTwins.doubleRows(opaque, opaque, [49152, 16384], 4).above, limits)
                unsafe check.expect(CellTwins.dithered(shown, dither, phase: phase), "fixed_double_dithered, opaque") {
                    kernels, memory, out in
                    unsafe kernels.fixed_double_dithered(
                        memory.rows(opaque), memory.rows(opaque), memory.taps([49152, 16384]), 2, out, nil,
                        Int32(2 * pairs), offsets.numbers.base, phase, phase, &limits, 1, 0)
                }
            }
        }
    }

    @Test("opaque pixels with dither, of which alpha is not asked; and copies past the caches")
    func others() {
        var check = KernelCheck()
        var values = KernelValues(seed: 31)
        for pairs in Self.widths {
            check.context = "\(pairs) pairs"
            let rows = values.rows(2) { values in
                values.integers(4 * pairs, upTo: 65280).enumerated().map { $0 & 3 == 3 ? 65277 : $1 }
            }
            let numbers = FixedTwins.doubleRows(rows, rows, [49152, 16384], 4).above
            let dither = Dither(seed: 8)
            let offsets = PairOffsetTable(dither)
            let phase = offsets.numbers.phase(9, 4)
            let expected = CellTwins.dithered(numbers, dither, phase: phase)
            unsafe check.expect(expected, "fixed_double_dithered, opaque") { kernels, memory, out in
                unsafe kernels.fixed_double_dithered(
                    memory.rows(rows), memory.rows(rows), memory.taps([49152, 16384]), 2, out, nil, Int32(2 * pairs),
                    offsets.numbers.base, phase, phase, nil, 1, 0)
            }
            // Straight pixels get the same where they are opaque.
            unsafe check.expect(expected, "fixed_double_divided, opaque") { kernels, memory, out in
                unsafe kernels.fixed_double_divided(
                    memory.rows(rows), memory.rows(rows), memory.taps([49152, 16384]), 2, out, nil, Int32(2 * pairs),
                    offsets.numbers.noise, phase, phase, nil, 0)
            }
            let bytes = values.bytes(4 * pairs)
            unsafe check.expect(bytes, "stream_bytes") { kernels, memory, out in
                unsafe kernels.stream_bytes(memory.row(bytes), out, Int32(bytes.count))
            }
        }
    }
}

extension UInt32: KernelValue {
    static var slack: Int { Int(FROST_SLACK) }
    static var filling: UInt8 { 0xFF }
    var bits: UInt32 { self }
}
