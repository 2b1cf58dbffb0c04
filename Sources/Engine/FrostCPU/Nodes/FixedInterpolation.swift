import CFrostKernels
import FrostCore

/// A node that interpolates along x and then along y to twice the resolution, in fixed point.
///
/// Two outputs are computed from the same n neighbouring samples: the *first* and the *second* output of a pair. Along
/// y, two output rows form a pair in the same way. First and second outputs are stored in separate rows until the end,
/// so that every step except the last works on whole vectors. Two rows are computed together, because they read the
/// same samples.
@safe final class FixedInterpolation: FlowNode {
    private let following: any FlowNode
    let inputKind = RowKind.fixed
    private let demand: RowDemand
    private let kernels: KernelSet
    private let channels: Int
    private let output: Range<Int>
    private let tapsX: [UInt16]
    private let tapsY: [UInt16]
    /// `firstSample` is the first sample that is read. One pair of outputs begins at this sample, and one at each
    /// sample after it; `pairs` is the number of these pairs.
    private let firstSample: Int
    private let pairs: Int
    /// Whether the result begins with the second output of a pair.
    private let startsSecond: Bool
    private let half: Int
    let rowsTogether: Int
    private let arriving: ArrivingRows
    private let first: FixedRows
    private let second: FixedRows
    private let end: End
    private let firsts: RowList<UInt16>
    private let seconds: RowList<UInt16>
    /// For straight RGBA: for each kept row, whether all pixels are opaque. Rows of the result that read only such rows need
    /// no division.
    private var areOpaque: [Bool] = []
    private let spare: FixedRows
    /// The encoder if `end` is ``End/encoded``; otherwise nil. It is not a payload of the case, because a reference in an enum
    /// with several payloads has a tag in its bits, which hides the object from leak checkers.
    private let encoder: FixedEncoder?
    private var target: TargetRows?
    private var next: Int
    private var cancellation: Cancellation?

    /// The destination of the node's rows.
    private enum End {
        /// The following node takes the rows, in fixed point.
        case following
        /// The rows are written to the target as bytes.
        case bytes(ByteKind)
        /// The rows are written to the target through ``encoder``.
        case encoded
    }

    /// Creates a node for a pass along x and a pass along y.
    static func make(x: Pass, y: Pass, _ request: NodeRequest) -> MadeNodes {
        let (columns, demand) = (request.columnsRead(x), request.demand(y, arriving: 1))
        let node = FixedInterpolation(x, demand, input: columns, request)
        return MadeNodes(
            nodes: [node], rows: demand.input, columns: columns, writesDirectly: node.writesDirectly)
    }

    private init(_ x: Pass, _ demand: RowDemand, input: Range<Int>, _ request: NodeRequest) {
        let across = PolyphaseTaps(x.operation)
        following = request.following
        tapsX = across.firstOfPair
        tapsY = demand.taps.firstOfPair
        half = demand.taps.half
        self.demand = demand
        kernels = request.kernels
        channels = request.channels
        output = request.columns
        cancellation = request.cancellation
        rowsTogether = request.rowsArriving(bytes: 2 * input.count * channels)
        arriving = ArrivingRows(x, input: input, output: output, channels: channels, kept: rowsTogether)
        firstSample = across.first(output.lowerBound)
        pairs = across.first(output.upperBound - 1) - firstSample + 1
        startsSecond = output.lowerBound != 2 * firstSample + across.half
        first = FixedRows(rows: demand.capacity, count: (pairs + 1) * channels)
        second = FixedRows(rows: demand.capacity, count: (pairs + 1) * channels)
        firsts = RowList(tapsY.count)
        seconds = RowList(tapsY.count)
        if let encoded = unsafe request.encoded {
            unsafe (end, encoder, target) = (.encoded, encoded.encoder, encoded.rows)
        } else if let bytes = unsafe request.target(writing: [.plain, .straightRGBA]) {
            (end, encoder) = unsafe (.bytes(bytes.kind), nil)
            unsafe target = unsafe bytes.target.rows
            if unsafe bytes.kind == .straightRGBA { areOpaque = [Bool](repeating: false, count: demand.capacity) }
        } else {
            (end, encoder) = (.following, nil)
        }
        spare = FixedRows(rows: 1, count: unsafe target == nil ? (output.count + 1) * channels : 0)
        next = demand.output.lowerBound
    }

    /// Whether the node itself writes complete rows to the target. If so, the caller need not write the emitted rows.
    private var writesDirectly: Bool {
        switch end {
        case .following: false
        case .bytes, .encoded: true
        }
    }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer { unsafe arriving.row(index) }

