import CFrostKernels
import FrostCore

/// The runs of a 2-D kernel, divided into pieces of 1, 2, 4, ... pixels.
struct RunPieces {
    /// For each piece of a run: `row` is its row, counted from the first row that the kernel reads. `level` is the logarithm
    /// of its length: the piece is the sum of 2^level pixels. `offset` is its distance from the row's first pixel under the
    /// kernel, in samples.
    private(set) var list: [(row: Int, level: Int, offset: Int, weight: Float)] = []
    let levels: Int

    init(_ runs: [KernelRun], _ row: RunRow, _ demand: RowDemand) {
        levels = Int.bitWidth - (runs.map(\.count).max() ?? 1).leadingZeroBitCount
        for run in runs {
            var x = run.dx
            for level in (0..<levels).reversed() where run.count >> level & 1 == 1 {
                list.append((run.dy + demand.taps.half, level, row.offset(x), Float(run.weight)))
                x += 1 << level
            }
        }
    }
}

/// Sums of runs in floats.
///
/// All runs of a block of rows share the sums of pieces of 1, 2, 4, ... pixels. A run of n pixels therefore costs at most
/// log n additions, and a value does not depend on where a row or a band begins. A running sum along the row would cost only
/// two additions per run, but adding and subtracting the same floats leaves rounding errors behind.
final class PieceSums: RunSums {
    private let pieces: RunPieces
    private let row: RunRow
    private let taps: Int
    private let kernels: KernelSet
    private let edges: EdgeSamples
    /// The input rows that are kept.
    private let storage: RowStorage
    private let blank: RowStorage
    private let weights: RowStorage
    private let list: RowList
    /// For each row that a block reads, several strips: a strip of sums of 2 pixels, a strip of sums of 4 pixels, and
    /// so on.
    private let sums: RowStorage
    private let pair = RowList(2)

    let inputKind = RowKind.floats
    let strip = 512

    init(_ pieces: RunPieces, _ row: RunRow, _ demand: RowDemand, _ kernels: KernelSet) throws(CPUError) {
        self.pieces = pieces
        self.row = row
        taps = demand.taps.count
        self.kernels = kernels
        edges = row.edges(bytesPerNumber: 4)
        storage = try RowStorage(rows: demand.capacity, floats: row.width * row.channels)
        blank = try RowStorage(rows: 1, floats: row.width * row.channels)
        weights = try RowStorage(rows: 1, floats: pieces.list.count)
        for (index, piece) in pieces.list.enumerated() { unsafe weights.row(0).floats[index] = piece.weight }
        list = RowList(pieces.list.count)
        let rowCount = RunRow.block(taps: taps) + taps - 1
        sums = try RowStorage(rows: rowCount * (pieces.levels - 1), floats: strip + row.halo)
    }

    func inputRow(_ place: Int) -> Row {
        storage.row(place) + 4 * (row.input.lowerBound - row.start) * row.channels
    }

    func accept(_ place: Int) { edges.fill(storage.row(place)) }

    func compute(_ out: RowStorage, rows: Int, from places: [Int?], samples: Range<Int>) {
        let starts = starts(places, samples)
        for row in 0..<rows {
            for (index, piece) in pieces.list.enumerated() {
                list.set(index, starts[(row + piece.row) * pieces.levels + piece.level] + 4 * piece.offset)
            }
            unsafe kernels.table.pointee.weighted_sum(
                list.pointers(), weights.row(0).floats, Int32(pieces.list.count),
                out.row(row).floats + samples.lowerBound, Int32(samples.count))
        }
    }

    /// Returns the start of the strip: for each row that a block reads, in the row itself and in each of its sums of 2, 4, ...
    /// pixels.
    private func starts(_ places: [Int?], _ samples: Range<Int>) -> [Row] {
        let ones: [Float] = [1, 1]
        var starts: [Row] = []
        for (index, place) in places.enumerated() {
            var start = (place.map { storage.row($0) } ?? blank.row(0)) + 4 * (row.firstRead + samples.lowerBound)
            starts.append(start)
            for level in 1..<pieces.levels {
                let sum = sums.row(index * (pieces.levels - 1) + level - 1)
                pair.set(0, start)
                pair.set(1, start + 4 * (1 << (level - 1)) * row.channels)
                let length = samples.count + row.halo - ((1 << level) - 1) * row.channels
                unsafe kernels.table.pointee.weighted_sum(pair.pointers(), ones, 2, sum.floats, Int32(length))
                start = sum
                starts.append(start)
            }
        }
        return starts
    }
}
