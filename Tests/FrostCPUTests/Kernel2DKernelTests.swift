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

    @Test("prefix sums and sums of runs and columns", arguments: 1...4) func runs(channels: Int) throws {
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
            try Self.checkFixed(&check, prefixes, runs, groups, count: pixels * channels)
            Self.checkColumns(&check, grid, pixels: pixels, channels: channels)
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
            for (near, far, block, limit) in [
                (5.0, 16.0, 13..<17, Float(-1)), (16, 32, 0..<4, -1), (16, 32, 27..<31, 0.001), (32, 64, 4..<7, 0.0005),
            ] {
                let length = width * channels
                check.context =
                    "\(channels) channels, centre \(centre), \(inward) and \(outward), \(near)..<\(far), rows \(block)"
                unsafe check.agree(block.count * length, "zoom_rays") {
                    (table: frost_kernels, memory: KernelMemory, out: UnsafeMutablePointer<Float>) in
                    // Pixels at other distances keep their numbers.
                    for index in 0..<block.count * length { unsafe out[index] = -1 }
                    let rows = unsafe memory.rows(grid).map { unsafe $0.map { unsafe $0 + margin * channels } }
                    var starts = [Int32](repeating: 0, count: 9 * width * height)
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
                                    unsafe (zoom.rays_per_pixel, zoom.bend_limit) = (limit < 0 ? 32 : 20, limit)
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

    /// Compares sums of runs in fixed point with the formula.
    private static func checkFixed(
        _ check: inout KernelCheck, _ rows: [(values: [UInt16], sums: [UInt16])], _ runs: [frost_run],
        _ groups: [frost_run_group], count: Int
    ) throws {
        let once = (0..<count).map { x in
            var (next, total) = (0, UInt16(groups.count / 2))
            for group in groups {
                var sum: UInt16 = 0
                for (index, run) in runs[next..<next + Int(group.long_runs + group.pixels)].enumerated() {
                    let row = rows[Int(run.row)]
                    sum &+=
                        index < Int(group.long_runs)
                        ? row.sums[Int(run.end) + x] &- row.sums[Int(run.first) + x] : row.values[Int(run.first) + x]
                }
                next += Int(group.long_runs + group.pixels)
                total &+= UInt16((UInt32(sum << group.shift) * UInt32(group.factor)) >> 16)
            }
            return total
        }
        for adds in [false, true] {
            unsafe check.expect(once.map { adds ? 7 &+ $0 >> 8 : $0 }, "sum_runs_fixed") { table, memory, out in
                for index in 0..<count { unsafe out[index] = 7 }
                let (values, sums) = unsafe (memory.rows(rows.map { $0.values }), memory.rows(rows.map { $0.sums }))
                unsafe values.withUnsafeBufferPointer { values in
                    unsafe sums.withUnsafeBufferPointer { sums in
                        unsafe table.sum_runs_fixed(
                            values.baseAddress, sums.baseAddress, runs, groups, Int32(groups.count), out, adds ? 1 : 0,
                            Int32(count))
                    }
                }
            }
        }
    }

    /// Compares sums of columns with the formula: a kernel of 5 columns and 3 rows, whose columns have two kernels in turn.
    private static func checkColumns(_ check: inout KernelCheck, _ grid: [[UInt8]], pixels: Int, channels: Int) {
        let (count, width) = (pixels * channels, (pixels + 4) * channels)
        let stride = (width + 63) / 32 * 32
        let factors: [[UInt32]] = [[900, 70], [300]]
        func sum(_ y: Int, _ x: Int, _ reach: Int) -> UInt32 {
            (1 - reach...1 + reach).reduce(0) { $0 + UInt32(grid[y + $1][x]) } << 6
        }
        let expected = (0..<2 * count).map { index -> UInt16 in
            let (y, x) = (index / count, index % count)
            var total: UInt16 = 4
            for column in 0..<5 {
                for (reach, factor) in factors[column % 2].enumerated() {
                    total += UInt16((sum(y, x + column * channels, reach) * factor) >> 16)
                }
            }
            return total
        }
        let runs = [
            frost_run(row: 0, first: Int32(stride), end: Int32(2 * stride)),
            frost_run(row: 0, first: 0, end: Int32(3 * stride)),
        ]
        let terms = [
            frost_column_term(run: 0, factor: 900, is_last: 0), frost_column_term(run: 1, factor: 70, is_last: 1),
            frost_column_term(run: 0, factor: 300, is_last: 1),
        ]
        let columns = (0..<5).map { Int32($0 % 2 * stride + $0 * channels) }
        unsafe check.expect(expected, "sum_columns") { table, memory, out in
            let rows: [UnsafePointer<UInt8>?] = unsafe memory.rows(Array(grid[..<4]))
            let prefix: UnsafeMutablePointer<UInt16> = unsafe memory.blank(5 * stride).row
            let sums: UnsafeMutablePointer<UInt16> = unsafe memory.blank(2 * stride).row
            let result: UnsafeMutablePointer<UInt16> = unsafe memory.blank(2 * stride).row
            unsafe rows.withUnsafeBufferPointer { rows in
                unsafe runs.withUnsafeBufferPointer { runs in
                    unsafe terms.withUnsafeBufferPointer { terms in
                        unsafe columns.withUnsafeBufferPointer { columns in
                            var list = unsafe frost_columns()
                            unsafe (list.rows, list.row_count, list.width) = (rows.baseAddress, 4, Int32(width))
                            unsafe (list.runs, list.run_count) = (runs.baseAddress, 2)
                            unsafe (list.terms, list.term_count) = (terms.baseAddress, 3)
                            unsafe (list.columns, list.column_count) = (columns.baseAddress, 5)
                            unsafe (list.shift, list.constant) = (6, 4)
                            unsafe (list.prefix, list.sums, list.stride) = (prefix, sums, Int32(stride))
                            unsafe (list.out, list.out_stride) = (result, Int32(stride))
                            unsafe (list.out_count, list.count) = (2, Int32(count))
                            unsafe table.sum_columns(&list)
                        }
                    }
                }
            }
            for index in 0..<2 * count { unsafe out[index] = result[index / count * stride + index % count] }
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
                    weight: values.between(0, 0.01), long_runs: Int32(long), pixels: Int32(single),
                    factor: values.integers(1, upTo: 1 << 13)[0], shift: UInt16(number(2))))
        }
        return (runs, groups)
    }
}
