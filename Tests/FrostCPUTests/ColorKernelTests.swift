import CFrostKernels
import FrostTestSupport
import Testing

@testable import FrostCPU
@testable import FrostCore

/// Compares the colour kernels of every instruction set with the baseline's; see ``KernelTests``. What they compute is compared
/// with oracles by `EffectAccuracyTests` and `ContentTests`, and here with the definition of transfer functions and stages.
struct ColorKernelTests {
    static let widths = Array(1...40) + [63, 64, 65, 130]

    /// Lists of colour stages that together contain every kind of stage.
    static let lists: [[ColorStage]] =
        [[], [.grain(Grain(amplitude: 0.05, seed: 3)), .scatter(Scatter(amplitude: 0.1, level: 3, key: .seed(4)))]]
        + [
            "light", "tint", "7blur-neon", "gpuimage-ios", "material-thin-light", "material-chrome-light",
            "material-chrome-dark",
        ].compactMap {
            (try? EffectCatalog.effect($0).make()).map { $0.outputStages.inside + $0.outputStages.over }
        } + [
            [.matrix(.contrast(1.4)), .matrix(.brightness(-0.2))],
            [.matrix(.saturation(2.5)), .matrix(.brightness(0.1))],
            [.encode(.sRGB), .matrix(.saturation(1.2))],
        ] + contrasts.map { [.matrix(.saturation(1.4)), .contrast($0)] }
        + vividStages.flatMap { [[.matrix(.brightness(0.1)), .vivid($0)], [.vivid($0)]] }

    /// Contrasts that raise, with and without a knee, and that lower.
    static let contrasts = [(4.5, 0), (15, 0), (4.5, 1), (20, 1)].compactMap { (minimum, white) -> ContrastFloor? in
        guard let content = try? Color(red: white, green: white, blue: white) else { return nil }
        return try? ContrastFloor(minimum: minimum, content: content)
    }

    /// The first four run in fixed point too.
    static let vividStages = [(1.5, 0.55), (1.9, -0.9), (1.2, 0), (1, 0.99), (4, -1), (0.3, 0.8)].compactMap {
        saturation, white in
        try? Vividness(saturation: saturation, whitePoint: white)
    }

