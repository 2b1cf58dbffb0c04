import CFrostKernels
import FrostCore

/// A node for a pass along y, in floats. It keeps the input rows that its taps and the edge mode still need. If
/// possible, it reads the rows directly from the source instead of keeping them, and writes the target directly.
final class VerticalNode: FlowNode {
    private let following: any FlowNode
    private let demand: RowDemand
    let inputColumns: Range<Int>
    private let samples: Int
    private let filter: RowFilter
    /// The input rows that are kept; nil if rows are read directly from the source.
    private let storage: RowStorage?
    /// A row of transparent black, in every type of sample.
    private let blank: RowStorage
    let rowsTogether: Int
    private var next = 0
    /// The rows that are read directly: those of the caller's image, or of a plane.
    private var image: ImageRows?
    private let plane: RowPlane?
    private let sourceSamples: frost_samples
    /// The samples of the target; nil if rows go to the next node, which is notified of complete rows in both cases.
    private let targetSamples: frost_samples?
    private var target: TargetRows?

    init(_ pass: Pass, _ request: NodeRequest) throws(CPUError) {
        following = request.following
        inputColumns = request.columns
        samples = request.columns.count * request.channels
        let together = request.rowsTogether(least: 1)
        // Pushed rows arrive one at a time, so that the node keeps as few as its taps read.
        rowsTogether = request.input == nil ? 1 : request.rowsArriving(bytes: 4 * samples)
        demand = request.demand(pass, arriving: rowsTogether, together: together)
        let (taps, first) = (demand.taps, demand.output.lowerBound)
        let inputs = (0..<2).map { taps.first(first + $0 + together - 1) - taps.first(first + $0) + taps.count }
        let maximum = max(inputs[0], inputs[1])
        filter = try RowFilter(taps, inputs: maximum, outputs: together, request.kernels)
        var (image, plane, kind) = (ImageRows?.none, RowPlane?.none, FROST_NUMBERS)
        switch request.isFirst ? request.input : nil {
        case .image(let rows, let conversion, nil)?:
            // The kernel converts the samples of only so many rows at a time.
            if maximum <= Int(FROST_TILE_ROWS), let samples = conversion.samples { (image, kind) = (rows, samples) }
        case .plane(let rows)? where rows.kind == .floats: plane = rows
        case .image, .plane, nil: break
        }
        (self.image, self.plane, sourceSamples) = (image, plane, kind)
        targetSamples = request.writesTarget ? request.plan.writer.samples : nil
        storage = try image == nil && plane == nil ? RowStorage(rows: demand.capacity, floats: samples) : nil
        blank = try RowStorage(rows: 1, floats: samples)
    }

    /// The maximum number of rows that are kept.
    var rowsKept: Int { storage == nil ? 0 : demand.capacity }

    var inputKind: RowKind { .floats }
    var inputRows: Range<Int> { demand.input }
    var readsDirectly: Bool { storage == nil }

    func inputRow(_ index: Int) -> Row { storage?.row(demand.place(index)) ?? blank.row(0) }

    func start(_ memory: CallerMemory) {
        next = demand.output.lowerBound
        target = memory.target
        if let pixels = unsafe memory.source { unsafe image?.read(pixels) }
    }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        while let ready = demand.rowsReady(from: next, after: rows.upperBound - 1, readsAnyRow: storage == nil) {
            compute(ready)
            next = ready.upperBound
            try following.accept(ready)
        }
    }

    private func compute(_ rows: Range<Int>) {
        let first = demand.taps.first(rows.lowerBound)
        let inputs = first..<demand.taps.first(rows.upperBound - 1) + demand.taps.count
        let target = targetSamples == nil ? nil : target
        for index in inputs { filter.setInput(index - first, row(index)) }
        for (i, row) in rows.enumerated() {
            let out = target?.row(row) ?? following.inputRow(row)
            filter.setOutput(i, out, start: demand.taps.first(row) - first, isOdd: row & 1 == 1)
        }
        filter.run(
            inputs: inputs.count, outputs: rows.count, count: samples, from: sourceSamples,
            to: targetSamples ?? FROST_NUMBERS, streams: target?.streams == true)
    }

    /// Returns the memory of a row that the filter reads.
    private func row(_ index: Int) -> Row {
        guard let index = demand.mapped(index) else { return blank.row(0) }
        if let image { return image.row(index, from: inputColumns.lowerBound) ?? blank.row(0) }
        return plane?.row(index, from: inputColumns.lowerBound) ?? inputRow(index)
    }
}

/// A node for a pass along x, in floats. It computes one row at a time.
final class HorizontalNode: FlowNode {
    private let following: any FlowNode
    private let polyphase: PolyphaseTaps
    private let taps: RowStorage
    private let operation: Pass.Operation
    private let channels: Int
    private let output: Range<Int>
    let inputColumns: Range<Int>
    private let rows: ArrivingRows
    let rowsTogether: Int
    private let kernels: KernelSet
    /// For a convolution that `filter_row` does not compute: one address for each tap, which is the address of the row plus the
    /// offset of the tap. Otherwise nil.
    private let filter: RowFilter?

    init(_ pass: Pass, _ request: NodeRequest) throws(CPUError) {
        following = request.following
        kernels = request.kernels
        operation = pass.operation
        polyphase = PolyphaseTaps(pass.operation)
        taps = try polyphase.storage()
        channels = request.channels
        output = request.columns
        inputColumns = request.columnsRead(pass)
        rowsTogether = request.rowsArriving(bytes: 4 * inputColumns.count * channels, least: 4)
        rows = try ArrivingRows(pass, request, numberSize: 4, rows: rowsTogether)
        let radius = polyphase.half
        let isShort =
            polyphase.isSymmetric && polyphase.count == 2 * radius + 1 && 1...Int(FROST_MAXIMUM_RADIUS) ~= radius
        filter =
            switch operation {
            case .convolve where !isShort: try RowFilter(polyphase, inputs: polyphase.count, outputs: 1, kernels)
            case .convolve, .decimate, .interpolate: nil
            }
    }

