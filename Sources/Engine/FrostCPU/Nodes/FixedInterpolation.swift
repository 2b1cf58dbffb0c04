import CFrostKernels
import FrostCore

/// A node that interpolates along x and then along y to twice the resolution, in fixed point.
///
/// Two outputs are computed from the same n neighbouring samples: the *first* and the *second* output of a pair. Along
/// y, two output rows form a pair in the same way. First and second outputs are stored in separate rows until the end,
/// so that every step except the last works on whole vectors. Two rows are computed together, because they read the
/// same samples.
final class FixedInterpolation: FlowNode {
    private let following: any FlowNode
    let inputKind = RowKind.fixed
    let inputColumns: Range<Int>
    private let demand: RowDemand
    private let kernels: KernelSet
    private let channels: Int
    private let output: Range<Int>
    /// The taps of both outputs of a pair.
    private let tapsX: [UInt16]
    private let tapsY: [UInt16]
    /// The number of samples from which a pair is computed.
    private let samplesX: Int
    private let samplesY: Int
    /// `firstSample` is the first sample that is read. One pair of outputs begins at this sample, and one at each
    /// sample after it; `pairs` is the number of these pairs.
    private let firstSample: Int
    private let pairs: Int
    /// Whether the result begins with the second output of a pair.
    private let startsSecond: Bool
    private let half: Int
    let rowsTogether: Int
    private let arriving: ArrivingRows
    private let first: RowStorage
    private let second: RowStorage
    private let firsts: RowList
    private let seconds: RowList
    /// A row for the output that is not needed if only one row of a pair is computed.
    private let unneeded: RowStorage
    /// Whether bytes are written to the target; otherwise fixed-point numbers go to the next node.
    private let writesTarget: Bool
    /// The encoder through which bytes are written; nil if there are no output stages.
    private let encoder: FixedEncoder?
    /// The pixels that are written to the target although a lens follows, the region's first column, and the size of a pixel.
    private let plain: PlainPixels?
    private let region: Int
    private let bytesPerPixel: Int
    /// Whether straight RGBA is written.
    private let isStraight: Bool
    /// For straight RGBA: for each kept row, whether all pixels are opaque. Rows of the result that read only such rows need
    /// no division.
    private var areOpaque: [Bool]
    private var target: TargetRows?
    private var next = 0

    /// Creates a node for a pass along x and a pass along y.
    init(x: Pass, y: Pass, _ request: NodeRequest) throws(CPUError) {
        let across = PolyphaseTaps(x.operation)
        following = request.following
        demand = request.demand(y, arriving: 1)
        (tapsX, samplesX) = (across.ofPair, across.count)
        (tapsY, samplesY) = (demand.taps.ofPair, demand.taps.count)
        half = demand.taps.half
        kernels = request.kernels
        channels = request.channels
        output = request.columns
        inputColumns = request.columnsRead(x)
        rowsTogether = request.rowsArriving(bytes: 2 * inputColumns.count * channels)
        arriving = try ArrivingRows(x, request, numberSize: 2, rows: rowsTogether)
        firstSample = across.first(output.lowerBound)
        pairs = across.first(output.upperBound - 1) - firstSample + 1
        startsSecond = output.lowerBound != 2 * firstSample + across.half
        first = try RowStorage(rows: demand.capacity, fixed: (pairs + 1) * channels)
        second = try RowStorage(rows: demand.capacity, fixed: (pairs + 1) * channels)
        firsts = RowList(samplesY)
        seconds = RowList(samplesY)
        writesTarget = request.writesTarget
        encoder = writesTarget ? request.encoder : nil
        plain = request.following is LensNode ? request.plain : nil
        region = request.plan.plan.region.x
        bytesPerPixel = request.plan.writer.format.bytesPerPixel
        isStraight = writesTarget && encoder == nil && request.plan.writer.directKind == .straightRGBA
        areOpaque = [Bool](repeating: false, count: isStraight ? demand.capacity : 0)
        unneeded = try RowStorage(rows: 1, fixed: writesTarget ? 0 : (output.count + 1) * channels)
    }

    var inputRows: Range<Int> { demand.input }

    func inputRow(_ index: Int) -> Row { arriving.row(index) }

