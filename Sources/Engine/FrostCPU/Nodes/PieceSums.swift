import CFrostKernels
import FrostCore

/// The runs of a 2-D kernel, divided into pieces of 1, 2, 4, ... pixels.
struct RunPieces {
    /// For each piece of a run: `row` is its row, counted from the first row that the kernel reads. `level` is the logarithm
    /// of its length: the piece is the sum of 2^level pixels. `offset` is its distance from the row's first pixel under the
    /// kernel, in samples.
    private(set) var list: [(row: Int, level: Int, offset: Int, weight: Float)] = []
    let levels: Int

    init(_ runs: [Kernel2D.Run], _ row: RunRow, _ demand: RowDemand) {
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
@safe final class PieceSums: RunSums {
    private let pieces: RunPieces
    private let row: RunRow
    private let taps: Int
    private let kernels: KernelSet
    private let edges: EdgeSamples
    /// The input rows that are kept.
    private let storage: RowStorage
    private let blank: RowStorage
    private let weights: RowStorage
    private let list: RowList<Float>
    /// For each row that a block reads, several strips: a strip of sums of 2 pixels, a strip of sums of 4 pixels, and
    /// so on.
    private let sums: RowStorage
    private let pair = RowList<Float>(2)

    let inputKind = RowKind.floats
    let strip = 512

    init(_ pieces: RunPieces, _ row: RunRow, _ demand: RowDemand, _ kernels: KernelSet) {
        self.pieces = pieces
        self.row = row
        taps = demand.taps.count
        self.kernels = kernels
        edges = row.edges(bytesPerNumber: 4)
        storage = RowStorage(rows: demand.capacity, floats: row.width * row.channels)
        blank = RowStorage(rows: 1, floats: row.width * row.channels)
        weights = RowStorage(rows: 1, floats: pieces.list.count)
        for (index, piece) in pieces.list.enumerated() { unsafe weights.row(0)[index] = piece.weight }
        list = RowList(pieces.list.count)
        sums = RowStorage(rows: (RunsNode.block + taps - 1) * (pieces.levels - 1), floats: strip + row.halo)
    }

    func inputRow(_ place: Int) -> UnsafeMutableRawPointer {
        unsafe UnsafeMutableRawPointer(storage.row(place) + (row.input.lowerBound - row.start) * row.channels)
    }

    func accept(_ place: Int) {
        unsafe edges.fill(UnsafeMutableRawPointer(storage.row(place)))
    }

    func compute(_ out: RowStorage, rows: Int, from places: [Int?], samples: Range<Int>) {
        let table = unsafe kernels.table.pointee
        let starts = unsafe starts(places, samples)
        unsafe starts.withUnsafeBufferPointer { starts in
            unsafe pieces.list.withUnsafeBufferPointer { pieces in
                for row in 0..<rows {
                    for index in 0..<pieces.count {
                        let piece = unsafe pieces[index]
                        unsafe list.set(
                            index, starts[(row + piece.row) * self.pieces.levels + piece.level] + piece.offset)
                    }
                    unsafe table.weighted_sum(
                        list.base, weights.row(0), Int32(pieces.count), out.row(row) + samples.lowerBound,
                        Int32(samples.count))
                }
            }
        }
    }

    /// Returns pointers to the start of the strip: for each row that a block reads, one pointer into the row itself and
    /// one into each of its sums of 2, 4, ... pixels.
    private func starts(_ places: [Int?], _ samples: Range<Int>) -> [UnsafePointer<Float>] {
        let table = unsafe kernels.table.pointee
        let ones: [Float] = [1, 1]
        var starts: [UnsafePointer<Float>] = unsafe []
        for (index, place) in places.enumerated() {
            let stored = unsafe place.map { unsafe storage.row($0) } ?? blank.row(0)
            var start = unsafe UnsafePointer(stored + row.firstRead + samples.lowerBound)
            unsafe starts.append(start)
            for level in 1..<pieces.levels {
                let sum = unsafe sums.row(index * (pieces.levels - 1) + level - 1)
                unsafe pair.set(0, start)
                unsafe pair.set(1, start + (1 << (level - 1)) * row.channels)
                let length = samples.count + row.halo - ((1 << level) - 1) * row.channels
                unsafe ones.withUnsafeBufferPointer { ones in
                    unsafe table.weighted_sum(pair.base, ones.baseAddress, 2, sum, Int32(length))
                }
                unsafe start = unsafe UnsafePointer(sum)
                unsafe starts.append(start)
            }
        }
        return unsafe starts
    }
}