    @Test("stages of colour on floats", arguments: lists.indices)
    func floats(_ list: Int) throws {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(list))
        for extendsLight in [false, true] {
            var prepared = try FloatStages(
                Self.lists[list], maximum: 255, extendsLight: extendsLight, columns: -7..<140_000)
            prepared.prepare(row: 7)
            let stages = prepared.stages
            for width in Self.widths {
                check.context = "width \(width), list \(list), \(extendsLight)"
                var row = values.floats(4 * width)
                // Light of any size, and numbers that are none.
                if extendsLight, width > 3 { row.replaceSubrange(0..<6, with: [-99, 1e30, .nan, 3, .infinity, 3e38]) }
                let x = width * 1000 - 7
                unsafe check.agree(on: row, "color_stages") { table, _, out in
                    unsafe table.color_stages(
                        out, Int32(width), stages, Int32(stages.count), 255, UInt32(truncatingIfNeeded: x))
                }
            }
        }
    }

    /// The scalar twin of the kernel is the stage's definition. The error is far below the arithmetic's share of the promised
    /// error, a tenth of an 8-bit step.
    @Test("a contrast is within 0.01 of an 8-bit step of its definition", arguments: contrasts.indices)
    func contrast(_ index: Int) throws { try check(.contrast(Self.contrasts[index]), within: 0.01, reaching: 20) }

    @Test("a vivid stage is within 0.001 of an 8-bit step of its definition", arguments: vividStages.indices)
    func vivid(_ index: Int) throws { try check(.vivid(Self.vividStages[index]), within: 0.001, reaching: 20) }

    /// Compares the kernel with a stage's definition, on colours that the stage moves by more than a number of steps.
    private func check(_ stage: ColorStage, within error: Double, reaching least: Double) throws {
        let check = KernelCheck()
        var random = SeededGenerator(seed: 12)
        let stages = try FloatStages([stage], maximum: 255).stages
        let count = 250
        var (worst, moved) = (0.0, 0.0)
        for _ in 0..<16 {
            var row: [Float] = []
            for pixel in 0..<count {
                let alpha: Double = pixel % 3 == 0 ? 0.05 + 0.95 * random.unit() : pixel % 100 == 1 ? 0 : 1
                let scale = pixel % 2 == 0 ? 1 : random.unit() * random.unit()
                row += (0..<3).map { _ in Float(255 * alpha * scale * random.unit()) } + [Float(255 * alpha)]
            }
            let results: [Float] = unsafe check.baseline(row.count) { table, _, out in
                unsafe out.update(from: row, count: row.count)
                unsafe table.color_stages(out, Int32(count), stages, 1, 255, 0)
            }
            for pixel in 0..<count {
                let color = SIMD4((0..<4).map { Double(row[4 * pixel + $0]) / 255 })
                let expected = stage.apply(to: color, x: 0, y: 0) * 255
                for c in 0..<4 {
                    worst = max(worst, abs(Double(results[4 * pixel + c]) - expected[c]))
                    moved = max(moved, abs(Double(row[4 * pixel + c]) - expected[c]))
                }
            }
        }
        #expect(worst < error, "\(worst)")
        #expect(moved > least)
    }

    @Test("transfer functions, both ways, and how near to the definition they are", arguments: [1, 2, 3, 4])
    func transfer(_ channels: Int) throws {
        var check = KernelCheck()
        var values = KernelValues(seed: 6)
        for curve in [TransferFunction.sRGB, try .gamma(2.2), try .gamma(1.8), try .gamma(1)] {
            for stage in [frost_color_stage(decode: curve), frost_color_stage(encode: curve)] {
                for width in Self.widths {
                    check.context = "width \(width), \(curve)"
                    var row = values.floats(channels * width)
                    // The row includes the values 0 and 255, which are the two ends of the range. Some of its pixels
                    // are transparent.
                    for i in row.indices where i % 11 == 10 { row[i] = i % 2 == 0 ? 0 : 255 }
                    unsafe check.agree(on: row, "transfer") { table, _, out in
                        var stage = stage
                        unsafe table.transfer(out, Int32(width), Int32(channels), &stage, 255)
                    }
                }
            }
            // Decoding has a relative error of 3e-6, and decoding followed by encoding has an error of 0.001 of an
            // 8-bit step. Both are far below the guaranteed error.
            let codes = (1...1000).map { Float($0) / 1000 * 255 }
            func transferred(_ row: [Float], _ stage: frost_color_stage) -> [Float] {
                unsafe check.baseline(row.count) { table, _, out in
                    unsafe out.update(from: row, count: row.count)
                    var stage = stage
                    unsafe table.transfer(out, Int32(row.count), 1, &stage, 255)
                }
            }
            let light = transferred(codes, frost_color_stage(decode: curve))
            let back = transferred(light, frost_color_stage(encode: curve))
            for (i, code) in codes.enumerated() {
                #expect(abs(Double(light[i]) / curve.decode(Double(code) / 255) / 255 - 1) < 3e-6)
                #expect(abs(back[i] - code) < 0.001)
            }
        }
    }

    @Test("mixtures, dither and RGB")
    func others() throws {
        var check = KernelCheck()
        var values = KernelValues(seed: 5)
        for width in Self.widths {
            check.context = "width \(width)"
            let (row, original) = (values.floats(4 * width), values.floats(4 * width))
            let parts = (0..<width).map { $0 % 7 == 0 ? Float($0 % 2) : values.between(0, 1) }
            unsafe check.agree(on: row, "color_mix") { table, memory, out in
                unsafe table.color_mix(out, memory.row(original), memory.row(parts), Int32(width))
            }
            for (below, share, above) in [(-1, 0, 0.1), (0.1, 0.3, 0.31), (0.5, 1, 2)] as [(Float, Float, Float)] {
                let (rise, fall) = (1 / (share - below), 1 / (above - share))
                // The kernel is called for the first two thirds of the row only, and it must not write the last third.
                let count = width - width / 3
                unsafe check.agree(on: original, "blend_level") { table, memory, out in
                    unsafe table.blend_level(
                        out, memory.row(row), memory.row(parts), Int32(count), below, rise, above, fall)
                }
            }
            let (sums, numbers) = (values.integers(4 * width, upTo: 30000), values.integers(4 * width, upTo: 65280))
            for (below, share, above) in [(-1, 0, 0.1), (0.1, 0.3, 0.31), (0.5, 1, 2)] as [(Float, Float, Float)] {
                let (rise, fall) = (1 / (share - below), 1 / (above - share))
                let count = width - width / 3
                unsafe check.agree(on: sums, "fixed_blend_level") { table, memory, out in
                    unsafe table.fixed_blend_level(
                        out, memory.row(numbers), memory.row(parts), Int32(count), below, rise, share, fall)
                }
            }
            let others = values.integers(4 * width, upTo: 65280)
            for (isLower, below, rise) in [(false, 0, 1), (true, 0.2, 1 / 0.3), (false, 0.5, 30)]
                as [(Bool, Float, Float)]
            {
                let count = width - width / 3
                unsafe check.agree(on: others, "fixed_blend_pair") { table, memory, out in
                    unsafe table.fixed_blend_pair(
                        out, memory.row(numbers), memory.row(parts), Int32(count), below, rise, isLower ? 1 : 0)
                }
            }
            let shares = parts.map { min($0 * 1.1 * ($0 * 1.1), 1) }
            for chunk in [width, 1 + width / 3] {
                let chunks = stride(from: 0, to: width, by: chunk).map { shares[$0..<min($0 + chunk, width)] }
                let expected = chunks.flatMap { part -> [Float] in [part.min() ?? 1, part.max() ?? 0] }
                unsafe check.expect(shares, "blend_shares") { table, _, out in
                    unsafe out.update(from: parts.map { $0 * 1.1 }, count: width)
                    var ranges = [Float](repeating: .nan, count: expected.count)
                    unsafe table.blend_shares(out, Int32(width), Int32(chunk), &ranges)
                    #expect(ranges == expected)
                }
            }
            let dither = Dither(seed: 1)
            let offsets = try OffsetTable(dither)
            let (noise, phase) = unsafe (offsets.base, offsets.phase(width, -3))
            for (straight, maximum) in [(false, Float(255)), (true, 255), (true, 65535)] {
                unsafe check.agree(on: row, "color_settle") { table, _, out in
                    unsafe table.color_settle(
                        out, Int32(width), straight ? 1 : 0, maximum, noise, phase)
                }
            }
            let bytes = values.bytes(4 * width)
            for stream in [Int32(0), 1] {
                unsafe check.expect(bytes, "copy_bytes") { table, memory, out in
                    unsafe table.copy_bytes(memory.row(bytes), out, Int32(bytes.count), stream)
                }
            }
            let rgb = bytes.indices.filter { $0 & 3 != 3 }.map { bytes[$0] }
            unsafe check.expect(rgb, "compress_rgb8") { table, memory, out in
                unsafe table.compress_rgb8(memory.row(bytes), out, Int32(width))
            }
        }
    }

    @Test("content", arguments: [1, 2, 5])
    func content(_ count: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: 9)
        for width in Self.widths {
            check.context = "width \(width), \(count) taps"
            let (row, below) = (values.floats(4 * (width + count)), values.floats(4 * width))
            let firsts = (0..<width).map { Int32(($0 * 7) % width) }
            let weights = (0..<count * width).map { _ in values.between(0, 1) }
            func place(_ table: frost_kernels, _ memory: KernelMemory, _ out: UnsafeMutablePointer<Float>) {
                var copies = [Float](repeating: 0, count: width)
                unsafe table.place_pixels(memory.row(row), firsts, weights, Int32(count), out, &copies, Int32(width))
            }
            let placed = unsafe check.baseline(4 * width, place)
            let alphas = (0..<width).map { placed[4 * $0 + 3] }
            unsafe check.expect(placed, "place_pixels", place)
            unsafe check.expect(alphas, "place_pixels, alphas") { table, memory, out in
                var pixels = [Float](repeating: 0, count: 4 * width)
                unsafe table.place_pixels(memory.row(row), firsts, weights, Int32(count), &pixels, out, Int32(width))
            }
            unsafe check.agree(on: below, "draw_pixels") { table, memory, out in
                unsafe table.draw_pixels(out, memory.row(placed), 255, Int32(width))
            }
        }
    }

    @Test("stages of colour on fixed-point numbers, to bytes", arguments: lists.indices)
    func fixed(_ list: Int) throws {
        guard let outputStages = FixedOutputStages(OutputStages(inside: Self.lists[list])) else {
            #expect(
                Self.lists[list].contains { stage in
                    switch stage {
                    case .vivid, .grain, .encode, .scatter, .contrast: true
                    default: false
                    }
                })
            return
        }
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(list))
        let stages = outputStages.over
        for width in Self.widths {
            // The values resemble the output of filters: no colour exceeds alpha. Runs of 37 opaque pixels alternate
            // with runs of 13 random pixels. The alpha of an opaque pixel is 0 to 7 units (1/256 of an 8-bit step)
            // below full scale. Some pixels are transparent.
            var row = values.integers(4 * width, upTo: FixedKernelTests.limit)
            for i in 0..<width {
                if i % 50 < 37 { row[4 * i + 3] = 65280 - UInt16(i % 8) }
                if i % 9 == 8 { row[4 * i + 3] = 0 }
                for c in 0..<3 { row[4 * i + c] = min(row[4 * i + c], row[4 * i + 3]) }
            }
            for (format, dither) in [
                (FROST_OUTPUT_PREMULTIPLIED, nil), (FROST_OUTPUT_PREMULTIPLIED, Dither(seed: 1)),
                (FROST_OUTPUT_STRAIGHT, nil), (FROST_OUTPUT_STRAIGHT, Dither(seed: 1)), (FROST_OUTPUT_RGB, nil),
                (FROST_OUTPUT_RGB, Dither(seed: 1)),
            ] {
                check.context = "width \(width), list \(list), \(format), dither \(dither != nil)"
                let offsets = try dither.map { try OffsetTable($0) }
                let phase = offsets?.phase(width, width) ?? 0
                let count = format == FROST_OUTPUT_RGB ? 3 * width : 4 * width
                for stream in [Int32(0), 1] {
                    unsafe check.agree(count, "fixed_output") {
                        (table: frost_kernels, memory: KernelMemory, out: UnsafeMutablePointer<UInt8>) in
                        unsafe stages.withUnsafeBufferPointer { stages in
                            var how = unsafe frost_fixed_output(
                                stages: stages.baseAddress, stage_count: Int32(stages.count), format: format,
                                offsets: UnsafePointer(offsets?.base))
                            unsafe table.fixed_output(memory.row(row), &how, out, Int32(width), phase, stream)
                        }
                    }
                }
            }
            unsafe check.agree(on: row, "fixed_stages") { table, _, out in
                unsafe table.fixed_stages(out, stages, Int32(stages.count), Int32(width))
            }
        }
    }

    @Test(
        "an interpolation to the output has the bytes of the interpolation and the output one after the other",
        arguments: lists.indices)
    func interpolateToOutput(_ list: Int) throws {
        var check = KernelCheck()
        var values = KernelValues(seed: 16)
        let stages = FixedOutputStages(OutputStages(inside: Self.lists[list]))?.over ?? []
        for pairs in [1, 2, 3, 7, 8, 9, 15, 16, 17, 33, 65, 130] {
            // Rounding to nearest, and dither.
            let offsets = try pairs % 2 == 0 ? nil : OffsetTable(Dither(seed: 1))
            let rows = [0, 1].map { _ in
                values.rows(2) { values in
                    values.integers(4 * pairs, upTo: 65280).enumerated().map { $0 % 7 < 4 && $0 & 3 == 3 ? 65280 : $1 }
                }
            }
            let taps: [UInt16] = [49152, 16384, 16384, 49152]
            for (pixels, row, hasOther, stream) in [
                (2 * pairs, 0, true, Int32(0)), (2 * pairs - 1, 1, false, 1), (2 * pairs, 1, true, 1),
            ] {
                let numbers: [UInt16] = unsafe check.baseline(8 * pairs) { table, memory, out in
                    let other: UnsafeMutablePointer<UInt16> = unsafe memory.blank(8 * pairs).row
                    unsafe table.fixed_interpolate_rows(
                        memory.rows(rows[0]), memory.rows(rows[1]), memory.taps(taps), 2, row == 0 ? out : other,
                        row == 0 ? other : out, Int32(pairs), 4)
                }
                for format in [FROST_OUTPUT_PREMULTIPLIED, FROST_OUTPUT_STRAIGHT, FROST_OUTPUT_RGB] {
                    let count = format == FROST_OUTPUT_RGB ? 3 * pixels : 4 * pixels
                    func with(_ body: (UnsafePointer<frost_fixed_output>) -> Void) {
                        unsafe stages.withUnsafeBufferPointer { stages in
                            var how = unsafe frost_fixed_output(
                                stages: stages.baseAddress, stage_count: Int32(stages.count), format: format,
                                offsets: UnsafePointer(offsets?.base))
                            unsafe body(&how)
                        }
                    }
                    let expected: [UInt8] = unsafe check.baseline(count) { table, memory, out in
                        unsafe with { unsafe table.fixed_output(memory.row(numbers), $0, out, Int32(pixels), 5, 0) }
                    }
                    check.context = "list \(list), \(pixels) pixels, row \(row), \(format), stream \(stream)"
                    unsafe check.expect(expected, "fixed_interpolate_to_output") { table, memory, out in
                        let other: UnsafeMutablePointer<UInt8>? = unsafe hasOther ? memory.blank(count).row : nil
                        unsafe with {
                            unsafe table.fixed_interpolate_to_output(
                                memory.rows(rows[0]), memory.rows(rows[1]), memory.taps(taps), 2,
                                row == 0 ? out : other, row == 0 ? other : out, Int32(pixels), $0,
                                row == 0 ? 5 : 99, row == 0 ? 99 : 5, stream)
                        }
                    }
                }
            }
        }
    }

    @Test("mixtures of fixed-point numbers")
    func fixedMix() {
        var check = KernelCheck()
        var values = KernelValues(seed: 15)
        for width in Self.widths {
            check.context = "width \(width)"
            let row = values.integers(4 * width, upTo: FixedKernelTests.limit)
            let original = values.integers(4 * width, upTo: FixedKernelTests.limit)
            let parts = (0..<width).map { $0 % 7 == 0 ? Float($0 % 2) : values.between(0, 1) }
            unsafe check.agree(on: row, "fixed_mix") { table, memory, out in
                unsafe table.fixed_mix(out, memory.row(original), memory.row(parts), Int32(width))
            }
        }
    }

    @Test(
        "fixed-point stages are within the stated error of real numbers",
        arguments: lists.indices.filter { FixedOutputStages(OutputStages(inside: lists[$0])) != nil })
    func noise(_ list: Int) throws {
        let outputStages = try #require(FixedOutputStages(OutputStages(inside: Self.lists[list])))
        let check = KernelCheck()
        var values = KernelValues(seed: 9)
        var worst = 0.0
        for _ in 0..<20000 {
            var pixel = values.integers(4, upTo: 65280)
            for c in 0..<3 { pixel[c] = min(pixel[c], pixel[3]) }
            let color = SIMD4(pixel.map { Double($0) / 65280 })
            let exact = Self.lists[list].reduce(color) { $1.apply(to: $0, x: 0, y: 0) }
            let bytes: [UInt8] = unsafe check.baseline(4) { table, memory, out in
                unsafe outputStages.over.withUnsafeBufferPointer { stages in
                    var how = unsafe frost_fixed_output(
                        stages: stages.baseAddress, stage_count: Int32(stages.count),
                        format: FROST_OUTPUT_PREMULTIPLIED, offsets: nil)
                    unsafe table.fixed_output(memory.row(pixel), &how, out, 1, 0, 0)
                }
            }
            for c in 0..<4 { worst = max(worst, abs(Double(bytes[c]) - exact[c] * 255) - 0.5) }
        }
        #expect(worst <= outputStages.roundingError, "list \(list): \(worst) of \(outputStages.roundingError)")
    }
}
