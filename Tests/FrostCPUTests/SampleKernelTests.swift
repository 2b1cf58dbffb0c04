import CFrostKernels
import FrostTestSupport
import Testing

@testable import FrostCPU
@testable import FrostCore

/// Compares the kernels that convert samples and filter across rows with `RowConversion` and with scalar Swift sums, bit for
/// bit; see ``KernelTests``.
struct SampleKernelTests {
    /// The formats whose samples kernels convert: every sample type, with and without straight alpha.
    static let formats: [PixelFormat] = SampleType.allCases.flatMap {
        [PixelFormat(.grey, $0), PixelFormat(.rgba, $0)]
    }

    /// Returns random samples of a format, as bytes. Extreme values occur often.
    private static func samples(_ count: Int, _ format: PixelFormat, _ values: inout KernelValues) -> [UInt8] {
        switch format.sample {
        case .u8: values.bytes(count)
        case .u16: unsafe values.integers(count, upTo: .max).withUnsafeBytes { unsafe Array($0) }
        case .f16: unsafe values.floats(count).map { Float16($0) }.withUnsafeBytes { unsafe Array($0) }
        case .f32: unsafe values.floats(count).withUnsafeBytes { unsafe Array($0) }
        }
    }

    /// Converts samples to floats by `RowConversion`, pixel by pixel.
    private static func load(_ row: [UInt8], _ format: PixelFormat) -> [Float] {
        let pixels = row.count / format.bytesPerPixel
        var out = [Float](repeating: .nan, count: pixels * format.channels.count)
        unsafe row.withUnsafeBytes { from in
            guard let from = from.baseAddress else { return }
            // SAFETY: both rows hold the same number of pixels.
            unsafe out.withUnsafeMutableBufferPointer { to in
                guard let to = to.baseAddress else { return }
                unsafe RowConversion(format: format).load(from, count: pixels, into: to)
            }
        }
        return out
    }

