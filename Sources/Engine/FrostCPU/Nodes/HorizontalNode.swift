import CFrostKernels
import FrostCore

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