    func start(_ memory: CallerMemory) {
        next = demand.output.lowerBound
        target = memory.target
    }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        // The rows that have been written and that the following node has not accepted yet.
        var written = next..<next
        for index in rows {
            arriving.complete(index)
            let samples = arriving.row(index, from: firstSample)
            let place = demand.place(index)
            unsafe kernels.table.pointee.fixed_interpolate_row(
                samples.fixed, tapsX, Int32(samplesX), first.row(place).fixed, second.row(place).fixed, Int32(pairs),
                Int32(channels))
            if isStraight {
                let count = Int32((pairs + samplesX - 1) * channels)
                areOpaque[place] = unsafe kernels.table.pointee.is_opaque_fixed(samples.fixed, count) != 0
            }
            while demand.isReady(next, after: index) {
                // The rows to compute: the next row, and the other row of its pair if the other row is needed and not yet
                // computed.
                let sample = demand.taps.first(next)
                let above = 2 * sample + half
                let ready = demand.output.clamped(to: next..<above + 2)
                if written.count + ready.count > following.rowsTogether {
                    try following.accept(written)
                    written = next..<next
                }
                if let plain {
                    compute(ready, above: above, plain)
                } else {
                    collectRows(from: sample)
                    compute(ready, above: above)
                }
                next = ready.upperBound
                written = written.lowerBound..<next
            }
        }
        if !written.isEmpty { try following.accept(written) }
    }

    /// Fills `firsts` and `seconds` with the rows of samples from `sample` on. The rows are shifted: `firsts` begins with
    /// the first pixel of a pair of the result, and `seconds` with the second pixel.
    private func collectRows(from sample: Int, pair: Int = 0) {
        let offset = 2 * channels * pair
        demand.forEachPlace(sample..<sample + samplesY) { t, place in
            // A pass with this edge mode reads no transparent black.
            let place = place ?? 0
            firsts.set(t, (startsSecond ? second.row(place) : first.row(place)) + offset)
            seconds.set(t, (startsSecond ? first.row(place) + 2 * channels : second.row(place)) + offset)
        }
    }

    /// Computes one or both rows of a pair for a lens: writes the plain pixels to the target, and gives the lens all columns that
    /// it shows.
    private func compute(_ rows: Range<Int>, above: Int, _ plain: PlainPixels) {
        let sample = demand.taps.first(above)
        let (upper, lower) = (plain.columns(above), plain.columns(above + 1))
        let columns = upper.isEmpty ? lower : upper
        if !columns.isEmpty, let target {
            collectRows(from: sample, pair: (columns.lowerBound - output.lowerBound) / 2)
            let at = (columns.lowerBound - region) * bytesPerPixel
            plain.encoder.encode(
                interpolating: firsts, seconds, taps: tapsY, y: above, columns: columns,
                to: upper.isEmpty || !rows.contains(above) ? nil : target.row(above) + at,
                lower.isEmpty || !rows.contains(above + 1) ? nil : target.row(above + 1) + at,
                streams: target.streams)
        }
        let hidden = plain.hidden(above).clamped(to: plain.hidden(above + 1))
        if hidden.isEmpty { return give(output, rows, above: above) }
        give(output.lowerBound..<hidden.lowerBound, rows, above: above)
        give(hidden.upperBound..<output.upperBound, rows, above: above)
    }

    /// Gives the next node some columns of one or both rows of a pair, from whole pairs on.
    private func give(_ columns: Range<Int>, _ rows: Range<Int>, above: Int) {
        let pair = (columns.lowerBound - output.lowerBound) / 2
        collectRows(from: demand.taps.first(above), pair: pair)
        func numbers(_ index: Int) -> Row {
            (rows.contains(index) ? following.inputRow(index) : unneeded.row(0)) + 4 * channels * pair
        }
        unsafe kernels.table.pointee.fixed_interpolate_rows(
            firsts.pointers(), seconds.pointers(), tapsY, Int32(samplesY), numbers(above).fixed,
            numbers(above + 1).fixed, Int32((columns.upperBound - output.lowerBound + 1) / 2 - pair), Int32(channels))
    }

    private func readsOpaque(from sample: Int) -> Bool {
        var result = true
        demand.forEachPlace(sample..<sample + samplesY) { _, place in result = result && areOpaque[place ?? 0] }
        return result
    }

    /// Computes one or both rows of a pair.
    ///
    /// - Parameters:
    ///   - rows: the rows to compute.
    ///   - above: the first row of the pair.
    private func compute(_ rows: Range<Int>, above: Int) {
        let table = unsafe kernels.table
        let (n, width, channels) = (Int32(samplesY), Int32(output.count), Int32(channels))
        guard writesTarget, let target else {
            func numbers(_ index: Int) -> Row { rows.contains(index) ? following.inputRow(index) : unneeded.row(0) }
            return unsafe table.pointee.fixed_interpolate_rows(
                firsts.pointers(), seconds.pointers(), tapsY, n, numbers(above).fixed, numbers(above + 1).fixed,
                (width + 1) / 2, channels)
        }
        let upper = rows.contains(above) ? target.row(above) : nil
        let lower = rows.contains(above + 1) ? target.row(above + 1) : nil
        if encoder != nil {
            // Not unwrapped into a variable: a change of a reference count waits for all bytes that were written around the
            // caches.
            encoder?.encode(
                interpolating: firsts, seconds, taps: tapsY, y: above, columns: output, to: upper, lower,
                streams: target.streams)
        } else if isStraight {
            unsafe table.pointee.fixed_interpolate_to_rgba8(
                firsts.pointers(), seconds.pointers(), tapsY, n, upper?.bytes, lower?.bytes, width,
                readsOpaque(from: demand.taps.first(above)) ? 1 : 0, target.streams ? 1 : 0)
        } else {
            unsafe table.pointee.fixed_interpolate_to_u8(
                firsts.pointers(), seconds.pointers(), tapsY, n, upper?.bytes, lower?.bytes, width, channels,
                target.streams ? 1 : 0)
        }
    }
}
