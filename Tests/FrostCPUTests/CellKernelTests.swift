import CFrostKernels
import FrostTestSupport
import Testing

@testable import FrostCPU
@testable import FrostCore

/// Compares the kernels for mosaics with sums, copies and roundings in Swift.
struct CellKernelTests {
    @Test("sums, means and copies of cells are exact, also beyond the row", arguments: [1, 2, 3, 4])
    func cells(_ channels: Int) {
        var check = KernelCheck()
        var values = KernelValues(seed: UInt64(channels))
        for (width, level, first) in [(1, 3, -9), (5, 0, 0), (40, 2, -3), (77, 5, -40), (130, 6, 0)] {
            check.context = "width \(width), level \(level), from \(first)"
            let rows = values.rows(3) { $0.bytes(width * channels) }
            let begun = values.integers(width * channels, upTo: 60000)
            for begins in [Int32(0), 1] {
                let sums = begun.indices.map { x in
                    rows.reduce(begins == 1 ? 0 : begun[x]) { $0 + UInt16($1[x]) }
                }
                unsafe check.expect(sums, "cell_sums") { table, memory, out in
                    unsafe out.update(from: begun, count: begun.count)
                    unsafe table.cell_sums(memory.rows(rows), 3, out, Int32(sums.count), begins)
                }
            }
            let count = width >> level + 2
            let means = (0..<count * channels).map { i -> Float in
                let sum = (0..<1 << level).reduce(0) { sum, x in
                    let column = min(max(first + (i / channels) << level + x, 0), width - 1)
                    return sum + Int(begun[column * channels + i % channels])
                }
                return Float(sum) / Float(1 << (level + 1))
            }
            unsafe check.expect(means, "cell_means") { table, memory, out in
                unsafe table.cell_means(
                    memory.row(begun), Int32(first), Int32(width), Int32(level), 1, out, Int32(count),
                    Int32(channels))
            }
            let copies = (0..<width * channels).map { i in
                means[min(max((first + i / channels) >> level, 0), count - 1) * channels + i % channels]
            }
            unsafe check.expect(copies, "cell_copies") { table, memory, out in
                unsafe table.cell_copies(
                    memory.row(means), Int32(count), Int32(level), Int32(first), out, Int32(width), Int32(channels))
            }
        }
    }

    /// `color_settle` rounds a single row. Pixels that several rows share must have the same bytes.
    @Test("rows that share their pixels are rounded as single rows are", arguments: [false, true])
    func dither(_ straight: Bool) throws {
        var check = KernelCheck()
        var values = KernelValues(seed: 7)
        let table = try OffsetTable(Dither(seed: 3))
        let offsets = try table.bytes(channels: 4)
        for width in ColorKernelTests.widths {
            let row = values.wildFloats(4 * width)
            let bytes = try RowStorage(rows: 2, floats: width)
            for stream in [Int32(0), 1] {
                let phase = UInt32(width * 13 % Dither.period)
                check.context = "width \(width), phase \(phase)"
                var settled = row + [Float](repeating: 0, count: RowStorage.slack)
                unsafe KernelSet.all[0].table.pointee.color_settle(
                    &settled, Int32(width), straight ? 1 : 0, 255, table.base, phase)
                unsafe check.expect(settled.prefix(4 * width).map { UInt8($0) }, "dither_bytes") {
                    kernels, memory, out in
                    unsafe kernels.dither_steps(
                        memory.row(row), Int32(width), straight ? 1 : 0, bytes.row(0).bytes, bytes.row(1).bytes)
                    unsafe kernels.dither_bytes(
                        bytes.row(0).bytes, bytes.row(1).bytes, offsets.row(0).bytes, Int32(4 * phase),
                        Int32(4 * Dither.period), out, Int32(4 * width), stream)
                }
            }
        }
    }
}
