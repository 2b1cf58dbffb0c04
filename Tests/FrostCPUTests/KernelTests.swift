import CFrostKernels
import FrostTestSupport
import Testing

@testable import FrostCPU
@testable import FrostCore

/// Every inner loop of every instruction set against its scalar twin, to the bit: at every width up to two vectors of
/// bytes and a bit, at every alignment, with guards where a row's memory ends and garbage where only slack is.
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

    // MARK: Bytes and floats

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

    /// Every pair of a colour and an alpha: a row for each alpha.
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
            // As whole numbers, as loading made them of straight colour, and anything that rounds to this alpha.
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

    // MARK: Along a row of floats

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
                // Two placements each: together all of them meet every width.
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

    // MARK: The finest level in 16-bit integers

    @Test("binomial sums of bytes", arguments: [4, 6, 8])
    func binomial(_ count: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(count))
        for width in Self.widths {
            let rows =
                width % 13 == 0
                ? [[UInt8]](repeating: [UInt8](repeating: 255, count: width), count: count)
                : values.rows(count) { $0.bytes(width) }
            check.context = "width \(width)"
            unsafe check.expect(KernelTwins.binomialU8(rows), "binomial_u8") { table, memory, out in
                unsafe table.binomial_u8(memory.rows(rows), Int32(count), out, Int32(width))
            }
        }
    }

    @Test("halving, widening and quantising", arguments: [1, 1 / 8, 1 / 64, 0.1, 1 / 2048] as [Float])
    func scaled(_ scale: Float) {
        var check = KernelCheck()
        var values = KernelValues(seed: 3)
        for width in Self.widths {
            check.context = "width \(width)"
            // Sums of eight of these fit in 16 bits.
            let sums = values.integers((2 * width + 2) * 4, upTo: 65535 / 8)
            unsafe check.expect(KernelTwins.halveU16(sums, scale: scale, pixels: width), "halve_u16") {
                unsafe $0.halve_u16($1.row(sums), scale, $2, Int32(width))
            }
            let all = values.integers(width, upTo: 65535)
            unsafe check.expect(KernelTwins.widenU16(all, scale: scale), "widen_u16") {
                unsafe $0.widen_u16($1.row(all), scale, $2, Int32(width))
            }
        }
    }

    @Test("quantising to parts of a step", arguments: [1, 16, 100.5, 128, 256, 257] as [Float])
    func quantize(_ scale: Float) {
        var check = KernelCheck()
        var values = KernelValues(seed: 4)
        for width in Self.widths {
            let row = values.wildFloats(width)
            check.context = "width \(width)"
            unsafe check.expect(KernelTwins.quantize(row, scale: scale), "quantize") {
                unsafe $0.quantize($1.row(row), scale, $2, Int32(width))
            }
        }
    }

    @Test("interpolation of integers along a row", arguments: 1...4, 2...4)
    func interpolateU16(_ channels: Int, _ count: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(count))
        for width in Self.widths {
            for (evenFirst, oddFirst) in [(-1, 0), (-1, -1), (-2, -1), (0, 3)] {
                let even = values.integerWeights(count)
                let odd = values.integerWeights(count)
                let start = min(evenFirst, oddFirst)
                let row = values.integers(
                    (width - 1 + max(evenFirst, oddFirst) - start + count) * channels, upTo: 65290)
                let expected = KernelTwins.interpolateU16(
                    row, origin: -start, even: even, evenFirst: evenFirst, odd: odd, oddFirst: oddFirst, cells: width,
                    channels: channels)
                check.context = "width \(width), first \(evenFirst) and \(oddFirst)"
                unsafe check.expect(expected, "interpolate_u16") { table, memory, out in
                    unsafe table.interpolate_u16(
                        memory.row(row, before: true) - start * channels, memory.taps(even), Int32(evenFirst),
                        memory.taps(odd), Int32(oddFirst), Int32(count), out, Int32(width), Int32(channels))
                }
            }
        }
    }

    @Test("interpolation of integers across rows, to bytes", arguments: [1, 2, 3, 4, 5])
    func interpolateToU8(_ count: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(count))
        for width in Self.widths {
            let taps = values.integerWeights(count)
            let rows = values.rows(count) { $0.integers(width, upTo: 65290) }
            let expected = KernelTwins.interpolateToU8(rows, taps)
            check.context = "width \(width)"
            unsafe check.expect(expected, "interpolate_to_u8") { table, memory, out in
                unsafe table.interpolate_to_u8(memory.rows(rows), memory.taps(taps), Int32(count), out, Int32(width))
            }
        }
    }

    // MARK: Direct filters in 16-bit integers

    @Test("bytes to 128ths of a step")
    func scaleU8() {
        var check = KernelCheck()
        var values = KernelValues(seed: 5)
        for width in Self.widths {
            let row = values.bytes(width)
            check.context = "width \(width)"
            unsafe check.expect(KernelTwins.scaleU8(row), "scale_u8") {
                unsafe $0.scale_u8($1.row(row), $2, Int32(width))
            }
        }
    }

    @Test("symmetric filters of integers", arguments: 0...12)
    func convolve(_ radius: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(radius))
        for width in Self.widths {
            let taps = values.symmetricWeights(radius)
            let rows = values.rows(2 * radius + 1) { $0.integers(width, upTo: 32650) }
            check.context = "width \(width)"
            unsafe check.expect(KernelTwins.convolveU16(rows, taps), "convolve_u16") { table, memory, out in
                unsafe table.convolve_u16(memory.rows(rows), memory.taps(taps), Int32(radius), out, Int32(width))
            }
            unsafe check.expect(KernelTwins.convolveToU8(rows, taps), "convolve_to_u8") { table, memory, out in
                unsafe table.convolve_to_u8(memory.rows(rows), memory.taps(taps), Int32(radius), out, Int32(width))
            }
        }
    }
}

