import FrostCore

/// Determines which input rows a pass along y needs, and when each of its output rows can be computed.
struct RowDemand {
    let taps: PolyphaseTaps
    let edge: EdgeRule
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
    /// - Parameters:
    ///   - arriving: the maximum number of input rows that arrive together.
    ///   - together: the number of output rows that are computed together. At the end of the image it may be fewer.
    init(_ pass: Pass, input: Range<Int>, output: Range<Int>, arriving: Int, together: Int = 1) {
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
        self.capacity = capacity + arriving - 1
    }

    /// Returns whether output row `row` can be computed after input row `index` has arrived.
    func isReady(_ row: Int, after index: Int) -> Bool {
        row < output.upperBound && ready[row - output.lowerBound] <= index
    }

    /// Returns the output rows, from `row` on, that the caller computes together after input row `index` has arrived: as
    /// many as were given to `init`, or the rest of the output rows. Returns nil if the caller has to wait for more input
    /// rows.
    ///
    /// - Parameter readsAnyRow: whether all input rows can be read at any time, so that they need not have arrived.
    func rowsReady(from row: Int, after index: Int, readsAnyRow: Bool) -> Range<Int>? {
        guard isReady(row, after: index) else { return nil }
        let end = min(row + together, output.upperBound)
        return readsAnyRow || isReady(end - 1, after: index) ? row..<end : nil
    }

    /// Returns the index of an input row in a ring buffer of ``capacity`` rows.
    func place(_ index: Int) -> Int { (index - input.lowerBound) % capacity }

    /// Calls `body` for each of several consecutive rows of the extended image: with the row's number from 0 on, and with
    /// the place in the ring buffer of the input row that stands for it; nil for transparent black.
    @inline(__always) func forEachPlace(_ rows: Range<Int>, _ body: (Int, Int?) -> Void) {
        guard input.contains(rows.lowerBound), rows.upperBound <= input.upperBound else {
            for (i, row) in rows.enumerated() {
                if let row = mapped(row) { body(i, place(row)) } else { body(i, nil) }
            }
            return
        }
        var place = place(rows.lowerBound)
        for i in 0..<rows.count {
            body(i, place)
            place = place + 1 == capacity ? 0 : place + 1
        }
    }

    /// Returns the input row that tap `t` of an output row reads; nil for transparent black.
    func row(_ t: Int, of row: Int) -> Int? { mapped(taps.first(row) + t) }

    /// Returns the input row that stands for a row of the extended image; nil for transparent black.
    func mapped(_ index: Int) -> Int? { input.contains(index) ? index : edge.map(index, into: input) }
}
