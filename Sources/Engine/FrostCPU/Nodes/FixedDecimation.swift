import CFrostKernels
import FrostCore

/// A node that decimates along y and then along x to half the resolution, in fixed point. It reads the bytes of the
/// image directly, or rows that arrive.
///
/// Straight RGBA is read directly if all pixels of the rows that an output row reads are opaque. Otherwise the rows are
/// premultiplied first. Both ways compute the same bits for opaque pixels, so the result does not depend on how the image
/// is divided.
final class FixedDecimation: FlowNode {
    private let following: any FlowNode
    let inputKind: RowKind
    private let demand: RowDemand
    private let kernels: KernelSet
    private let channels: Int
    private let taps: Int
    let inputColumns: Range<Int>
    private let output: Range<Int>
    /// The results of the pass along y, for two output rows. Two rows are computed together because they read mostly
    /// the same rows.
    private let sums: EvenOddRows
    private let edges: EdgeSamples
    private let reach: Range<Int>
    let rowsTogether: Int
    /// The rows that have arrived, or that were premultiplied; nil if all rows are read from `source`.
    private let ring: RowStorage?
    /// For straight RGBA, what is known of the rows in each place of the ring.
    private var known: [KnownRow]
    private let blank: RowStorage
    /// The image whose bytes are read; nil if rows arrive.
    private var source: ImageRows?
    /// Whether `source` has straight alpha.
    private let isStraight: Bool
    /// The even and then the odd pixels of both rows of `sums`.
    private let parts = RowList(4)
    private let bytes: RowList
    private let numbers: RowList
    private var next = 0

    /// Creates a node for a pass along y and a pass along x.
    init(y: Pass, x: Pass, _ request: NodeRequest) throws(CPUError) {
        following = request.following
        kernels = request.kernels
        channels = request.channels
        output = request.columns
        inputColumns = request.columnsRead(x)
        let isImage = request.isFirst && y.from == .source
        let kind = isImage ? request.plan.arithmetic.arriving : .fixed
        inputKind = kind
        if isImage, case .image(let image, let conversion, nil)? = request.input, let bytes = conversion.directKind {
            source = image
            isStraight = bytes == .straightRGBA
        } else {
            source = nil
            isStraight = false
        }
        rowsTogether = request.rowsArriving(bytes: inputColumns.count * channels * kind.size)
        demand = request.demand(y, arriving: rowsTogether, together: 2)
        taps = demand.taps.count
        reach = x.operation.reach(of: output)
        let all = min(reach.lowerBound, inputColumns.lowerBound)..<max(reach.upperBound, inputColumns.upperBound)
        sums = try EvenOddRows(2, all, channels: channels)
        edges = EdgeSamples(
            reach, outside: inputColumns, edge: x.edge, bytesPerSample: 2 * channels, place: sums.offset)
        let floats = (inputColumns.count * channels * kind.size + 3) / 4
        let keepsRows = source == nil || isStraight
        ring = try keepsRows ? RowStorage(rows: demand.capacity, floats: floats, zeroed: false) : nil
        known = [KnownRow](repeating: KnownRow(), count: isStraight ? demand.capacity : 0)
        blank = try RowStorage(rows: 1, floats: floats)
        bytes = RowList(kind == .bytes || isStraight ? taps + 2 + Self.ahead : 0)
        numbers = RowList(kind == .bytes ? 0 : taps)
    }

    var inputRows: Range<Int> { demand.input }
    var readsDirectly: Bool { source != nil }

    func inputRow(_ index: Int) -> Row { ring?.row(demand.place(index)) ?? blank.row(0) }

