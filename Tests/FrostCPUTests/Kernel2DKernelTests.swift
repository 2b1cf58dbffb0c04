import CFrostKernels
import FrostTestSupport
import Testing

@testable import FrostCPU

/// Compares the kernels for 2-D blurs of every instruction set with the baseline's, bit for bit; see ``KernelTests``. What they
/// compute is compared with oracles by `Kernel2DTests`.
struct Kernel2DKernelTests {
    @Test("lines to a centre", arguments: 1...4) func zoom(channels: Int) {
        var check = KernelCheck(placements: [Placement(atEnd: true, shift: 0), Placement(atEnd: false, shift: 1)])
        var values = KernelValues(seed: UInt64(channels))
        let margin = 26
        for (width, centre) in [
            (1, (0.0, 0.0)), (2, (1, 0)), (7, (3, 3)), (9, (20.5, -0.25)), (17, (8.5, 7.75)), (24, (-1.3, 24)),
            (23, (11, -23.6)),
        ] {
            let grid = values.rows(2 * margin + 2) { $0.floats((width + 2 * margin + 1) * channels) }
            for (inward, outward) in [(Float(0.2), Float(0)), (1, 0), (0.04, 0.04), (0.3, 1), (0, 0)] {
                check.context = "\(channels) channels, \(width) pixels, centre \(centre), \(inward) and \(outward)"
                unsafe check.agree(width * channels, "zoom") {
                    (table: frost_kernels, memory: KernelMemory, out: UnsafeMutablePointer<Float>) in
                    // The row is computed in two parts, because the executor also divides rows into strips.
                    let rows = unsafe memory.rows(grid).map { unsafe $0.map { unsafe $0 + margin * channels } }
                    let first = width / 3
                    unsafe rows.withUnsafeBufferPointer { rows in
                        guard let base = rows.baseAddress else { return }
                        for part in [0..<first, first..<width] {
                            unsafe table.zoom(
                                base + margin, centre.0, centre.1, inward, outward, out, Int32(part.lowerBound),
                                Int32(part.count), Int32(channels))
                        }
                    }
                }
            }
        }
    }

    @Test("prefix sums and sums of runs", arguments: 1...4) func runs(channels: Int) {
        var check = KernelCheck(placements: [Placement(atEnd: true, shift: 0), Placement(atEnd: false, shift: 1)])
        var values = KernelValues(seed: UInt64(channels) + 10)
        let (rowCount, margin): (Int, Int) = (7, 70)
        for pixels: Int in [1, 2, 5, 8, 16, 33, 64, 131] {
            let width = pixels + margin
            let grid = values.rows(rowCount) { $0.bytes(2 * width * channels) }
            check.context = "\(channels) channels, \(pixels) pixels"
            var prefixes: [(values: [UInt16], sums: [UInt16])] = []
            for (index, row) in grid.enumerated() {
                let expected = Self.prefixSums(row, step: 1 + index % 2, count: width * channels, channels: channels)
                prefixes.append(expected)
                for (part, list) in [expected.values, expected.sums].enumerated() {
                    unsafe check.expect(list, "prefix_sums") { table, memory, out in
                        let other: UnsafeMutablePointer<UInt16> = unsafe memory.blank(expected.sums.count).row
                        unsafe table.prefix_sums(
                            memory.row(row), Int32(1 + index % 2), part == 0 ? out : other, part == 0 ? other : out,
                            Int32(width), Int32(channels))
                    }
                }
            }
            let (runs, groups) = Self.runs(&values, rows: rowCount, columns: margin, channels: channels)
            let scales: [Float] = [1, 1 / 256]
            for scale in scales {
                let count: Int = pixels * channels
                let before: [Float]? = scale < 1 ? values.floats(count) : nil
                let (numbers, sums) = (prefixes.map { $0.values }, prefixes.map { $0.sums })
                unsafe check.agree(count, "sum_runs") {
                    (table: frost_kernels, memory: KernelMemory, out: UnsafeMutablePointer<Float>) in
                    if let before { for (index, value) in before.enumerated() { unsafe out[index] = value } }
                    let values = unsafe memory.rows(numbers)
                    let sums = unsafe memory.rows(sums)
                    unsafe values.withUnsafeBufferPointer { values in
                        unsafe sums.withUnsafeBufferPointer { sums in
                            unsafe table.sum_runs(
                                values.baseAddress, sums.baseAddress, runs, groups, Int32(groups.count), scale, out,
                                before == nil ? 0 : 1, Int32(count))
                        }
                    }
                }
            }
        }
    }