    /// Converts floats to samples by `RowConversion`, pixel by pixel.
    private static func store(_ row: [Float], _ format: PixelFormat) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: row.count * format.sample.size)
        unsafe row.withUnsafeBufferPointer { from in
            guard let from = from.baseAddress else { return }
            // SAFETY: both rows hold the same number of pixels.
            unsafe out.withUnsafeMutableBytes { to in
                guard let to = to.baseAddress else { return }
                unsafe RowConversion(format: format)
                    .store(from, count: row.count / format.channels.count, into: to)
            }
        }
        return out
    }

    /// Returns numbers on the scale of a format. Integers also get numbers that they cannot hold.
    private static func numbers(_ count: Int, _ format: PixelFormat, _ values: inout KernelValues) -> [Float] {
        switch format.sample {
        case .u8: values.wildFloats(count)
        case .u16: values.wildFloats(count).map { $0 * 257 }
        case .f16, .f32: values.floats(count)
        }
    }

    @Test("samples to floats and back", arguments: formats)
    func conversions(_ format: PixelFormat) throws {
        let kind = try #require(RowConversion(format: format).samples)
        var check = KernelCheck()
        var values = KernelValues(seed: 31)
        for width in KernelTests.widths {
            let count = width * format.channels.count
            check.context = "\(format), width \(width)"
            let samples = Self.samples(count, format, &values)
            unsafe check.expect(Self.load(samples, format), "load_floats") { table, memory, out in
                unsafe table.load_floats(kind, memory.row(samples), out, Int32(count))
            }
            let numbers = Self.numbers(count, format, &values)
            for stream in [0, 1] as [Int32] {
                unsafe check.expect(Self.store(numbers, format), "store_floats, stream \(stream)") {
                    (table, memory, out: UnsafeMutablePointer<UInt8>) in
                    unsafe table.store_floats(kind, memory.row(numbers), out, Int32(count), stream)
                }
            }
        }
    }

    @Test("filters across rows of every kind, to every kind", arguments: formats, [1, 2, 3, 4, 6, 9, 14])
    func filters(_ format: PixelFormat, _ count: Int) throws {
        let kind = try #require(RowConversion(format: format).samples)
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(count))
        for width in [1, 3, 4, 8, 15, 16, 17, 63, 64, 65, 130, 300, 600] {
            if width * format.channels.count > 1200 { continue }
            let samples = width * format.channels.count
            check.placements = [Placement.all[width % 8], Placement.all[(width + 3) % 8]]
            let rows = values.rows(count + 1) { Self.samples(samples, format, &$0) }
            let floats = rows.map { Self.load($0, format) }
            for isSymmetric in [false, true] {
                var taps = values.weights(count)
                if isSymmetric { for t in 0..<count / 2 { taps[count - 1 - t] = taps[t] } }
                // Two output rows: the second begins one input row later and has its own taps.
                let other = isSymmetric ? taps.map { $0 / 2 } : Array(taps.reversed())
                for (row, weights) in [taps, other].enumerated() {
                    let sums = KernelTwins.filterRows(
                        Array(floats[row..<row + count]), weights, isSymmetric: isSymmetric)
                    check.context = "\(format), \(count) taps, width \(width), row \(row), symmetric \(isSymmetric)"
                    func run<Value: KernelValue>(
                        _ table: frost_kernels, _ memory: KernelMemory, _ out: UnsafeMutablePointer<Value>,
                        _ from: frost_samples, _ to: frost_samples, _ stream: Int32
                    ) {
                        let inputs =
                            unsafe from == FROST_NUMBERS
                            ? floats.map { unsafe UnsafeRawPointer(memory.row($0)) }
                            : rows.map { unsafe UnsafeRawPointer(memory.row($0)) }
                        let unchecked: UnsafeMutablePointer<Value> = unsafe memory.blank(
                            to == FROST_NUMBERS ? samples : samples * format.sample.size
                        ).row
                        let outs = unsafe [row == 0 ? out : unchecked, row == 0 ? unchecked : out]
                        let (first, second) = unsafe (memory.taps(taps), memory.taps(other))
                        unsafe Self.call(
                            table, inputs, outs.map { UnsafeMutableRawPointer($0) }, [first, second], count,
                            samples, isSymmetric, from, to, stream)
                    }
                    for from in [FROST_NUMBERS, kind] {
                        unsafe check.expect(sums, "filter_rows to floats") { table, memory, out in
                            unsafe run(table, memory, out, from, FROST_NUMBERS, 0)
                        }
                        for stream in [0, 1] as [Int32] {
                            unsafe check.expect(Self.store(sums, format), "filter_rows, stream \(stream)") {
                                (table, memory, out: UnsafeMutablePointer<UInt8>) in
                                unsafe run(table, memory, out, from, kind, stream)
                            }
                        }
                    }
                }
            }
        }
    }

    /// Every distance between the pixels of a tap: whole lanes, parts of them, and distances beyond the next vector.
    @Test("symmetric filters along a row of floats", arguments: 1...Int(FROST_MAXIMUM_RADIUS), 1...4)
    func filterRow(_ radius: Int, channels: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(16 * radius + channels))
        let halo = radius * channels
        for pixels in [1, 2, 5, 8, 16, 21] {
            let count = pixels * channels
            let half = values.weights(radius + 1)
            let taps = half + half.dropLast().reversed()
            let row = values.floats(count + 2 * halo)
            let rows = (0...2 * radius).map { Array(row[$0 * channels..<$0 * channels + count]) }
            check.context = "\(pixels) pixels"
            check.placements = [Placement.all[pixels % 8]]
            unsafe check.expect(KernelTwins.filterRows(rows, taps, isSymmetric: true), "filter_row") {
                (table, memory, out) in
                unsafe table.filter_row(
                    memory.row(row) + halo, memory.taps(taps), Int32(radius), out, Int32(pixels), Int32(channels))
            }
        }
    }

    private static func call(
        _ table: frost_kernels, _ rows: [UnsafeRawPointer?], _ outs: [UnsafeMutableRawPointer?],
        _ taps: [UnsafePointer<Float>?], _ count: Int, _ samples: Int, _ isSymmetric: Bool, _ from: frost_samples,
        _ to: frost_samples, _ stream: Int32
    ) {
        let starts: [Int32] = [0, 1]
        // SAFETY: the lists outlive the call.
        unsafe rows.withUnsafeBufferPointer { rows in
            unsafe outs.withUnsafeBufferPointer { outs in
                unsafe taps.withUnsafeBufferPointer { taps in
                    unsafe starts.withUnsafeBufferPointer { starts in
                        var filter = unsafe frost_row_filter(
                            rows: rows.baseAddress, starts: starts.baseAddress, taps: taps.baseAddress,
                            out: outs.baseAddress, input_count: Int32(rows.count), tap_count: Int32(count),
                            row_count: 2, count: Int32(samples), is_symmetric: isSymmetric ? 1 : 0, stream: stream,
                            from: from, to: to)
                        unsafe table.filter_rows(&filter)
                    }
                }
            }
        }
    }
}
