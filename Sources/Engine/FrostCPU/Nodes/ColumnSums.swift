import CFrostKernels
import FrostCore

/// Sums of discs in fixed point, for 8-bit images without straight alpha.
///
/// The weights of a disc's column fall from its middle to its ends, so a column is a sum of runs around the middle. Prefix sums
/// along y give the sum of a run as a difference of two rows. These reads are aligned, and columns at the same distance from the
/// middle share their sums. A pixel then adds one sum for each column.
final class ColumnSums: RunSums {
    private let kernel: KernelColumns
    private let row: RunRow
    private let kernels: KernelSet
    private let edges: EdgeSamples
    private let arriving: RowStorage
    private let blank: RowStorage
    private let rows: RowList
    private let prefix: RowStorage
    private let sums: RowStorage
    private var runs: [frost_run] = []
    private var terms: [frost_column_term] = []
    private let columns: [Int32]

    let inputKind = RowKind.bytes
    let strip = 512

    init(_ kernel: KernelColumns, _ row: RunRow, _ demand: RowDemand, _ kernels: KernelSet) throws(CPUError) {
        self.kernel = kernel
        self.row = row
        self.kernels = kernels
        edges = row.edges(bytesPerNumber: 1)
        let samples = row.width * row.channels
        arriving = try RowStorage(rows: demand.capacity, floats: (samples + 3) / 4)
        blank = try RowStorage(rows: 1, floats: (samples + 3) / 4)
        let taps = demand.taps.count
        let rowCount = RunRow.block(taps: taps) + taps - 1
        rows = RowList(rowCount)
        prefix = try RowStorage(rows: rowCount + 1, fixed: strip + row.halo)
        sums = try RowStorage(rows: kernel.kernels.count, fixed: strip + row.halo)
        let stride = sums.bytesPerRow / 2
        for reach in 0...taps / 2 {
            runs.append(
                frost_run(
                    row: 0, first: Int32((taps / 2 - reach) * stride), end: Int32((taps / 2 + reach + 1) * stride)))
        }
        for list in kernel.kernels {
            for (index, term) in list.enumerated() {
                terms.append(
                    frost_column_term(
                        run: UInt16(term.reach), factor: UInt16(term.factor.rounded()),
                        is_last: index == list.count - 1 ? 1 : 0))
            }
        }
        columns = kernel.columns.enumerated().map { Int32($1 * stride + $0 * row.channels) }
    }

    func inputRow(_ place: Int) -> Row {
        arriving.row(place) + (row.input.lowerBound - row.start) * row.channels
    }

    func accept(_ place: Int) { edges.fill(arriving.row(place)) }

    func compute(_ out: RowStorage, rows: Int, from places: [Int?], samples: Range<Int>) {
        for (index, place) in places.enumerated() {
            self.rows.set(index, (place.map { arriving.row($0) } ?? blank.row(0)) + row.firstRead + samples.lowerBound)
        }
        unsafe runs.withUnsafeBufferPointer { runs in
            unsafe terms.withUnsafeBufferPointer { terms in
                unsafe columns.withUnsafeBufferPointer { columns in
                    var list = unsafe frost_columns()
                    unsafe list.rows = self.rows.pointers()
                    unsafe (list.row_count, list.width) = (Int32(places.count), Int32(samples.count + row.halo))
                    unsafe (list.runs, list.run_count) = (runs.baseAddress, Int32(runs.count))
                    unsafe (list.terms, list.term_count) = (terms.baseAddress, Int32(terms.count))
                    unsafe (list.columns, list.column_count) = (columns.baseAddress, Int32(columns.count))
                    unsafe (list.shift, list.constant) = (UInt16(kernel.shift), UInt16(kernel.constant))
                    unsafe (list.prefix, list.sums) = (prefix.row(0).fixed, sums.row(0).fixed)
                    unsafe list.stride = Int32(sums.bytesPerRow / 2)
                    unsafe list.out = (out.row(0) + 2 * samples.lowerBound).fixed
                    unsafe list.out_stride = Int32(out.bytesPerRow / 2)
                    unsafe (list.out_count, list.count) = (Int32(rows), Int32(samples.count))
                    unsafe kernels.table.pointee.sum_columns(&list)
                }
            }
        }
    }
}
