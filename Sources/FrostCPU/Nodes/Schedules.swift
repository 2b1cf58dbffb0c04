import FrostCore

typealias TapSchedule = PolyphaseTaps

extension PolyphaseTaps {
    /// `n/2 - 1` for a resampling filter of n taps, the radius of a convolution.
    var half: Int { -offset }

    /// The weights where kernels can read them: row 0 for even outputs, row 1 for odd ones.
    var storage: RowStorage {
        let storage = RowStorage(rows: 2, floats: count)
        for t in 0..<count {
            unsafe storage.row(0)[t] = even[t]
            unsafe storage.row(1)[t] = odd[t]
        }
        return storage
    }

    /// The first input cell of output `i`, before any edge rule.
    func firstCell(_ i: Int) -> Int { first(i) }
}

/// Which rows a pass along y needs, and when it can go on.
struct RowSchedule {
    let taps: TapSchedule
    let edge: EdgeMode
    /// The rows that arrive, in this order.
    let input: Range<Int>
    let output: Range<Int>
    /// Rows that must be kept at a time.
    let capacity: Int
    /// For each output row: the last input row that it or an earlier one needs.
    private let ready: [Int]

    /// - Parameter together: how many rows are computed at once, where so many are left.
    init(_ pass: Pass, input: Range<Int>, output: Range<Int>, together: Int = 1) {
        let taps = TapSchedule(pass.operation)
        self.taps = taps
        edge = pass.edge
        self.input = input
        self.output = output
        // Mirror and repeat ask for rows again, or early: what is kept follows from the rows themselves.
        var ready: [Int] = []
        var lowest: [Int] = []
        ready.reserveCapacity(output.count)
        lowest.reserveCapacity(output.count)
        for i in output {
            let first = taps.firstCell(i)
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

    /// Whether output row `row` can be computed once input row `index` is there.
    func isReady(_ row: Int, after index: Int) -> Bool {
        row < output.upperBound && ready[row - output.lowerBound] <= index
    }

    /// How many rows from `row` on to compute at once when input row `index` is there: two if both can be, one if it is
    /// the last, none to wait.
    ///
    /// - Parameter readsAnyRow: input rows need not be there.
    func rowsReady(_ row: Int, after index: Int, readsAnyRow: Bool) -> Int {
        guard isReady(row, after: index) else { return 0 }
        if row + 1 == output.upperBound { return 1 }
        return readsAnyRow || isReady(row + 1, after: index) ? 2 : 0
    }

    /// Where an input row is kept, in a ring of ``capacity`` rows.
    func place(_ index: Int) -> Int { (index - input.lowerBound) % capacity }

    /// The input row under tap `t` of an output row; nil for transparent black.
    func row(_ t: Int, of row: Int) -> Int? {
        let index = taps.firstCell(row) + t
        return input.contains(index) ? index : edge.map(index, into: input)
    }
}

/// The cells of a row beyond those that arrive, and what the edge rule puts there.
struct EdgeCells {
    private let outside: [(cell: Int, source: Int?)]

    /// - Parameters:
    ///   - reach: the cells that are read.
    ///   - input: those that arrive. The edge rule is applied to this range.
    init(_ reach: Range<Int>, beyond input: Range<Int>, edge: EdgeMode) {
        outside = reach.filter { !input.contains($0) }.map { ($0, edge.map($0, into: input)) }
    }

    /// Fills them in.
    ///
    /// SAFETY: `pixel` gives the memory of every cell that is read or arrives.
    func fill<Value: BitwiseCopyable>(channels: Int, _ pixel: (Int) -> UnsafeMutablePointer<Value>) {
        let bytes = channels * MemoryLayout<Value>.stride
        for (cell, source) in outside {
            let out = unsafe UnsafeMutableRawPointer(pixel(cell))
            guard let source else {
                unsafe out.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
                continue
            }
            let from = unsafe UnsafeRawPointer(pixel(source))
            if bytes == 8 {
                // Four fixed-point channels, by far the most frequent.
                unsafe out.storeBytes(of: from.loadUnaligned(as: UInt64.self), as: UInt64.self)
            } else {
                unsafe out.copyMemory(from: from, byteCount: bytes)
            }
        }
    }
}