    func start(_ memory: CallerMemory) {
        next = demand.output.lowerBound
        for place in known.indices { known[place] = KnownRow() }
        if let pixels = unsafe memory.source { unsafe source?.read(pixels) }
    }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        // The rows that have been written and that the following node has not accepted yet.
        var written = next..<next
        while let ready = demand.rowsReady(from: next, after: rows.upperBound - 1, readsAnyRow: source != nil) {
            if inputKind == .bytes || (isStraight && areOpaque(taps + 2 * (ready.count - 1))) {
                sumBytes(ready.count)
            } else {
                sumNumbers(ready.count)
            }
            for index in ready {
                let row = index - ready.lowerBound
                if written.count == following.rowsTogether {
                    try following.accept(written)
                    written = index..<index
                }
                edges.fill(sums.base(of: row))
                let (first, second) = sums.pair(reach.lowerBound, of: row)
                unsafe kernels.table.pointee.fixed_decimate_row(
                    first.fixed, second.fixed, Int32(taps), following.inputRow(index).fixed, Int32(output.count),
                    Int32(channels))
                written = written.lowerBound..<index + 1
            }
            next = ready.upperBound
        }
        if !written.isEmpty { try following.accept(written) }
    }

    /// The number of input rows that the next two output rows read but the current two output rows do not read.
    private static let ahead = 4

    /// Computes the pass along y for bytes, and stores the result in `sums`.
    private func sumBytes(_ count: Int) {
        let read = taps + 2 * (count - 1)
        // If the bytes are read directly from the image, the rows of the next call are prefetched. After the last rows
        // of a band nothing reads the prefetched rows, but prefetching does no harm.
        let ahead = source != nil && count == 2 ? Self.ahead : 0
        let first = demand.taps.first(next)
        for t in 0..<read + ahead {
            bytes.set(t, demand.mapped(first + t).flatMap { arrived($0) } ?? blank.row(0))
        }
        let bias = isStraight ? Self.bias(taps) : 0
        for row in 0..<2 {
            let (even, odd) = sums.pair(inputColumns.lowerBound, of: row)
            parts.set(row, even)
            parts.set(2 + row, odd)
        }
        unsafe kernels.table.pointee.fixed_decimate_bytes(
            bytes.pointers(), Int32(taps), parts.pointers(), parts.pointers(from: 2), Int32(count), Int32(ahead),
            source?.end?.bytes, Int32(bias), Int32(inputColumns.count), Int32(channels))
    }

    private func sumNumbers(_ count: Int) {
        for row in 0..<count {
            let start = demand.taps.first(next + row)
            for t in 0..<taps {
                let row = demand.mapped(start + t).flatMap { isStraight ? premultiplied($0) : arrived($0) }
                numbers.set(t, row ?? blank.row(0))
            }
            let (first, second) = sums.pair(inputColumns.lowerBound, of: row)
            unsafe kernels.table.pointee.fixed_decimate_rows(
                numbers.pointers(), Int32(taps), first.fixed, second.fixed, Int32(inputColumns.count), Int32(channels))
        }
    }

    /// Returns an input row that has arrived, or a row of the source; nil for transparent black.
    private func arrived(_ index: Int) -> Row? {
        if let source { return source.row(index, from: inputColumns.lowerBound) }
        return inputRow(index)
    }
}

// Straight RGBA that is read from the source.
extension FixedDecimation {
    /// What is known of a row of the source: the row's index, whether all of its pixels are opaque, and whether it has been
    /// premultiplied.
    private struct KnownRow {
        var index: Int?
        var isOpaque = false
        var isPremultiplied = false
    }

    /// The constant that sums of fixed-point numbers contain, and sums of bytes do not.
    static func bias(_ taps: Int) -> Int { taps > 4 ? taps / 4 : 0 }

    /// Returns whether all pixels of the first `count` rows that the next output rows read are opaque. Rows of transparent
    /// black count as opaque, because both ways sum them exactly.
    private func areOpaque(_ count: Int) -> Bool {
        for t in 0..<count {
            guard let index = demand.row(t, of: next), let row = arrived(index) else { continue }
            let place = demand.place(index)
            if known[place].index != index {
                let isOpaque = unsafe kernels.table.pointee.is_opaque_rgba8(
                    row.bytes, Int32(inputColumns.count * channels))
                known[place] = KnownRow(index: index, isOpaque: isOpaque != 0)
            }
            if !known[place].isOpaque { return false }
        }
        return true
    }

    /// Returns a row of the source in fixed point; nil for transparent black.
    private func premultiplied(_ index: Int) -> Row? {
        guard let row = arrived(index) else { return nil }
        let place = demand.place(index)
        let out = inputRow(index)
        if known[place].index != index || !known[place].isPremultiplied {
            if known[place].index != index { known[place] = KnownRow(index: index) }
            unsafe kernels.table.pointee.fixed_load_rgba8(
                row.bytes, out.fixed, Int32(inputColumns.count * channels))
            known[place].isPremultiplied = true
        }
        return out
    }
}

/// Rows of pixels, each in two rows of memory. Even and odd pixels are separate, so that decimating filters read and write
/// whole vectors.
struct EvenOddRows {
    private let rows: RowStorage
    private let start: Int
    private let channels: Int

    init(_ count: Int, _ pixels: Range<Int>, channels: Int) throws(CPUError) {
        start = pixels.lowerBound
        self.channels = channels
        rows = try RowStorage(rows: 2 * count, fixed: (pixels.count / 2 + 1) * channels)
    }

    /// The address from which ``offset(_:)`` counts.
    func base(of row: Int) -> Row { rows.row(2 * row) }

    /// Returns the distance of a pixel from the base address of its row, in bytes.
    func offset(_ x: Int) -> Int { ((x - start) & 1) * rows.bytesPerRow + ((x - start) >> 1) * 2 * channels }

    /// Returns the addresses of pixels x, x + 2, … and of pixels x + 1, x + 3, ….
    func pair(_ x: Int, of row: Int) -> (Row, Row) { (base(of: row) + offset(x), base(of: row) + offset(x + 1)) }
}
