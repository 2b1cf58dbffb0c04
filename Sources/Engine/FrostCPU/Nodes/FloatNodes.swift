import CFrostKernels
import FrostCore

/// A node for a pass along y, in floats. It keeps the input rows that its taps and the edge mode still need. If
/// possible, it reads the rows directly from the source instead of keeping them, and writes the target directly.
@safe final class VerticalNode: FlowNode {
    private let following: any FlowNode
    private let demand: RowDemand
    private let kernels: KernelSet
    private let samples: Int
    private let filter: RowFilter
    /// The input rows that are kept; nil if rows are read directly from the source.
    private let storage: RowStorage?
    /// A row of transparent black, in every type of sample.
    private let blank: RowStorage
    let rowsTogether: Int
    private var next: Int
    /// The rows that are read directly: those of the caller's image, or of a plane.
    private var image: ImageRows?
    private let plane: (plane: RowPlane, offset: Int)?
    private let sourceSamples: frost_samples
    private var target: TargetRows?
    private let targetSamples: frost_samples
    private var cancellation: Cancellation?

    static func make(_ pass: Pass, _ request: NodeRequest) -> MadeNodes {
        let target = unsafe request.target?.conversion.samples == nil ? nil : request.target
        let together = request.rowsTogether(writesTarget: unsafe target != nil, least: 1)
        // Pushed rows arrive one at a time, so that the node keeps as few as its taps read.
        let arriving =
            request.input == nil ? 1 : request.rowsArriving(bytes: 4 * request.columns.count * request.channels)
        let demand = request.demand(pass, arriving: arriving, together: together)
        let source = request.isFirst ? unsafe request.input?.rows(columns: request.columns) : nil
        let node = unsafe VerticalNode(
            demand, arriving: arriving, together: together, source: source, target: target, request)
        return unsafe MadeNodes(
            nodes: [node], rows: demand.input, columns: request.columns, readsDirectly: node.storage == nil,
            writesDirectly: target != nil)
    }

    /// Creates a node for a pass along y.
    ///
    /// - Parameters:
    ///   - arriving: the maximum number of input rows that arrive together.
    ///   - together: the maximum number of output rows that are computed together.
    ///   - source: rows that may be read directly; nil if rows are written to ``inputRow(_:)``.
    ///   - target: the rows to write directly; nil if rows go to the next node. The next node is notified of complete
    ///     rows in both cases.
    private init(
        _ demand: RowDemand, arriving: Int, together: Int, source: RowSource?, target: DirectTarget?,
        _ request: NodeRequest
    ) {
        following = request.following
        rowsTogether = arriving
        self.demand = demand
        kernels = request.kernels
        samples = request.columns.count * request.channels
        let taps = demand.taps
        let first = demand.output.lowerBound
        let inputs = (0..<2).map { taps.first(first + $0 + together - 1) - taps.first(first + $0) + taps.count }
        let maximum = max(inputs[0], inputs[1])
        filter = RowFilter(taps, inputs: maximum, outputs: together)
        switch unsafe source {
        case .image(let rows, let conversion)?:
            // The kernel converts the samples of only so many rows at a time.
            let kind = maximum <= Int(FROST_TILE_ROWS) ? conversion.samples : nil
            unsafe image = kind == nil ? nil : rows
            plane = nil
            sourceSamples = kind ?? FROST_NUMBERS
        case .plane(let plane, let offset)?:
            self.plane = (plane, offset)
            sourceSamples = FROST_NUMBERS
        case nil:
            plane = nil
            sourceSamples = FROST_NUMBERS
        }
        targetSamples = unsafe target?.conversion.samples ?? FROST_NUMBERS
        unsafe self.target = target?.rows
        cancellation = request.cancellation
        storage = unsafe image == nil && plane == nil ? RowStorage(rows: demand.capacity, floats: samples) : nil
        blank = RowStorage(rows: 1, floats: samples)
        next = first
    }

    /// The maximum number of rows that are kept.
    var rowsKept: Int { storage == nil ? 0 : demand.capacity }

    var inputKind: RowKind { .floats }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer {
        unsafe UnsafeMutableRawPointer(storage?.row(demand.place(index)) ?? blank.row(0))
    }

