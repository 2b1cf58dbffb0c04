import CFrostKernels
import FrostCore

/// A node that decimates along y and then along x to half the resolution, in fixed point. It reads the bytes of the
/// image directly, or rows that arrive.
///
/// Straight RGBA is read directly if all pixels of the rows that an output row reads are opaque. Otherwise the rows are
/// premultiplied first. Both ways compute the same bits for opaque pixels, so the result does not depend on how the image
/// is divided.
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
    private let sums: EvenOddRows
    private let edges: EdgeSamples
    private let reach: Range<Int>
    let rowsTogether: Int
    /// The rows that have arrived, or that were premultiplied; nil if all rows are read from `source`.
    private let ring: RowStorage?
    /// For straight RGBA, what is known of the rows in each place of the ring.
    private var known: [KnownRow]
    private let blank: RowStorage
    private var source: ImageRows?
    /// Whether `source` has straight alpha.
    private let isStraight: Bool
    private let bytes: RowList<UInt8>
    private let numbers: RowList<UInt16>
    private var next: Int
    private var cancellation: Cancellation?

    static func make(y: Pass, x: Pass, _ request: NodeRequest) -> MadeNodes {
        let columns = request.columnsRead(x)
        let isImage = request.isFirst && y.from == .source
        var source: (rows: ImageRows, kind: ByteKind)?
        if isImage, case .image(let rows, let conversion)? = unsafe request.input?.rows(columns: columns),
            let kind = conversion.directKind
        {
            unsafe source = unsafe (rows, kind)
        }
        let kind = isImage ? request.plan.arithmetic.arriving : .fixed
        let arriving = request.rowsArriving(bytes: columns.count * request.channels * kind.size)
        let demand = request.demand(y, arriving: arriving, together: 2)
        let node = unsafe FixedDecimation(
            demand, across: x, kind: kind, source: source, input: columns, arriving: arriving, request)
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
    ///   - arriving: the maximum number of rows that arrive together.
    private init(
        _ demand: RowDemand, across: Pass, kind: RowKind, source: (rows: ImageRows, kind: ByteKind)?, input: Range<Int>,
        arriving: Int, _ request: NodeRequest
    ) {
        rowsTogether = arriving
        following = request.following
        inputKind = kind
        self.demand = demand
        kernels = request.kernels
        channels = request.channels
        self.input = input
        output = request.columns
        cancellation = request.cancellation
        unsafe self.source = source?.rows
        isStraight = unsafe source?.kind == .straightRGBA
        taps = demand.taps.count
        reach = across.operation.reach(of: output)
        let all = min(reach.lowerBound, input.lowerBound)..<max(reach.upperBound, input.upperBound)
        let channels = request.channels
        let sums = EvenOddRows(2, all, channels: channels)
        edges = EdgeSamples(
            reach, outside: input, edge: across.edge, bytesPerSample: 2 * channels, place: sums.offset)
        self.sums = sums
        let floats = (input.count * channels * kind.size + 3) / 4
        let keepsRows = unsafe source == nil || isStraight
        ring = keepsRows ? RowStorage(rows: demand.capacity, floats: floats, zeroed: false) : nil
        known = [KnownRow](repeating: KnownRow(), count: isStraight ? demand.capacity : 0)
        blank = RowStorage(rows: 1, floats: floats)
        bytes = RowList(kind == .bytes || isStraight ? taps + 2 + Self.ahead : 0)
        numbers = RowList(kind == .bytes ? 0 : taps)
        next = demand.output.lowerBound
    }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer {
        unsafe UnsafeMutableRawPointer(ring?.row(demand.place(index)) ?? blank.row(0))
    }

    func restart(_ memory: CallerMemory) {
        next = demand.output.lowerBound
        cancellation = memory.cancellation
        for place in known.indices { known[place] = KnownRow() }
        if let pixels = unsafe memory.source { unsafe source?.read(pixels) }
    }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        // The rows that have been written and that the following node has not accepted yet.
        var written = next..<next
        while let ready = demand.rowsReady(from: next, after: rows.upperBound - 1, readsAnyRow: unsafe source != nil) {
            if inputKind == .bytes || (isStraight && areOpaque(taps + 2 * (ready.count - 1))) {
                sumBytes(ready.count)
            } else {
                sumNumbers(ready.count)
            }
            for index in ready {
                let row = index - ready.lowerBound
                if written.count == following.rowsTogether {
                    if cancellation?.isCancelled == true { throw .cancelled }
                    try following.accept(written)
                    written = index..<index
                }
                unsafe edges.fill(sums.base(of: row))
                let (first, second) = unsafe sums.pair(reach.lowerBound, of: row)
                unsafe kernels.table.pointee.fixed_decimate_row(
                    first, second, Int32(taps), following.inputRow(index).assumingMemoryBound(to: UInt16.self),
                    Int32(output.count), Int32(channels))
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
        let ahead = unsafe source != nil && count == 2 ? Self.ahead : 0
        let first = demand.taps.first(next)
        for t in 0..<read + ahead {
            let index = demand.mapped(first + t)
            let from = unsafe index.flatMap { unsafe arrived($0) } ?? UnsafeRawPointer(blank.row(0))
            unsafe bytes.set(t, from.assumingMemoryBound(to: UInt8.self))
        }
        let bias = isStraight ? Self.bias(taps) : 0
        let (a, b) = unsafe (sums.pair(input.lowerBound, of: 0), sums.pair(input.lowerBound, of: 1))
        let end = unsafe source?.end?.assumingMemoryBound(to: UInt8.self)
        unsafe withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<UInt16>?.self, capacity: 4) { places in
            unsafe (places[0], places[1], places[2], places[3]) = (a.0, b.0, a.1, b.1)
            unsafe kernels.table.pointee.fixed_decimate_bytes(
                bytes.base, Int32(taps), places.baseAddress, places.baseAddress.map { unsafe $0 + 2 }, Int32(count),
                Int32(ahead), end, Int32(bias), Int32(input.count), Int32(channels))
        }
    }

    private func sumNumbers(_ count: Int) {
        for row in 0..<count {
            let start = demand.taps.first(next + row)
            for t in 0..<taps {
                let index = demand.mapped(start + t)
                let row = unsafe index.flatMap { unsafe isStraight ? premultiplied($0) : arrived($0) }
                let from = unsafe row ?? UnsafeRawPointer(blank.row(0))
                unsafe numbers.set(t, from.assumingMemoryBound(to: UInt16.self))
            }
            let (first, second) = unsafe sums.pair(input.lowerBound, of: row)
            unsafe kernels.table.pointee.fixed_decimate_rows(
                numbers.base, Int32(taps), first, second, Int32(input.count), Int32(channels))
        }
    }

    /// Returns an input row that has arrived, or a row of the source; nil for transparent black.
    private func arrived(_ index: Int) -> UnsafeRawPointer? {
        if let source = unsafe source { return unsafe source.row(index) }
        return unsafe UnsafeRawPointer(inputRow(index))
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
            guard let index = demand.row(t, of: next), let row = unsafe arrived(index) else { continue }
            let place = demand.place(index)
            if known[place].index != index {
                let isOpaque = unsafe kernels.table.pointee.is_opaque_rgba8(
                    row.assumingMemoryBound(to: UInt8.self), Int32(input.count * channels))
                known[place] = KnownRow(index: index, isOpaque: isOpaque != 0)
            }
            if !known[place].isOpaque { return false }
        }
        return true
    }

    /// Returns a row of the source in fixed point; nil for transparent black.
    private func premultiplied(_ index: Int) -> UnsafeRawPointer? {
        guard let row = unsafe arrived(index) else { return nil }
        let place = demand.place(index)
        let out = unsafe inputRow(index)
        if known[place].index != index || !known[place].isPremultiplied {
            if known[place].index != index { known[place] = KnownRow(index: index) }
            unsafe kernels.table.pointee.fixed_load_rgba8(
                row.assumingMemoryBound(to: UInt8.self), out.assumingMemoryBound(to: UInt16.self),
                Int32(input.count * channels))
            known[place].isPremultiplied = true
        }
        return UnsafeRawPointer(out)
    }
}