/// Calls a kernel of every instruction set, with its rows in every placement.
@safe struct KernelCheck {
    /// What is being tried, for the message.
    var context = ""
    var placements: [Placement]
    private let memory = KernelMemory()

    init(placements: [Placement] = Placement.all) { self.placements = placements }

    /// Expects a kernel to write these bits; to a row of bytes, nothing else.
    ///
    /// - Parameter call: is given the kernels, memory for the rows that are read, and the row to write to.
    func expect<Value: KernelValue>(
        _ expected: [Value], _ kernel: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ call: (frost_kernels, KernelMemory, UnsafeMutablePointer<Value>) -> Void
    ) {
        for kernels in KernelSet.all {
            for placement in placements {
                memory.begin(placement)
                let out: (row: UnsafeMutablePointer<Value>, memory: GuardedMemory) = unsafe memory.blank(expected.count)
                unsafe call(kernels.table.pointee, memory, out.row)
                let place = "\(kernel) of \(kernels.name), \(context), \(placement)"
                for (x, value) in expected.enumerated() where unsafe out.row[x].bits != value.bits {
                    Issue.record(
                        "\(place): \(unsafe out.row[x]) instead of \(value) at \(x)", sourceLocation: sourceLocation)
                    return
                }
                if Value.slack == 0,
                    unsafe !out.memory.isUntouched(except: out.row, count: expected.count, filling: Value.filling)
                {
                    Issue.record("\(place): wrote beyond the row", sourceLocation: sourceLocation)
                    return
                }
            }
        }
    }
}

/// Random values for kernels, their extremes among them.
struct KernelValues {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func between(_ low: Float, _ high: Float) -> Float { Float.random(in: low...high, using: &random) }

    mutating func rows<Value>(_ count: Int, _ row: (inout Self) -> [Value]) -> [[Value]] {
        (0..<count).map { _ in row(&self) }
    }

    private mutating func row<Value>(_ count: Int, extremes: [Value], _ value: (inout Self) -> Value) -> [Value] {
        (0..<count).map { _ in
            Int.random(in: 0..<4, using: &random) == 0
                ? extremes[Int.random(in: extremes.indices, using: &random)] : value(&self)
        }
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        row(count, extremes: [0, 255, 1, 254, 127, 128]) { UInt8.random(in: 0...255, using: &$0.random) }
    }

    mutating func integers(_ count: Int, upTo limit: UInt16) -> [UInt16] {
        row(count, extremes: [0, limit, 1, limit - 1]) { UInt16.random(in: 0...limit, using: &$0.random) }
    }

    mutating func floats(_ count: Int) -> [Float] {
        row(count, extremes: [0, -0.0, 255, 0x1p-133, -3, 65504]) { $0.between(-1, 256) }
    }

    /// What bytes cannot hold, too: NaN, infinities, and halves of steps.
    mutating func wildFloats(_ count: Int) -> [Float] {
        row(
            count,
            extremes: [
                .nan, -.nan, .infinity, -.infinity, 0, -0.0, 255, 254.5, 255.5, 0.5, 1.5, 2.5, -0.5, 0.49999997,
                Float(0.5).nextUp, 0x1p-133, -1e30, 1e30, .greatestFiniteMagnitude,
            ]
        ) { $0.between(-1, 256) }
    }

    /// Weights of a sum of about 1, some of them negative; now and then a 1 alone.
    mutating func weights(_ count: Int) -> [Float] {
        if Int.random(in: 0..<4, using: &random) == 0 { return (0..<count).map { $0 == 0 ? 1 : 0 } }
        let weights = (0..<count).map { _ in between(-0.25, 1) }
        let sum = weights.reduce(0, +)
        return abs(sum) < 0.1 ? weights : weights.map { $0 / sum }
    }

    /// Weights in 65536ths of a sum of at most 1, anything from all the same to one that has it all.
    mutating func integerWeights(_ count: Int) -> [UInt16] {
        var left = 65536
        return (0..<count).map { _ in
            let weight = Int.random(in: 0...min(left, 65535), using: &random)
            left -= weight
            return UInt16(weight)
        }.shuffled(using: &random)
    }

    /// From the centre outwards: all but the first count twice.
    mutating func symmetricWeights(_ radius: Int) -> [UInt16] {
        let outer = integerWeights(radius + 1).map { $0 / 2 }.prefix(radius)
        return [UInt16(min(65535, 65536 - 2 * outer.reduce(0) { $0 + Int($1) }))] + outer
    }
}
