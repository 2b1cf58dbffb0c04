import CFrostKernels
import FrostCore

/// Sums of runs in integers, for 8-bit images.
///
/// Each row of bytes is kept as prefix sums: the sum of a run is the difference of two of them. All sums are exact, wherever
/// a row or a band begins, because integers that wrap around leave no rounding errors behind. Single pixels are added from
/// the row itself.
///
/// Premultiplied colours of straight pixels are fixed-point numbers of 16 bits. Their high and low bytes are summed
/// separately. The low bytes of opaque rows are 0, and are skipped if all rows under the kernel are opaque.
final class IntegerSums: RunSums {
    private let groups: RunList
    private let row: RunRow
    private let kernels: KernelSet
    private let edges: EdgeSamples
    private let arriving: RowStorage
    private let high: PrefixRows
    /// The sums of low bytes, and a row of premultiplied colours; nil if alpha is not straight.
    private let low: PrefixRows?
    private let premultiplied: RowStorage?
    /// For each place, whether the row has low bytes that are not 0.
    private var hasLow: [Bool]

    let inputKind = RowKind.bytes
    let strip: Int

    /// - Parameter kind: the kind of the sums.
    init(
        _ groups: RunGroups, straight: Bool, kind: RowKind, _ row: RunRow, _ demand: RowDemand, _ kernels: KernelSet
    ) throws(CPUError) {
        self.groups = RunList(groups, kind: kind, row, demand)
        strip = RunRow.strip(taps: demand.taps.count)
        self.row = row
        self.kernels = kernels
        edges = row.edges(bytesPerNumber: 1)
        let samples = row.width * row.channels
        arriving = try RowStorage(rows: 1, floats: (samples + 3) / 4)
        high = try PrefixRows(row, demand)
        low = try straight ? PrefixRows(row, demand) : nil
        premultiplied = try straight ? RowStorage(rows: 1, fixed: samples) : nil
        hasLow = Array(repeating: false, count: demand.capacity)
    }

    private func arriving(_ column: Int) -> Row { arriving.row(0) + (column - row.start) * row.channels }

    func inputRow(_ place: Int) -> Row { arriving(row.input.lowerBound) }

    func accept(_ place: Int) {
        let bytes = arriving(row.start)
        edges.fill(bytes)
        guard let low, let premultiplied, !isOpaque else {
            hasLow[place] = false
            return high.set(place, bytes, step: 1, kernels)
        }
        hasLow[place] = true
        let words = premultiplied.row(0)
        unsafe kernels.table.pointee.fixed_load_rgba8(bytes.bytes, words.fixed, Int32(row.width * row.channels))
        // The bytes of a number are in little-endian order.
        low.set(place, words, step: 2, kernels)
        high.set(place, words + 1, step: 2, kernels)
    }

    private var isOpaque: Bool {
        let row = arriving(row.input.lowerBound)
        return unsafe kernels.table.pointee.is_opaque_rgba8(row.bytes, Int32(self.row.input.count * 4)) != 0
    }

    func compute(_ out: RowStorage, rows: Int, from places: [Int?], samples: Range<Int>) {
        let from = row.firstRead + samples.lowerBound
        high.prepare(places.map { ($0, from) })
        let readsLow = places.contains { $0.map { hasLow[$0] } ?? false }
        if readsLow { low?.prepare(places.map { place in (place.flatMap { hasLow[$0] ? $0 : nil }, from) }) }
        for index in 0..<rows {
            let out = out.row(index) + groups.kind.size * samples.lowerBound
            high.sum(groups, from: index, isLow: false, out, samples.count, kernels)
            if readsLow { low?.sum(groups, from: index, isLow: true, out, samples.count, kernels) }
        }
    }
}

/// Rows of bytes as 16-bit numbers and as prefix sums.
private final class PrefixRows {
    private let row: RunRow
    private let values: RowStorage
    private let sums: RowStorage
    private let blank: RowStorage
    private let valueRows: RowList
    private let sumRows: RowList

    init(_ row: RunRow, _ demand: RowDemand) throws(CPUError) {
        self.row = row
        let count = (row.width + 1) * row.channels
        values = try RowStorage(rows: demand.capacity, fixed: count)
        sums = try RowStorage(rows: demand.capacity, fixed: count)
        blank = try RowStorage(rows: 1, fixed: count)
        valueRows = RowList(RunRow.block(taps: demand.taps.count) + demand.taps.count - 1)
        sumRows = RowList(RunRow.block(taps: demand.taps.count) + demand.taps.count - 1)
    }

    func set(_ place: Int, _ bytes: Row, step: Int, _ kernels: KernelSet) {
        unsafe kernels.table.pointee.prefix_sums(
            bytes.bytes, Int32(step), values.row(place).fixed, sums.row(place).fixed, Int32(row.width),
            Int32(row.channels))
    }

    /// Lists the rows to read, each from a sample on; nil is a row of zeros.
    func prepare(_ places: [(place: Int?, from: Int)]) {
        for (index, (place, from)) in places.enumerated() {
            valueRows.set(index, (place.map { values.row($0) } ?? blank.row(0)) + 2 * from)
            sumRows.set(index, (place.map { sums.row($0) } ?? blank.row(0)) + 2 * from)
        }
    }

    /// Computes the weighted sums of runs from row `first` of the list on. Those of low bytes are added to the sums of high
    /// bytes.
    func sum(_ list: RunList, from first: Int, isLow: Bool, _ out: Row, _ count: Int, _ kernels: KernelSet) {
        let table = unsafe kernels.table.pointee
        if list.kind == .fixed {
            unsafe table.sum_runs_fixed(
                valueRows.pointers(from: first), sumRows.pointers(from: first), list.runs, list.groups,
                Int32(list.groups.count), out.fixed, isLow ? 1 : 0, Int32(count))
        } else {
            unsafe table.sum_runs(
                valueRows.pointers(from: first), sumRows.pointers(from: first), list.runs, list.groups,
                Int32(list.groups.count), isLow ? 1 / 256 : 1, out.floats, isLow ? 1 : 0, Int32(count))
        }
    }
}

/// Groups of runs as the kernels read them.
private struct RunList {
    private(set) var groups: [frost_run_group] = []
    /// The runs of all groups. Positions count from the first sample that is read.
    private(set) var runs: [frost_run] = []
    let kind: RowKind

    init(_ groups: RunGroups, kind: RowKind, _ row: RunRow, _ demand: RowDemand) {
        self.kind = kind
        for group in groups.groups {
            self.groups.append(
                frost_run_group(
                    weight: group.weight, long_runs: Int32(group.long.count), pixels: Int32(group.single.count),
                    factor: kind == .fixed ? UInt16(group.factor.rounded()) : 0, shift: UInt16(group.shift)))
            runs += (group.long + group.single).map { run in
                frost_run(
                    row: Int32(run.dy + demand.taps.half), first: Int32(row.offset(run.dx)),
                    end: Int32(row.offset(run.dx + run.count)))
            }
        }
    }
}
