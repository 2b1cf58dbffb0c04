import FrostCore

/// Determines which input rows a pass along y needs, and when each of its output rows can be computed.
struct RowDemand {
    let taps: PolyphaseTaps
    let edge: EdgeMode
    /// The input rows, in the order in which they arrive.
    let input: Range<Int>
    let output: Range<Int>
    /// The maximum number of input rows that must be kept at the same time.
    let capacity: Int
    /// The number of output rows that are computed together.
    private let together: Int
    /// For each output row, the last input row that is needed by this output row or by an earlier one.
    private let ready: [Int]

    /// Computes which input rows a pass along y needs for each output row.
    ///
    /// - Parameter together: the number of output rows that are computed together. At the end of the image it may be
    ///   fewer.
    init(_ pass: Pass, input: Range<Int>, output: Range<Int>, together: Int = 1) {
        let taps = PolyphaseTaps(pass.operation)
        self.taps = taps
        edge = pass.edge
        self.input = input
        self.output = output
        self.together = together
        // At the edges of an image, output rows may read input rows in another order: a mirrored or repeated row may be
        // needed again later, or before its neighbours. The number of rows to keep is therefore computed from the input
        // rows that each output row reads.
        var ready: [Int] = []
        var lowest: [Int] = []
        ready.reserveCapacity(output.count)
        lowest.reserveCapacity(output.count)
        for i in output {
            let first = taps.first(i)
            let last = first + taps.count - 1
            var rows = (low: first, high: last)
            if !input.contains(first) || !input.contains(last) {
                let mapped = (first...last).compactMap { pass.edge.map($0, into: input) }
                rows = (mapped.min() ?? input.upperBound, mapped.max() ?? input.lowerBound)
            }
            lowest.append(rows.low)
            ready.append(max(ready.last ?? input.lowerBound, rows.high))
        }
        var keep = input.upperBound
        var capacity = 1
        for i in lowest.indices.reversed() {
            keep = min(keep, lowest[i])
            capacity = max(capacity, ready[min(i + together, ready.count) - 1] - keep + 1)
        }
        self.ready = ready
        self.capacity = capacity
    }

    /// Returns whether output row `row` can be computed after input row `index` has arrived.
    func isReady(_ row: Int, after index: Int) -> Bool {
        row < output.upperBound && ready[row - output.lowerBound] <= index
    }

    /// Returns how many output rows, from `row` on, the caller computes together after input row `index` has arrived: as
    /// many as were given to `init`, or the rest of the output rows. The number is 0 if the caller has to wait for more
    /// input rows.
    ///
    /// - Parameter readsAnyRow: whether all input rows can be read at any time, so that they need not have arrived.
    func rowsReady(_ row: Int, after index: Int, readsAnyRow: Bool) -> Int {
        guard isReady(row, after: index) else { return 0 }
        let count = min(together, output.upperBound - row)
        return readsAnyRow || isReady(row + count - 1, after: index) ? count : 0
    }

    /// Returns the index of an input row in a ring buffer of ``capacity`` rows.
    func place(_ index: Int) -> Int { (index - input.lowerBound) % capacity }

    /// Returns the input row that tap `t` of an output row reads; nil for transparent black.
    func row(_ t: Int, of row: Int) -> Int? { mapped(taps.first(row) + t) }

    /// Returns the input row that stands for a row of the extended image; nil for transparent black.
    func mapped(_ index: Int) -> Int? { input.contains(index) ? index : edge.map(index, into: input) }
}