/// Rows of pixels, each in two rows of memory. Even and odd pixels are separate, so that decimating filters read and write
/// whole vectors.
///
/// SAFETY: the object owns its memory. Callers access only pixels within the range that was given to `init`.
@safe struct EvenOddRows {
    private let rows: FixedRows
    private let start: Int
    private let channels: Int

    init(_ count: Int, _ pixels: Range<Int>, channels: Int) {
        start = pixels.lowerBound
        self.channels = channels
        rows = FixedRows(rows: 2 * count, count: (pixels.count / 2 + 1) * channels)
    }

    /// The address from which ``offset(_:)`` counts.
    func base(of row: Int) -> UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(rows.row(2 * row)) }

    /// Returns the distance of a pixel from the base address of its row, in bytes.
    func offset(_ x: Int) -> Int { unsafe UnsafeMutableRawPointer(pixel(x, of: 0)) - base(of: 0) }

    private func pixel(_ x: Int, of row: Int) -> UnsafeMutablePointer<UInt16> {
        unsafe rows.row(2 * row + ((x - start) & 1)) + ((x - start) >> 1) * channels
    }

    /// Returns the addresses of pixels x, x + 2, … and of pixels x + 1, x + 3, ….
    func pair(_ x: Int, of row: Int) -> (UnsafeMutablePointer<UInt16>, UnsafeMutablePointer<UInt16>) {
        unsafe (pixel(x, of: row), pixel(x + 1, of: row))
    }
}
