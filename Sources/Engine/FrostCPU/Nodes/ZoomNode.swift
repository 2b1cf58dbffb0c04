import CFrostKernels
import FrostCore

/// A node for a 2-D kernel along the lines to a centre (zoom blur). It keeps all rows that it reads, and computes its
/// output when the last row has arrived. ``ZoomRays`` computes the pixels that have long lines.
///
/// Columns and rows count from the origin of the image, so that a pixel's numbers do not depend on the region.
final class ZoomNode: FlowNode {
    private let following: any FlowNode
    private let zoom: KernelZoom
    private let kernels: KernelSet
    private var cancellation: Cancellation?
    private let channels: Int
    /// The pixels that arrive. The edge modes supply the pixels outside this rectangle.
    private let input: Rect
    private let output: Rect
    private let bufferStart: Int
    private let edges: EdgeSamples
    private let storage: RowStorage
    private let blank: RowStorage
    /// For each row that is read, including rows outside the image, the address of its pixel in the image's first column.
    private let rows: RowList
    private let finished: RowStorage
    private let origin: (x: Int, y: Int)
    /// The pixels that are read, before the edge mode is applied.
    private let reach: Rect
    private let rays: ZoomRays?
    private let block: Int

    /// The numbers of rows (`block`) and of pixels in a row (`strip`) that are computed together. These pixels read
    /// along lines that run side by side, so most of what they read is already in the core's own cache.
    private static let block = 32
    private static let strip = 64
    /// The approximate number of rows in a block if rays are used. The sums along rays begin anew in each block.
    private static let rayBlock = 256

    init(_ zoom: KernelZoom, _ kernel: Kernel2D, _ request: NodeRequest) throws(CPUError) {
        following = request.following
        self.zoom = zoom
        kernels = request.kernels
        channels = request.channels
        output = Rect(columns: request.columns, rows: request.rows)
        let extent = request.plan.plan.extent
        origin = (extent.x, extent.y)
        reach = Rect(
            columns: kernel.reach(of: request.columns, along: .x), rows: kernel.reach(of: request.rows, along: .y))
        let inAnyOrder = request.arrivesInAnyOrder(reach.rows, of: extent.rows, kernel.edge)
        input = Rect(
            columns: kernel.input(for: request.columns, of: extent.columns, along: .x),
            rows: inAnyOrder ? reach.rows : kernel.input(for: request.rows, of: extent.rows, along: .y))
        let (start, bytesPerPixel) = (min(reach.x, input.x), 4 * request.channels)
        bufferStart = start
        let width = max(reach.columns.upperBound, input.columns.upperBound) - start
        edges = EdgeSamples(
            reach.columns, outside: input.columns, edge: EdgeRule(kernel.edge), bytesPerSample: bytesPerPixel
        ) { ($0 - start) * bytesPerPixel }
        storage = try RowStorage(rows: input.height, floats: width * channels, zeroed: false)
        blank = try RowStorage(rows: 1, floats: width * channels)
        rays =
            if let maximum = request.plan.reader.integerMaximum {
                try ZoomRays(zoom, maximum: maximum, error: request.plan.zoomError, output: output)
            } else {
                nil
            }
        rows = RowList(reach.height)
        for (index, row) in reach.rows.enumerated() {
            let place = (inAnyOrder ? .clamp : kernel.edge).map(row, into: input.rows)
            let from = place.map { [storage, input] in storage.row($0 - input.y) } ?? blank.row(0)
            rows.set(index, from + (origin.x - start) * bytesPerPixel)
        }
        // Blocks with rays have equal heights, because a low block takes nearly as long as a high one.
        let rayBlocks = max(1, (output.height + Self.rayBlock / 2) / Self.rayBlock)
        block = rays == nil ? min(output.height, Self.block) : (output.height + rayBlocks - 1) / rayBlocks
        finished = try RowStorage(rows: block, floats: output.width * channels)
    }

    var inputKind: RowKind { .floats }
    var inputRows: Range<Int> { input.rows }
    var inputColumns: Range<Int> { input.columns }
    let rowsTogether = 1

    func inputRow(_ index: Int) -> Row {
        storage.row(index - input.y) + 4 * (input.x - bufferStart) * channels
    }

    func start(_ memory: CallerMemory) { cancellation = memory.cancellation }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        for index in rows { try accept(index) }
    }

    private func accept(_ index: Int) throws(CPUError) {
        // Until the last row, no other node asks.
        if cancellation?.isCancelled == true { throw .cancelled }
        edges.fill(storage.row(index - input.y))
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
                for row in rows { addLines(row, columns, finished.row(row - block.lowerBound)) }
            }
        }
        guard let rays else { return }
        var zoom = unsafe frost_zoom_rays()
        unsafe zoom.rows = rows.pointers(from: origin.y - reach.y)
        unsafe (zoom.read_first_column, zoom.read_end_column) = range(reach.columns, origin.x)
        unsafe (zoom.read_first_row, zoom.read_end_row) = range(reach.rows, origin.y)
        unsafe (zoom.first_column, zoom.end_column) = range(output.columns, origin.x)
        unsafe (zoom.first_row, zoom.end_row) = range(block, origin.y)
        unsafe zoom.out = finished.row(0).floats
        unsafe zoom.out_stride = Int32(finished.bytesPerRow / 4)
        unsafe zoom.channels = Int32(channels)
        unsafe zoom.centre_x = self.zoom.centerX - Double(origin.x)
        unsafe zoom.centre_y = self.zoom.centerY - Double(origin.y)
        unsafe (zoom.inward, zoom.outward) = (self.zoom.inward, self.zoom.outward)
        // An octave of a large picture takes a tenth of a second.
        if let cancellation {
            // SAFETY: this object keeps the cancellation longer than the calls last.
            unsafe zoom.cancellation = UnsafeRawPointer(Unmanaged.passUnretained(cancellation).toOpaque())
            unsafe zoom.is_cancelled = { pointer in
                let cancellation = unsafe pointer.map {
                    unsafe Unmanaged<Cancellation>.fromOpaque($0).takeUnretainedValue()
                }
                return cancellation?.isCancelled == true ? 1 : 0
            }
        }
        for octave in rays.octaves {
            unsafe rays.compute(octave, &zoom, kernels)
            if cancellation?.isCancelled == true { throw .cancelled }
        }
    }

    private func range(_ range: Range<Int>, _ origin: Int) -> (Int32, Int32) {
        (Int32(range.lowerBound - origin), Int32(range.upperBound - origin))
    }

    /// Computes the pixels of a row that do not use rays, in a range of columns.
    private func addLines(_ row: Int, _ columns: Range<Int>, _ out: Row) {
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
                    rows.pointers(from: row - reach.y), centerX, zoom.centerY - Double(row), Float(zoom.inward),
                    Float(zoom.outward), out.floats - (output.x - origin.x) * channels, Int32(first - origin.x),
                    Int32(end - first), Int32(channels))
            }
            first = end
        }
    }
}
