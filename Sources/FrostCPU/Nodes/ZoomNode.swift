import CFrostKernels
import FrostCore

/// A node for a 2-D kernel along the lines to a centre (zoom blur). It keeps all rows that it reads, and computes its
/// output when the last row has arrived.
@safe final class ZoomNode: FlowNode {
    private let following: any FlowNode
    private let zoom: Kernel2D.Zoom
    private let kernels: KernelSet
    private var cancellation: Cancellation?
    private let channels: Int
    private let input: Rect
    private let output: Rect
    private let bufferStart: Int
    private let edges: EdgeSamples
    private let storage: RowStorage
    private let blank: RowStorage
    /// For each row that is read, including rows outside the image, the address of its pixel in the first column of the
    /// output.
    private let rows: RowList<Float>
    private let firstRow: Int
    private let finished: RowStorage

    /// The numbers of rows (`block`) and of pixels in a row (`strip`) that are computed together. These pixels read
    /// along lines that run side by side, so most of what they read is already in the core's own cache.
    private static let block = 32
    private static let strip = 64

    static func make(_ zoom: Kernel2D.Zoom, _ kernel: Kernel2D, _ request: NodeRequest) -> MadeNodes {
        let extent = request.plan.plan.extent
        let reach = Rect(
            columns: kernel.reach(of: request.columns, along: .x), rows: kernel.reach(of: request.rows, along: .y))
        let inAnyOrder = request.arrivesInAnyOrder(reach.rows, of: extent.rows, kernel.edge)
        let input = Rect(
            columns: kernel.input(for: request.columns, of: extent.columns, along: .x),
            rows: inAnyOrder ? reach.rows : kernel.input(for: request.rows, of: extent.rows, along: .y))
        let node = ZoomNode(
            zoom, reach: reach, input: input, edge: kernel.edge, rowEdge: inAnyOrder ? .clamp : kernel.edge, request)
        return MadeNodes(nodes: [node], rows: input.rows, columns: input.columns)
    }

    /// Creates a node for a zoom blur.
    ///
    /// - Parameters:
    ///   - reach: the pixels that are read, before the edge mode is applied.
    ///   - input: the pixels that arrive. The edge modes supply the pixels outside this rectangle.
    ///   - rowEdge: the edge mode along y.
    private init(
        _ zoom: Kernel2D.Zoom, reach: Rect, input: Rect, edge: EdgeMode, rowEdge: EdgeMode, _ request: NodeRequest
    ) {
        let (channels, output) = (request.channels, Rect(columns: request.columns, rows: request.rows))
        following = request.following
        self.zoom = zoom
        kernels = request.kernels
        cancellation = request.cancellation
        self.channels = channels
        self.input = input
        self.output = output
        let start = min(reach.x, input.x)
        bufferStart = start
        let width = max(reach.columns.upperBound, input.columns.upperBound) - start
        edges = EdgeSamples(
            reach.columns, outside: input.columns, edge: EdgeRule(edge), bytesPerSample: 4 * channels
        ) { ($0 - start) * 4 * channels }
        let storage = RowStorage(rows: input.height, floats: width * channels, zeroed: false)
        let blank = RowStorage(rows: 1, floats: width * channels)
        rows = RowList(reach.height)
        firstRow = reach.y
        for (index, row) in reach.rows.enumerated() {
            let place = rowEdge.map(row, into: input.rows)
            let from = unsafe place.map { unsafe storage.row($0 - input.y) } ?? blank.row(0)
            unsafe rows.set(index, UnsafePointer(from + (output.x - start) * channels))
        }
        self.storage = storage
        self.blank = blank
        finished = RowStorage(rows: Self.block, floats: output.width * channels)
    }

    var inputKind: RowKind { .floats }
    let rowsTogether = 1

    private func pixel(_ row: Int, _ column: Int) -> UnsafeMutablePointer<Float> {
        unsafe storage.row(row - input.y) + (column - bufferStart) * channels
    }

    func inputRow(_ index: Int) -> UnsafeMutableRawPointer {
        unsafe UnsafeMutableRawPointer(pixel(index, input.x))
    }

    func restart(_ memory: CallerMemory) {
        cancellation = memory.cancellation
    }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        for index in rows { try accept(index) }
    }

    private func accept(_ index: Int) throws(CPUError) {
        unsafe edges.fill(UnsafeMutableRawPointer(pixel(index, bufferStart)))
        guard index == input.rows.upperBound - 1 else { return }
        var next = output.y
        while next < output.rows.upperBound {
            let rows = next..<min(next + Self.block, output.rows.upperBound)
            try make(rows)
            next = rows.upperBound
            try following.accept(rows, from: finished, byteCount: output.width * channels * 4)
        }
    }

    private func make(_ block: Range<Int>) throws(CPUError) {
        let table = unsafe kernels.table.pointee
        for first in stride(from: 0, to: output.width, by: Self.strip) {
            if cancellation?.isCancelled == true { throw .cancelled }
            for row in block {
                unsafe table.zoom(
                    rows.base + (row - firstRow), zoom.centerX - Double(output.x), zoom.centerY - Double(row),
                    Float(zoom.inward), Float(zoom.outward), finished.row(row - block.lowerBound), Int32(first),
                    Int32(min(Self.strip, output.width - first)), Int32(channels))
            }
        }
    }
}