    var inputKind: RowKind { .floats }
    var inputRows: Range<Int> { following.inputRows }

    func inputRow(_ index: Int) -> Row { rows.row(index) }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        for part in rows.parts(of: following.rowsTogether) {
            for index in part { compute(index) }
            try following.accept(part)
        }
    }

    private func compute(_ index: Int) {
        rows.complete(index)
        let (from, out) = (rows.row(index, from: polyphase.first(output.lowerBound)), following.inputRow(index))
        let (count, pixels, channels) = (Int32(polyphase.count), Int32(output.count), Int32(channels))
        switch operation {
        case .convolve:
            guard let filter else {
                let row = rows.row(index, from: output.lowerBound)
                return unsafe kernels.table.pointee.filter_row(
                    row.floats, taps.row(0).floats, Int32(polyphase.half), out.floats, pixels, channels)
            }
            for t in 0..<polyphase.count { filter.setInput(t, from + 4 * t * self.channels) }
            filter.setOutput(0, out, start: 0, isOdd: false)
            filter.run(inputs: polyphase.count, outputs: 1, count: output.count * self.channels)
        case .decimate:
            unsafe kernels.table.pointee.decimate(
                from.floats, taps.row(0).floats, count, out.floats, pixels, channels)
        case .interpolate:
            unsafe kernels.table.pointee.interpolate(
                from.floats, taps.row(0).floats, taps.row(1).floats, count, Int32(polyphase.half), out.floats,
                Int32(output.lowerBound & 1), pixels, channels)
        }
    }
}

/// The arguments of the kernel that filters across rows, in memory that is kept from one call to the next.
///
/// Not thread-safe.
///
/// SAFETY: the object owns the lists; the addresses in them are valid during each call of ``run(inputs:outputs:count:from:to:streams:)``.
/// Indices are within the numbers of rows that were given to `init`.
@safe final class RowFilter {
    private let inputs: RowList
    private let outputs: RowList
    private let weights: RowList
    private let starts: UnsafeMutablePointer<Int32>
    private let taps: RowStorage
    private let tapCount: Int
    private let isSymmetric: Bool
    private let kernels: KernelSet

    /// Creates the arguments of a filter.
    ///
    /// - Parameters:
    ///   - inputs: the maximum number of input rows of a call.
    ///   - outputs: the maximum number of output rows of a call.
    init(_ taps: PolyphaseTaps, inputs: Int, outputs: Int, _ kernels: KernelSet) throws(CPUError) {
        self.taps = try taps.storage()
        self.kernels = kernels
        tapCount = taps.count
        isSymmetric = taps.isSymmetric
        self.inputs = RowList(inputs)
        self.outputs = RowList(outputs)
        weights = RowList(outputs)
        unsafe starts = .allocate(capacity: outputs)
        unsafe starts.initialize(repeating: 0, count: outputs)
    }

    deinit { unsafe starts.deallocate() }

    func setInput(_ index: Int, _ row: Row) { inputs.set(index, row) }

    /// Sets an output row.
    ///
    /// - Parameters:
    ///   - start: the index of the first input row that the output row reads.
    ///   - isOdd: whether the output row has an odd index, and so the odd taps of an interpolation.
    func setOutput(_ index: Int, _ row: Row, start: Int, isOdd: Bool) {
        outputs.set(index, row)
        weights.set(index, taps.row(isOdd ? 1 : 0))
        unsafe starts[index] = Int32(start)
    }

    /// Computes the output rows that have been set.
    ///
    /// - Parameters:
    ///   - count: the number of samples of a row.
    ///   - from: the samples of the input rows.
    ///   - to: the samples of the output rows.
    func run(
        inputs inputCount: Int, outputs outputCount: Int, count: Int, from: frost_samples = FROST_NUMBERS,
        to: frost_samples = FROST_NUMBERS, streams: Bool = false
    ) {
        var filter = unsafe frost_row_filter(
            rows: inputs.pointers(), starts: starts, taps: weights.pointers(), out: outputs.pointers(),
            input_count: Int32(inputCount), tap_count: Int32(tapCount), row_count: Int32(outputCount),
            count: Int32(count), is_symmetric: isSymmetric ? 1 : 0, stream: streams ? 1 : 0, from: from, to: to)
        unsafe kernels.table.pointee.filter_rows(&filter)
    }
}

extension PolyphaseTaps {
    /// The negated offset of the first tap: the radius for a convolution.
    var half: Int { -offset }

    /// Whether all outputs have the same weights, which are the same in reverse.
    var isSymmetric: Bool { even == odd && even == even.reversed() }

    /// The weights in memory that C kernels read: row 0 has the weights of even outputs, row 1 those of odd outputs.
    func storage() throws(CPUError) -> RowStorage {
        let storage = try RowStorage(rows: 2, floats: count)
        for t in 0..<count {
            unsafe storage.row(0).floats[t] = even[t]
            unsafe storage.row(1).floats[t] = odd[t]
        }
        return storage
    }

    /// The weights of an interpolation in 1/65536, for both outputs that are computed from the same samples.
    var ofPair: [UInt16] { (half & 1 == 0 ? even + odd : odd + even).map { UInt16($0 * 65536) } }
}
