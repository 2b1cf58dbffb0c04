import CFrostKernels
import FrostCore

/// A node for a 2-D kernel along the lines to a centre (zoom blur). It keeps all rows that it reads, and computes its
/// output when the last row has arrived. ``ZoomRays`` computes the pixels that have long lines.
///
/// Columns and rows count from the origin of the image, so that a pixel's numbers do not depend on the region.
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
    /// For each row that is read, including rows outside the image, the address of its pixel in the image's first column.
    private let rows: RowList<Float>
    private let firstRow: Int
    private let finished: RowStorage
    private let origin: (x: Int, y: Int)
    private let reach: Rect
    private let rays: ZoomRays?
    private let block: Int

    /// The numbers of rows (`block`) and of pixels in a row (`strip`) that are computed together. These pixels read
    /// along lines that run side by side, so most of what they read is already in the core's own cache.
    private static let block = 32
    private static let strip = 64
    /// The approximate number of rows in a block if rays are used. The sums along rays begin anew in each block.
    private static let rayBlock = 256

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
        let extent = request.plan.plan.extent
        origin = (extent.x, extent.y)
        self.reach = reach
        rays = request.plan.reader.integerMaximum.flatMap { ZoomRays(zoom, maximum: $0, output: output) }
        rows = RowList(reach.height)
        firstRow = reach.y
        for (index, row) in reach.rows.enumerated() {
            let place = rowEdge.map(row, into: input.rows)
            let from = unsafe place.map { unsafe storage.row($0 - input.y) } ?? blank.row(0)
            unsafe rows.set(index, UnsafePointer(from + (origin.x - start) * channels))
        }
        self.storage = storage
        self.blank = blank
        // Blocks with rays have equal heights, because a low block takes nearly as long as a high one.
        let rayBlocks = max(1, (output.height + Self.rayBlock / 2) / Self.rayBlock)
        block = rays == nil ? min(output.height, Self.block) : (output.height + rayBlocks - 1) / rayBlocks
        finished = RowStorage(rows: block, floats: output.width * channels)
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
            let rows = next..<min(next + block, output.rows.upperBound)
            try make(rows)
            next = rows.upperBound
            try following.accept(rows, from: finished, byteCount: output.width * channels * 4)
        }
    }

    private func make(_ block: Range<Int>) throws(CPUError) {
        for first in stride(from: block.lowerBound, to: block.upperBound, by: Self.block) {
            let rows = first..<min(first + Self.block, block.upperBound)
            for column in stride(from: output.x, to: output.columns.upperBound, by: Self.strip) {
                if cancellation?.isCancelled == true { throw .cancelled }
                let columns = column..<min(column + Self.strip, output.columns.upperBound)
                for row in rows { unsafe addLines(row, columns, finished.row(row - block.lowerBound)) }
            }
        }
        guard let rays else { return }
        var zoom = unsafe frost_zoom_rays()
        unsafe zoom.rows = UnsafePointer(rows.base - (firstRow - origin.y))
        unsafe (zoom.read_first_column, zoom.read_end_column) = range(reach.columns, origin.x)
        unsafe (zoom.read_first_row, zoom.read_end_row) = range(reach.rows, origin.y)
        unsafe (zoom.first_column, zoom.end_column) = range(output.columns, origin.x)
        unsafe (zoom.first_row, zoom.end_row) = range(block, origin.y)
        unsafe zoom.out = finished.row(0)
        unsafe zoom.out_stride = Int32(finished.stride)
        unsafe zoom.channels = Int32(channels)
        unsafe zoom.centre_x = self.zoom.centerX - Double(origin.x)
        unsafe zoom.centre_y = self.zoom.centerY - Double(origin.y)
        unsafe (zoom.inward, zoom.outward) = (self.zoom.inward, self.zoom.outward)
        for octave in rays.octaves {
            if cancellation?.isCancelled == true { throw .cancelled }
            unsafe rays.compute(octave, &zoom, kernels)
        }
    }

    private func range(_ range: Range<Int>, _ origin: Int) -> (Int32, Int32) {
        (Int32(range.lowerBound - origin), Int32(range.upperBound - origin))
    }

    /// Computes the pixels of a row that do not use rays, in a range of columns.
    private func addLines(_ row: Int, _ columns: Range<Int>, _ out: UnsafeMutablePointer<Float>) {
        let table = unsafe kernels.table.pointee
        let (centerX, height) = (zoom.centerX - Double(origin.x), abs(zoom.centerY - Double(row)))
        var first = columns.lowerBound
        while first < columns.upperBound {
            // Adjacent pixels are computed by one call.
            func usesRays(_ column: Int) -> Bool {
                rays?.contains(max(abs(Double(column - origin.x) - centerX), height)) ?? false
            }
            var end = first + 1
            let skips = usesRays(first)
            while end < columns.upperBound, usesRays(end) == skips { end += 1 }
            if !skips {
                unsafe table.zoom(
                    rows.base + (row - firstRow), centerX, zoom.centerY - Double(row), Float(zoom.inward),
                    Float(zoom.outward), out - (output.x - origin.x) * channels, Int32(first - origin.x),
                    Int32(end - first), Int32(channels))
            }
            first = end
        }
    }
}