    func restart(_ memory: CallerMemory) {
        next = demand.output.lowerBound
        cancellation = memory.cancellation
        if let pixels = unsafe memory.source { unsafe image?.read(pixels) }
        if unsafe target != nil, let rows = unsafe memory.target { unsafe target = rows }
    }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        while let ready = demand.rowsReady(from: next, after: rows.upperBound - 1, readsAnyRow: storage == nil) {
            if cancellation?.isCancelled == true { throw .cancelled }
            compute(ready)
            next = ready.upperBound
            try following.accept(ready)
        }
    }

    private func compute(_ rows: Range<Int>) {
        let first = demand.taps.first(rows.lowerBound)
        let inputs = first..<demand.taps.first(rows.upperBound - 1) + demand.taps.count
        for index in inputs { unsafe filter.setInput(index - first, row(index)) }
        for (i, row) in rows.enumerated() {
            let out = unsafe target?.row(row) ?? following.inputRow(row)
            unsafe filter.setOutput(i, out, start: demand.taps.first(row) - first, isOdd: row & 1 == 1)
        }
        filter.run(
            inputs: inputs.count, outputs: rows.count, count: samples, from: sourceSamples, to: targetSamples,
            streams: unsafe target?.streams == true, kernels)
    }

    /// Returns the memory of a row that the filter reads.
    private func row(_ index: Int) -> UnsafeRawPointer {
        guard let index = demand.mapped(index) else { return unsafe UnsafeRawPointer(blank.row(0)) }
        if let image = unsafe image { return unsafe image.row(index) ?? UnsafeRawPointer(blank.row(0)) }
        if let plane { return unsafe UnsafeRawPointer(plane.plane.row(index) + plane.offset) }
        return unsafe UnsafeRawPointer(inputRow(index))
    }
}

/// A node for a pass along x, in floats. It computes one row at a time.
@safe final class HorizontalNode: FlowNode {
    private let following: any FlowNode
    private let polyphase: PolyphaseTaps
    private let taps: RowStorage
    private let operation: Pass.Operation
    private let channels: Int
    private let output: Range<Int>
    /// `input` is the range of samples that arrive; `bufferStart` is the first sample of the buffer.
    private let input: Range<Int>
    private let bufferStart: Int
    private let rows: RowRing
    let rowsTogether: Int
    private let edges: EdgeSamples
    private let kernels: KernelSet
    /// For a convolution: one address for each tap, which is the address of the row plus the offset of the tap.
    private let filter: RowFilter

    static func make(_ pass: Pass, _ request: NodeRequest) -> MadeNodes {
        let columns = request.columnsRead(pass)
        return MadeNodes(nodes: [HorizontalNode(pass, input: columns, request)], rows: request.rows, columns: columns)
    }

    /// Creates a node for a pass along x.
    ///
    /// - Parameter input: the samples that arrive. The edge mode supplies the samples outside this range.
    private init(_ pass: Pass, input: Range<Int>, _ request: NodeRequest) {
        following = request.following
        kernels = request.kernels
        operation = pass.operation
        polyphase = PolyphaseTaps(pass.operation)
        taps = polyphase.storage
        channels = request.channels
        self.input = input
        output = request.columns
        let reach = pass.operation.reach(of: output)
        bufferStart = min(reach.lowerBound, input.lowerBound)
        let (start, channels) = (bufferStart, channels)
        let floats = (max(reach.upperBound, input.upperBound) - start) * channels
        rowsTogether = request.rowsArriving(bytes: 4 * floats, least: 4)
        rows = RowRing(rows: rowsTogether, floats: floats)
        edges = EdgeSamples(reach, outside: input, edge: pass.edge, bytesPerSample: 4 * channels) {
            ($0 - start) * 4 * channels
        }
        filter = RowFilter(polyphase, inputs: polyphase.count, outputs: 1)
    }

    /// Returns the address of a sample of an input row.
    private func sample(_ index: Int, of row: Int) -> UnsafeMutablePointer<Float> {
        unsafe rows.row(row) + (index - bufferStart) * channels
    }

    var inputKind: RowKind { .floats }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer {
        unsafe UnsafeMutableRawPointer(sample(input.lowerBound, of: index))
    }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        for part in rows.parts(of: following.rowsTogether) {
            for index in part { compute(index) }
            try following.accept(part)
        }
    }

    private func compute(_ index: Int) {
        unsafe edges.fill(UnsafeMutableRawPointer(rows.row(index)))
        let out = unsafe following.inputRow(index).assumingMemoryBound(to: Float.self)
        let from = unsafe UnsafePointer(sample(polyphase.first(output.lowerBound), of: index))
        let table = unsafe kernels.table
        let count = Int32(polyphase.count)
        let pixels = Int32(output.count)
        switch operation {
        case .convolve:
            for t in 0..<polyphase.count { unsafe filter.setInput(t, UnsafeRawPointer(from + t * channels)) }
            unsafe filter.setOutput(0, UnsafeMutableRawPointer(out), start: 0, isOdd: false)
            filter.run(inputs: polyphase.count, outputs: 1, count: output.count * channels, kernels)
        case .decimate:
            unsafe table.pointee.decimate(from, taps.row(0), count, out, pixels, Int32(channels))
        case .interpolate:
            unsafe table.pointee.interpolate(
                from, taps.row(0), taps.row(1), count, Int32(polyphase.half), out, Int32(output.lowerBound & 1), pixels,
                Int32(channels))
        }
    }
}