    func restart(_ memory: CallerMemory) {
        next = demand.output.lowerBound
        cancellation = memory.cancellation
        if unsafe target != nil, let rows = unsafe memory.target { unsafe target = rows }
    }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        // The rows that have been written and that the following node has not accepted yet.
        var written = next..<next
        for index in rows {
            let samples = unsafe UnsafePointer(arriving.complete(index) + firstSample * channels)
            let place = demand.place(index)
            unsafe kernels.table.pointee.fixed_interpolate_row(
                samples, tapsX, Int32(tapsX.count), first.row(place), second.row(place), Int32(pairs),
                Int32(channels))
            if !areOpaque.isEmpty {
                let count = Int32((pairs + tapsX.count - 1) * channels)
                areOpaque[place] = unsafe kernels.table.pointee.is_opaque_fixed(samples, count) != 0
            }
            while demand.isReady(next, after: index) {
                // The rows to compute: the next row, and the other row of its pair if the other row is needed and not yet
                // computed.
                let sample = demand.taps.first(next)
                let above = 2 * sample + half
                let made = demand.output.clamped(to: next..<above + 2)
                if written.count + made.count > following.rowsTogether {
                    if cancellation?.isCancelled == true { throw .cancelled }
                    try following.accept(written)
                    written = next..<next
                }
                collectRows(from: sample)
                compute(made, above: above)
                next = made.upperBound
                written = written.lowerBound..<next
            }
        }
        if !written.isEmpty { try following.accept(written) }
    }

    /// Fills `firsts` and `seconds` with the rows of samples from `sample` on. The rows are shifted: `firsts` begins with
    /// the first pixel of the result, and `seconds` with the second pixel.
    private func collectRows(from sample: Int) {
        demand.forEachPlace(sample..<sample + tapsY.count) { t, place in
            // A pass with this edge mode reads no transparent black.
            let place = place ?? 0
            if startsSecond {
                unsafe firsts.set(t, UnsafePointer(second.row(place)))
                unsafe seconds.set(t, UnsafePointer(first.row(place) + channels))
            } else {
                unsafe firsts.set(t, UnsafePointer(first.row(place)))
                unsafe seconds.set(t, UnsafePointer(second.row(place)))
            }
        }
    }

    /// Returns whether all rows that are read from `sample` on are opaque.
    private func readsOpaque(from sample: Int) -> Bool {
        var result = true
        demand.forEachPlace(sample..<sample + tapsY.count) { _, place in result = result && areOpaque[place ?? 0] }
        return result
    }

    /// Computes one or both rows of a pair.
    ///
    /// - Parameters:
    ///   - rows: the rows to compute.
    ///   - above: the first row of the pair.
    private func compute(_ rows: Range<Int>, above: Int) {
        let table = unsafe kernels.table
        let (n, width, channels) = (Int32(tapsY.count), Int32(output.count), Int32(channels))
        func bytes(_ index: Int) -> UnsafeMutablePointer<UInt8>? {
            rows.contains(index) ? unsafe target?.row(index).assumingMemoryBound(to: UInt8.self) : nil
        }
        func numbers(_ index: Int) -> UnsafeMutablePointer<UInt16> {
            unsafe rows.contains(index)
                ? following.inputRow(index).assumingMemoryBound(to: UInt16.self) : spare.row(0)
        }
        let streams = unsafe target?.streams == true
        switch end {
        case .bytes(.straightRGBA):
            unsafe table.pointee.fixed_interpolate_to_rgba8(
                firsts.base, seconds.base, tapsY, n, bytes(above), bytes(above + 1), width,
                readsOpaque(from: demand.taps.first(above)) ? 1 : 0, streams ? 1 : 0)
        case .bytes(.plain), .bytes(.rgb):
            unsafe table.pointee.fixed_interpolate_to_u8(
                firsts.base, seconds.base, tapsY, n, bytes(above), bytes(above + 1), width, channels, streams ? 1 : 0)
        case .encoded:
            // Not unwrapped into a variable: a change of a reference count waits for all bytes that were written around the
            // caches.
            unsafe encoder?.encode(
                interpolating: firsts, seconds, taps: tapsY, y: above, columns: output, to: bytes(above),
                bytes(above + 1), streams: streams)
        case .following:
            unsafe table.pointee.fixed_interpolate_rows(
                firsts.base, seconds.base, tapsY, n, numbers(above), numbers(above + 1), (width + 1) / 2, channels)
        }
    }
}
