import CFrostKernels
import FrostTestSupport
import Testing

@testable import FrostCPU
@testable import FrostCore

/// The kernel that makes some pixels again, against what its steps make of all of them.
@Suite struct MendKernelTests {
    /// What alpha is, and the bytes of a pixel.
    static let formats: [(alpha: Int32, bytes: Int)] = [
        (0, 4), (Int32(FROST_ALPHA_KEEPS_OPAQUE), 4), (Int32(FROST_ALPHA_KEEPS_OPAQUE | FROST_ALPHA_STRAIGHT), 4),
        (Int32(FROST_ALPHA_OPAQUE), 3), (Int32(FROST_ALPHA_KEEPS_OPAQUE), 3),
    ]

    @Test("pixels that are made again, and none beside them", arguments: formats.indices)
    func mends(_ format: Int) throws {
        var check = KernelCheck(placements: [Placement.all[format], Placement.all[7 - format]])
        var values = KernelValues(seed: UInt64(format))
        let (alpha, size) = Self.formats[format]
        let stages = try EffectCatalog.effect("material-chrome-dark").make().outputStages.stages
        let fixed = try #require(FixedOutputStages(OutputStages(inside: stages)))
        let dither = Dither(seed: 2)
        let steps = FixedSteps(
            fixed, alpha: alpha, offsets: OffsetTable(dither, add: fixed.add), kernels: .best)
        // Far from one another, near, and longer than the kernel makes at a time.
        let lists: [[Range<Int>]] = [
            [0..<1], [1..<4, 40..<41], [0..<3, 5..<6, 12..<15], [2..<75, 80..<150], [0..<150],
        ]
        for (n, secondN, half, secondHalf) in [(2, 2, 1, 1), (2, 2, 0, 1), (3, 2, 0, 0), (4, 5, 1, 0)] {
            let taps = [FixedKernelTests.weights(n, &values), FixedKernelTests.weights(secondN, &values)]
            let pairs = 151
            // One cell before cell 0 is read where the first doubling begins with the second of a pair.
            let skipX = half == 0 ? 0 : 1
            for skipY in 0...1 {
                let cells = values.rows((skipY + secondN + 1) / 2 + n - 1) {
                    CellKernelTests.cells((skipX + pairs + secondN) / 2 + n - 1, &$0)
                }
                let made = FixedTwins.doubleTwice(cells, taps, skip: (skipX, skipY), pairs: pairs)
                // The first column is the first of its pair, or the second.
                for columns in [secondHalf..<2 * pairs, secondHalf + 1..<2 * pairs - 5] {
                    for runs in lists {
                        check.context = "\(n), \(secondN) cells, \(half), \(secondHalf), \(skipY), \(columns), \(runs)"
                        let before = values.bytes(size * columns.count)
                        let phases: [UInt32] = [77, 250]
                        let rows = [made.above, made.below].enumerated().map { row, numbers in
                            var bytes = before
                            let shown = ColorTwins.finish(
                                Array(numbers[(4 * (columns.lowerBound - secondHalf))...]), fixed.stages,
                                add: fixed.add, alpha: alpha, dither: dither.offsets, phase: Int(phases[row]))
                            for x in columns where runs.contains(where: { $0.contains((x - secondHalf) >> 1) }) {
                                let i = x - columns.lowerBound
                                for c in 0..<size { bytes[size * i + c] = shown[4 * i + c] }
                            }
                            return bytes
                        }
                        var how = unsafe frost_mending(
                            doublings: frost_doublings(taps.map { Doubling(taps: $0, half: 0) }),
                            half: (Int32(half), Int32(secondHalf)), finish: steps.value,
                            first_column: Int32(columns.lowerBound), end_column: Int32(columns.upperBound),
                            pixel_bytes: Int32(size))
                        let list = RunList(runs.count, from: 0)
                        for run in runs { list.append(run) }
                        for (row, expected) in rows.enumerated() {
                            unsafe check.expect(expected, "fixed_mend, row \(row)") {
                                (kernels: frost_kernels, memory: KernelMemory, out: UnsafeMutablePointer<UInt8>) in
                                let given = RowList<UInt16>(cells.count)
                                for (t, cells) in cells.enumerated() {
                                    unsafe given.set(t, memory.row(cells) + 4 * skipX)
                                }
                                unsafe out.update(from: before, count: before.count)
                                let other: UnsafeMutablePointer<UInt8>? =
                                    unsafe skipY == 0 ? memory.blank(before.count).row : nil
                                unsafe kernels.fixed_mend(
                                    given.base, Int32(skipY), &how, list.base, row == 0 ? out : other,
                                    row == 0 ? other : out, phases[0], phases[1])
                            }
                        }
                    }
                }
            }
        }
    }
}
