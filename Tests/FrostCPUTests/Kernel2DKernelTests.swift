import CFrostKernels
import FrostTestSupport
import Testing

@testable import FrostCPU

extension KernelTwins {
    /// Computes one row of a zoom blur, one number at a time.
    ///
    /// - Parameters:
    ///   - rows: the image's rows. The first output pixel lies at (`column`, `row`), and `centre` is relative to it.
    static func zoom(
        _ rows: [[Float]], row: Int, column: Int, centre: (x: Double, y: Double), inward: Float, outward: Float,
        count: Int, channels: Int
    ) -> [Float] {
        (0..<count).flatMap { i -> [Float] in
            let (dx, dy) = (Float(centre.x - Double(i)), Float(centre.y))
            let isAlongRow = abs(dx) >= abs(dy)
            let (d, across) = isAlongRow ? (dx, dy) : (dy, dx)
            let length = abs(d)
            let slope = length > 0 ? across / length : 0
            return (0..<channels).map { c in
                /// Interpolates a sample of the line. The sample lies `k` steps along the line's main axis, either towards
                /// the centre (if `direction` is 1) or away from the centre (if it is -1).
                func sample(_ k: Int, _ direction: Int) -> Float {
                    let place = Float(k) * (direction > 0 ? slope : -slope)
                    let below = Int(place.rounded(.down))
                    let part = place - Float(below)
                    let step = k * (d < 0 ? -direction : direction)
                    let (x, y) = isAlongRow ? (step, below) : (below, step)
                    let first = rows[row + y][(column + i + x) * channels + c]
                    let second =
                        isAlongRow
                        ? rows[row + y + 1][(column + i + x) * channels + c]
                        : rows[row + y][(column + i + x + 1) * channels + c]
                    let difference = (second - first) * part
                    return first + difference
                }
                let own = min(inward * length, 0.5) + min(outward * length, 0.5)
                let pixel = rows[row][(column + i) * channels + c]
                guard own > 0 else { return pixel }
                var sum = pixel * own
                for (reach, direction) in [(inward * length, 1), (outward * length, -1)] {
                    let full = reach >= 0.5 ? Int(reach - 0.5) : 0
                    let rest = reach - (Float(full) + 0.5)
                    var k = 1
                    while k + 3 <= full {
                        let first = sample(k, direction) + sample(k + 1, direction)
                        let second = sample(k + 2, direction) + sample(k + 3, direction)
                        sum = sum + (first + second)
                        k += 4
                    }
                    for k in stride(from: k, through: full, by: 1) { sum = sum + sample(k, direction) }
                    if rest > 0 {
                        let value = sample(full + 1, direction) * rest
                        sum = sum + value
                    }
                }
                return sum / (inward * length + outward * length)
            }
        }
    }
}

extension KernelTwins {
    /// Computes the prefix sums of a row, one number at a time.
    static func prefixSums(_ bytes: [UInt8], step: Int, pixels: Int, channels: Int) -> (
        values: [UInt16], sums: [UInt16]
    ) {
        let values = (0..<pixels * channels).map { UInt16(bytes[$0 * step]) }
        var sums = [UInt16](repeating: 0, count: (pixels + 1) * channels)
        for (index, value) in values.enumerated() { sums[index + channels] = sums[index] &+ value }
        return (values, sums)
    }

    /// Computes the weighted sums of groups of runs, one number at a time.
    static func sumRuns(
        _ values: [[UInt16]], _ runs: [frost_run], _ groups: [frost_run_group], channels: Int, scale: Float,
        adding: [Float]?, count: Int
    ) -> [Float] {
        (0..<count).map { x in
            var (total, rest) = (adding?[x] ?? 0, runs[...])
            for group in groups {
                var sum = 0
                for run in rest.prefix(Int(group.long_runs + group.pixels)) {
                    for place in stride(from: Int(run.first), to: Int(run.end), by: channels) {
                        sum += Int(values[Int(run.row)][place + x])
                    }
                }
                rest = rest.dropFirst(Int(group.long_runs + group.pixels))
                let product = Float(sum) * (group.weight * scale)
                total += product
            }
            return total
        }
    }
}

/// Compares the kernels for 2-D blurs with scalar Swift versions (twins), for every instruction set; see ``KernelTests``.
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
                let expected = KernelTwins.zoom(
                    grid, row: margin, column: margin, centre: (x: centre.0, y: centre.1), inward: inward,
                    outward: outward, count: width, channels: channels)
                unsafe check.expect(expected, "zoom") { table, memory, out in
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
                let expected = KernelTwins.prefixSums(
                    row, step: 1 + index % 2, pixels: width, channels: channels)
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
                let expected = KernelTwins.sumRuns(
                    numbers, runs, groups, channels: channels, scale: scale, adding: before, count: count)
                unsafe check.expect(expected, "sum_runs") { table, memory, out in
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
