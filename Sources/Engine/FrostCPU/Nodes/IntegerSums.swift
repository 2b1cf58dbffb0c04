import CFrostKernels
import FrostCore

/// The runs of a 2-D kernel in groups that have the same weight. The sum of a group is an integer, and exact.
struct RunGroups {
    private(set) var groups: [frost_run_group] = []
    /// The runs of all groups. Positions count from the first sample that is read.
    private(set) var runs: [frost_run] = []

    /// The maximum number of pixels in a group: a sum of so many bytes is below 2^16.
    private static let limit = 257

    init(_ runs: [Kernel2D.Run], _ row: RunRow, _ demand: RowDemand) {
        // Dictionaries have no order, so the order of the runs decides the order of the groups, and so that of the sums.
        var order: [Float] = []
        var byWeight: [Float: [Kernel2D.Run]] = [:]
        for run in runs {
            let weight = Float(run.weight)
            if byWeight[weight] == nil { order.append(weight) }
            for first in stride(from: 0, to: run.count, by: Self.limit) {
                let part = Kernel2D.Run(
                    dx: run.dx + first, dy: run.dy, count: min(Self.limit, run.count - first), weight: run.weight)
                byWeight[weight, default: []].append(part)
            }
        }
        for weight in order {
            var rest = (byWeight[weight] ?? [])[...]
            while !rest.isEmpty {
                var pixels = 0
                let group = rest.prefix { run in
                    pixels += run.count
                    return pixels <= Self.limit
                }
                rest = rest.dropFirst(group.count)
                let (long, single) = (group.filter { $0.count > 1 }, group.filter { $0.count == 1 })
                groups.append(
                    frost_run_group(weight: weight, long_runs: Int32(long.count), pixels: Int32(single.count)))
                self.runs += (long + single).map { run in
                    frost_run(
                        row: Int32(run.dy + demand.taps.half), first: Int32(row.offset(run.dx)),
                        end: Int32(row.offset(run.dx + run.count)))
                }
            }
        }
    }

    /// The number of instructions for a vector of 16-bit sums, in units of an addition from memory. The sum of a group is
    /// converted to floats, which are twice as long, and multiplied by the weight; this takes as long as eight additions.
    var cost: Int { groups.reduce(0) { $0 + 2 * Int($1.long_runs) + Int($1.pixels) + 8 } }
}

/// Sums of runs in integers, for 8-bit images.
///
/// Each row of bytes is kept as prefix sums: the sum of a run is the difference of two of them. All sums are exact, wherever
/// a row or a band begins, because integers that wrap around leave no rounding errors behind. Single pixels are added from
/// the row itself.
///
/// Premultiplied colours of straight pixels are fixed-point numbers of 16 bits. Their high and low bytes are summed
/// separately. The low bytes of opaque rows are 0, and are skipped if all rows under the kernel are opaque.
final class IntegerSums: RunSums {
    private let groups: RunGroups
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
    let strip = 512

    init(_ groups: RunGroups, straight: Bool, _ row: RunRow, _ demand: RowDemand, _ kernels: KernelSet) {
        self.groups = groups
        self.row = row
        self.kernels = kernels
        edges = row.edges(bytesPerNumber: 1)
        let samples = row.width * row.channels
        arriving = RowStorage(rows: 1, floats: (samples + 3) / 4)
        high = PrefixRows(row, demand)
        low = straight ? PrefixRows(row, demand) : nil
        premultiplied = straight ? RowStorage(rows: 1, fixed: samples) : nil
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
            let out = out.row(index) + 4 * samples.lowerBound
            high.sum(groups, from: index, scale: 1, out, adds: false, samples.count, kernels)
            if readsLow { low?.sum(groups, from: index, scale: 1 / 256, out, adds: true, samples.count, kernels) }
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

    init(_ row: RunRow, _ demand: RowDemand) {
        self.row = row
        let count = (row.width + 1) * row.channels
        values = RowStorage(rows: demand.capacity, fixed: count)
        sums = RowStorage(rows: demand.capacity, fixed: count)
        blank = RowStorage(rows: 1, fixed: count)
        valueRows = RowList(RunsNode.block + demand.taps.count - 1)
        sumRows = RowList(RunsNode.block + demand.taps.count - 1)
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

    /// Computes the weighted sums of runs from row `first` of the list on.
    func sum(
        _ groups: RunGroups, from first: Int, scale: Float, _ out: Row, adds: Bool, _ count: Int, _ kernels: KernelSet
    ) {
        unsafe kernels.table.pointee.sum_runs(
            valueRows.pointers(from: first), sumRows.pointers(from: first), groups.runs, groups.groups,
            Int32(groups.groups.count), scale, out.floats, adds ? 1 : 0, Int32(count))
    }
}