    @Test("sums along rays", arguments: 1...4) func rays(channels: Int) {
        var check = KernelCheck(placements: [Placement(atEnd: true, shift: 0), Placement(atEnd: false, shift: 1)])
        var values = KernelValues(seed: UInt64(channels) + 20)
        let (width, height, margin) = (43, 31, 44)
        for (centre, inward, outward) in [
            ((21.0, 15.0), 0.3, 0.0), ((20.5, 15.5), 1, 0), ((3.1, 30.77), 0.25, 0.5), ((-0.5, -0.5), 0, 1),
            ((41.3, 2.9), 0.4, 0.004),
        ] {
            let grid = values.rows(height + 2 * margin + 1) { values in
                values.bytes((width + 2 * margin + 1) * channels).map { Float($0) }
            }
            for (near, far, block) in [(5.0, 16.0, 13..<17), (16, 32, 0..<4), (16, 32, 27..<31), (32, 64, 4..<7)] {
                let length = width * channels
                check.context =
                    "\(channels) channels, centre \(centre), \(inward) and \(outward), \(near)..<\(far), rows \(block)"
                unsafe check.agree(block.count * length, "zoom_rays") {
                    (table: frost_kernels, memory: KernelMemory, out: UnsafeMutablePointer<Float>) in
                    // Pixels at other distances keep their numbers.
                    for index in 0..<block.count * length { unsafe out[index] = -1 }
                    let rows = unsafe memory.rows(grid).map { unsafe $0.map { unsafe $0 + margin * channels } }
                    var starts = [Int32](repeating: 0, count: 8 * width * height)
                    var bends = [frost_zoom_bend](
                        repeating: frost_zoom_bend(), count: (width + 2 * margin) * Int(FROST_ZOOM_RAYS))
                    var links = [Int32](repeating: -1, count: bends.count)
                    unsafe rows.withUnsafeBufferPointer { rows in
                        unsafe starts.withUnsafeMutableBufferPointer { starts in
                            unsafe bends.withUnsafeMutableBufferPointer { bends in
                                unsafe links.withUnsafeMutableBufferPointer { links in
                                    var zoom = unsafe frost_zoom_rays()
                                    unsafe zoom.rows = rows.baseAddress.map { unsafe $0 + margin }
                                    unsafe (zoom.read_first_column, zoom.read_first_row) = (
                                        Int32(-margin), Int32(-margin)
                                    )
                                    unsafe zoom.read_end_column = Int32(width + margin + 1)
                                    unsafe zoom.read_end_row = Int32(height + margin + 1)
                                    unsafe zoom.end_column = Int32(width)
                                    unsafe (zoom.first_row, zoom.end_row) = (
                                        Int32(block.lowerBound), Int32(block.upperBound)
                                    )
                                    unsafe (zoom.out, zoom.out_stride) = (out, Int32(length))
                                    unsafe zoom.channels = Int32(channels)
                                    unsafe (zoom.centre_x, zoom.centre_y) = centre
                                    unsafe (zoom.inward, zoom.outward) = (inward, outward)
                                    unsafe (zoom.near, zoom.far, zoom.scale) = (near, far, 4096)
                                    unsafe (zoom.starts, zoom.bends) = (starts.baseAddress, bends.baseAddress)
                                    unsafe zoom.links = links.baseAddress
                                    unsafe table.zoom_rays(&zoom)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private static func prefixSums(
        _ bytes: [UInt8], step: Int, count: Int, channels: Int
    ) -> (values: [UInt16], sums: [UInt16]) {
        let values = (0..<count).map { UInt16(bytes[$0 * step]) }
        var sums = [UInt16](repeating: 0, count: count + channels)
        for (index, value) in values.enumerated() { sums[index + channels] = sums[index] &+ value }
        return (values, sums)
    }

    /// Returns random groups of runs. The sum of a group's numbers is below 2^16.
    private static func runs(
        _ values: inout KernelValues, rows: Int, columns: Int, channels: Int
    ) -> ([frost_run], [frost_run_group]) {
        var (runs, groups): ([frost_run], [frost_run_group]) = ([], [])
        func number(_ limit: Int) -> Int { Int(values.integers(1, upTo: UInt16(limit))[0]) }
        for _ in 0..<5 {
            let (long, single) = (number(3), 1 + number(5))
            for index in 0..<long + single {
                let length = index < long ? 2 + number(60) : 1
                let first = number(columns - length)
                runs.append(
                    frost_run(
                        row: Int32(number(rows - 1)), first: Int32(first * channels),
                        end: Int32((first + length) * channels)))
            }
            groups.append(
                frost_run_group(
                    weight: values.between(0, 0.01), long_runs: Int32(long), pixels: Int32(single)))
        }
        return (runs, groups)
    }
}
