import CFrostKernels
import FrostCore

/// A node for a pass along x, in floats. It needs one row at a time.
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
    private let storage: RowStorage
    private let edges: EdgeSamples
    private let kernels: KernelSet
    /// For a convolution: one address for each tap, which is the address of the row plus the offset of the tap.
    private var pointers: [UnsafePointer<Float>?] = unsafe []

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
        let bufferEnd = max(reach.upperBound, input.upperBound)
        storage = RowStorage(rows: 1, floats: (bufferEnd - bufferStart) * channels)
        edges = EdgeSamples(reach, outside: input, edge: pass.edge)
        if case .convolve(let taps) = pass.operation {
            let first = unsafe sample(reach.lowerBound)
            unsafe pointers = taps.indices.map { unsafe UnsafePointer(first + $0 * channels) }
        }
    }

    private func sample(_ index: Int) -> UnsafeMutablePointer<Float> {
        unsafe storage.row(0) + (index - bufferStart) * channels
    }

    var inputKind: RowKind { .floats }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer {
        unsafe UnsafeMutableRawPointer(sample(input.lowerBound))
    }

    func accept(_ index: Int) throws(CPUError) {
        unsafe edges.fill(channels: channels) { unsafe sample($0) }
        let out = unsafe following.inputRow(index).assumingMemoryBound(to: Float.self)
        let from = unsafe UnsafePointer(sample(polyphase.first(output.lowerBound)))
        let table = unsafe kernels.table.pointee
        let count = Int32(polyphase.count)
        let pixels = Int32(output.count)
        let channels = Int32(channels)
        switch operation {
        case .convolve:
            unsafe pointers.withUnsafeBufferPointer { rows in
                unsafe table.weighted_sum(rows.baseAddress, taps.row(0), count, out, pixels * channels)
            }
        case .decimate:
            unsafe table.decimate(from, taps.row(0), count, out, pixels, channels)
        case .interpolate:
            unsafe table.interpolate(
                from, taps.row(0), taps.row(1), count, Int32(polyphase.half), out, Int32(output.lowerBound & 1), pixels,
                channels)
        }
        try following.accept(index)
    }
}
