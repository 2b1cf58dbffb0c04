import CFrostKernels
import FrostCore

/// A node that decimates along y and then along x to half the resolution, in fixed point. It reads the bytes of the
/// image directly, or rows that arrive.
@safe final class FixedDecimation: FlowNode {
    private let following: any FlowNode
    let inputKind: RowKind
    private let demand: RowDemand
    private let kernels: KernelSet
    private let channels: Int
    private let taps: Int
    private let input: Range<Int>
    private let output: Range<Int>
    /// The results of the pass along y, for two output rows. Two rows are computed together because they read mostly
    /// the same rows.
    private let sums: [EvenOddRow]
    private let edges: EdgeSamples
    private let reach: Range<Int>
    /// The rows that have arrived; nil if rows are read from `source`.
    private let ring: RowStorage?
    private let blank: RowStorage
    private var source: ByteRows?
    private let bytes: RowList<UInt8>
    private let numbers: RowList<UInt16>
    private var next: Int
    private var cancellation: Cancellation?

    static func make(y: Pass, x: Pass, _ request: NodeRequest) -> MadeNodes {
        let columns = request.columnsRead(x)
        let demand = request.demand(y, together: 2)
        let isImage = request.isFirst && y.from == .source
        var source: ByteRows?
        if isImage, case .bytes(let bytes, .plain)? = unsafe request.input?.rows(columns: columns),
            unsafe bytes.channels == request.channels
        {
            unsafe source = bytes
        }
        let kind = isImage ? request.plan.arithmetic.arriving : .fixed
        let node = unsafe FixedDecimation(demand, across: x, kind: kind, source: source, input: columns, request)
        return unsafe MadeNodes(
            nodes: [node], rows: demand.input, columns: columns, readsDirectly: source != nil)
    }

    /// Creates a node for a pass along y and a pass along x.
    ///
    /// - Parameters:
    ///   - demand: the rows of the pass along y.
    ///   - across: the pass along x.
    ///   - source: the image whose bytes are read; nil if rows of `kind` arrive.
    ///   - input: the columns that arrive or are read.
    private init(
        _ demand: RowDemand, across: Pass, kind: RowKind, source: ByteRows?, input: Range<Int>, _ request: NodeRequest
    ) {
        following = request.following
        inputKind = kind
        self.demand = demand
        kernels = request.kernels
        channels = request.channels
        self.input = input
        output = request.columns
        cancellation = request.cancellation
        unsafe self.source = source
        taps = demand.taps.count
        reach = across.operation.reach(of: output)
        edges = EdgeSamples(reach, outside: input, edge: across.edge)
        let all = min(reach.lowerBound, input.lowerBound)..<max(reach.upperBound, input.upperBound)
        let channels = request.channels
        sums = (0..<2).map { _ in EvenOddRow(all, channels: channels) }
        let floats = (input.count * channels * kind.size + 3) / 4
        ring = unsafe source == nil ? RowStorage(rows: demand.capacity, floats: floats) : nil
        blank = RowStorage(rows: 1, floats: floats)
        bytes = RowList(kind == .bytes ? taps + 2 + Self.ahead : 0)
        numbers = RowList(kind == .bytes ? 0 : taps)
        next = demand.output.lowerBound
    }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer {
        unsafe UnsafeMutableRawPointer((ring ?? blank).row(ring == nil ? 0 : demand.place(index)))
    }

    func restart(_ memory: CallerMemory) {
        next = demand.output.lowerBound
        cancellation = memory.cancellation
        if let pixels = unsafe memory.source { unsafe source?.source = pixels }
    }

    func accept(_ index: Int) throws(CPUError) {
        while true {
            let count = demand.rowsReady(next, after: index, readsAnyRow: unsafe source != nil)
            guard count > 0 else { return }
            if cancellation?.isCancelled == true { throw .cancelled }
            if inputKind == .bytes { sumBytes(count) } else { sumNumbers(count) }
            for row in 0..<count {
                let sums = sums[row]
                unsafe edges.fill(channels: channels) { unsafe sums.pixel($0) }
                let (first, second) = unsafe sums.pair(reach.lowerBound)
                unsafe kernels.table.pointee.fixed_decimate_row(
                    first, second, Int32(taps), following.inputRow(next).assumingMemoryBound(to: UInt16.self),
                    Int32(output.count), Int32(channels))
                next += 1
                try following.accept(next - 1)
            }
        }
    }

    /// The number of input rows that the next two output rows read but the current two output rows do not read.
    private static let ahead = 4

    /// Computes the pass along y for bytes, and stores the result in `sums`.
    private func sumBytes(_ count: Int) {
        let read = taps + 2 * (count - 1)
        // If the bytes are read directly from the image, the rows of the next call are prefetched. After the last rows
        // of a band nothing reads the prefetched rows, but prefetching does no harm.
        let ahead = unsafe source != nil && count == 2 ? Self.ahead : 0
        for t in 0..<read + ahead {
            let from = unsafe under(t, of: next) ?? UnsafeRawPointer(blank.row(0))
            unsafe bytes.set(t, from.assumingMemoryBound(to: UInt8.self))
        }
        let (a, b) = unsafe (sums[0].pair(input.lowerBound), sums[1].pair(input.lowerBound))
        unsafe withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<UInt16>?.self, capacity: 4) { places in
            unsafe (places[0], places[1], places[2], places[3]) = (a.0, b.0, a.1, b.1)
            unsafe kernels.table.pointee.fixed_decimate_bytes(
                bytes.base, Int32(taps), places.baseAddress, places.baseAddress.map { unsafe $0 + 2 }, Int32(count),
                Int32(ahead), Int32(input.count), Int32(channels))
        }
    }

    private func sumNumbers(_ count: Int) {
        for row in 0..<count {
            for t in 0..<taps {
                let from = unsafe under(t, of: next + row) ?? UnsafeRawPointer(blank.row(0))
                unsafe numbers.set(t, from.assumingMemoryBound(to: UInt16.self))
            }
            let (first, second) = unsafe sums[row].pair(input.lowerBound)
            unsafe kernels.table.pointee.fixed_decimate_rows(
                numbers.base, Int32(taps), first, second, Int32(input.count), Int32(channels))
        }
    }

    /// Returns the input row that a tap of an output row reads; nil for transparent black.
    private func under(_ t: Int, of output: Int) -> UnsafeRawPointer? {
        guard let index = demand.row(t, of: output) else { return nil }
        if let source = unsafe source { return unsafe source.row(index).map { unsafe UnsafeRawPointer($0) } }
        return unsafe UnsafeRawPointer(inputRow(index))
    }
}

/// A row of pixels in two rows of memory. Even and odd pixels are separate, so that decimating filters read and write
/// whole vectors.
///
/// SAFETY: the object owns its memory. Callers access only pixels within the range that was given to `init`.
@safe struct EvenOddRow {
    private let rows: FixedRows
    private let start: Int
    private let channels: Int

    init(_ pixels: Range<Int>, channels: Int) {
        start = pixels.lowerBound
        self.channels = channels
        rows = FixedRows(rows: 2, count: (pixels.count / 2 + 1) * channels)
    }

    func pixel(_ x: Int) -> UnsafeMutablePointer<UInt16> {
        unsafe rows.row((x - start) & 1) + ((x - start) >> 1) * channels
    }

    /// Returns the addresses of pixels x, x + 2, … and of pixels x + 1, x + 3, ….
    func pair(_ x: Int) -> (UnsafeMutablePointer<UInt16>, UnsafeMutablePointer<UInt16>) {
        unsafe (pixel(x), pixel(x + 1))
    }
}
