import CFrostKernels
import FrostTestSupport
import Testing

@testable import FrostCPU

/// Compares the kernels that read rows at offsets with a twin in Swift, for every instruction set; see ``KernelTests``. The rows have
/// no memory around them, so reading a number outside them ends the process.
struct LensKernelTests {
    /// A set of arguments of the kernels.
    private struct Lens {
        let width, height, ownRow, channels, samples: Int
        let factors: [Float]
        let column, count: Int
        /// Whether all pixels have the offsets of the first.
        let areShared: Bool
        let offsets: [SIMD2<Float>]

        init(_ random: inout SeededGenerator) {
            (width, height) = (Int.random(in: 1...40, using: &random), Int.random(in: 1...7, using: &random))
            ownRow = Int.random(in: 0..<height, using: &random)
            channels = Int.random(in: 1...4, using: &random)
            let root = Int.random(in: 1...4, using: &random)
            samples = root * root
            factors = Bool.random(using: &random) ? [] : [0.75, 1, 1.25, 1]
            column = Int.random(in: 0..<width, using: &random)
            count = Int.random(in: 1...width - column, using: &random)
            areShared = Bool.random(using: &random)
            // Whole pixels, places in the image, and places far beyond its borders.
            let reaches: [ClosedRange<Float>] = [-1...1, -9...9, -8192...8192]
            var offsets: [SIMD2<Float>] = []
            for _ in 0..<(areShared ? samples : samples * count) {
                let range = reaches.randomElement(using: &random) ?? 0...0
                let offset = SIMD2(Float.random(in: range, using: &random), Float.random(in: range, using: &random))
                offsets.append(Bool.random(using: &random) ? offset : offset.rounded(.toNearestOrEven))
            }
            self.offsets = offsets
        }

        /// Returns what the kernels compute of rows.
        func result(_ rows: [[Float]]) -> [Float] {
            (0..<count).flatMap { i -> [Float] in
                let pixel = (0..<channels).map { channel -> Float in
                    var sum: Float = 0
                    for s in 0..<samples {
                        var offset = offsets[areShared ? s : i * samples + s]
                        if !factors.isEmpty { offset *= factors[channel] }
                        let whole = offset.rounded(.down)
                        let part = offset - whole
                        func number(_ x: Int, _ y: Int) -> Float {
                            let column = min(max(column + i + Int(whole.x) + x, 0), width - 1)
                            return rows[min(max(ownRow + Int(whole.y) + y, 0), height - 1)][column * channels + channel]
                        }
                        let upper = number(0, 0) + (number(1, 0) - number(0, 0)) * part.x
                        let lower = number(0, 1) + (number(1, 1) - number(0, 1)) * part.x
                        sum += upper + (lower - upper) * part.y
                    }
                    return sum * (1 / Float(samples))
                }
                guard channels == 4, !factors.isEmpty else { return pixel }
                return pixel[..<3].map { $0 < pixel[3] ? $0 : pixel[3] } + [pixel[3]]
            }
        }

        /// Calls `body` with the arguments as the kernels take them.
        func withArguments<Value: KernelValue>(
            _ rows: [[Value]], _ memory: KernelMemory,
            _ body: (UnsafePointer<frost_lens>, UnsafePointer<Float>, Int32) -> Void
        ) {
            let pointers = unsafe rows.map { unsafe UnsafeRawPointer?(memory.taps($0)) }
            let numbers = unsafe memory.taps(offsets.flatMap { [$0.x, $0.y] })
            let factors = unsafe factors.isEmpty ? nil : memory.taps(factors)
            unsafe pointers.withUnsafeBufferPointer { pointers in
                var lens = unsafe frost_lens(
                    rows: pointers.baseAddress, row_count: Int32(height), width: Int32(width), own_row: Int32(ownRow),
                    channels: Int32(channels), samples: Int32(samples), factors: factors)
                unsafe body(&lens, numbers, areShared ? 0 : Int32(2 * samples))
            }
        }
    }

    private static let placements = [Placement(atEnd: true, shift: 0), Placement(atEnd: false, shift: 0)]

    @Test("pixels at offsets") func lenses() {
        var check = KernelCheck(placements: Self.placements)
        var (random, values) = (SeededGenerator(seed: 31), KernelValues(seed: 32))
        for index in 0..<400 {
            let lens = Lens(&random)
            check.context = "case \(index): \(lens)"
            let floats = values.rows(lens.height) { $0.floats(lens.width * lens.channels) }
            unsafe check.expect(lens.result(floats), "lens_floats") { table, memory, out in
                unsafe lens.withArguments(floats, memory) { arguments, offsets, step in
                    unsafe table.lens_floats(
                        arguments, Int32(lens.column), offsets, step, out, Int32(lens.count))
                }
            }
            let fixed = values.rows(lens.height) { $0.integers(lens.width * lens.channels, upTo: 65280) }
            let plain: [[Float]] = fixed.map { row in row.map { Float($0) } }
            let wanted: [UInt16] = lens.result(plain).map { UInt16($0 + 0.5) }
            unsafe check.expect(wanted, "lens_fixed") { table, memory, out in
                unsafe lens.withArguments(fixed, memory) { arguments, offsets, step in
                    unsafe table.lens_fixed(
                        arguments, Int32(lens.column), offsets, step, out, Int32(lens.count))
                }
            }
        }
    }

    @Test("mixtures of rows") func mixtures() {
        var check = KernelCheck(placements: Self.placements)
        var values = KernelValues(seed: 33)
        for count in [1, 2, 7, 8, 15, 16, 31, 33, 64, 100] {
            for part: Float in [0, 0.25, 1 / 3, 0.999] {
                check.context = "\(count) numbers, part \(part)"
                let (a, b) = (values.floats(count), values.floats(count))
                let mixed: [Float] = zip(a, b).map { from, to in from + (to - from) * part }
                unsafe check.expect(mixed, "mix_floats") { table, memory, out in
                    unsafe table.mix_floats(memory.taps(a), memory.taps(b), part, out, Int32(count))
                }
                let (c, d) = (values.integers(count, upTo: 65280), values.integers(count, upTo: 65280))
                let wanted = zip(c, d).map { from, to -> UInt16 in
                    let (from, to) = (Float(from), Float(to))
                    let mixed = from + (to - from) * part
                    return UInt16(mixed + 0.5)
                }
                unsafe check.expect(wanted, "mix_fixed") { table, memory, out in
                    unsafe table.mix_fixed(memory.taps(c), memory.taps(d), part, out, Int32(count))
                }
            }
        }
    }
}
