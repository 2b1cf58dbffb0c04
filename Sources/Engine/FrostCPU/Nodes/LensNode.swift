import CFrostKernels
import FrostCore

/// A node that shows its input through lenses along the edges of shapes; see ``Refraction``.
///
/// It keeps the rows that any offset can reach. Each output row is copied, and then the pixels in the bands along the edges are
/// interpolated again: pixels beside straight edges share their offsets, so these are computed once for each row or column.
final class LensNode: FlowNode {
    private let following: any FlowNode
    let inputKind: RowKind
    let inputRows: Range<Int>
    let inputColumns: Range<Int>
    let rowsTogether: Int
    private let output: Rect
    private let channels: Int
    private let kernels: KernelSet
    private let rows: RowRing
    /// The number of rows above and below an output row that its pixels read.
    private let reach: Int
    private let samples: Int
    /// By what the offset of each channel is multiplied; empty if by 1 for all.
    private let factors: [Float]
    private let shapes: [LensShape]
    /// The pixels that the interpolation before has written to the target. They are not computed.
    private let plain: PlainPixels?
    /// The pixels that move in the middle rows, which are the same ones in all of them.
    private let sides: [LensShape.Run]
    private var known: [SIMD3<Int>: [LensShape.Moved]] = [:]
    private var keptOffsets = 0
    private var next = 0
    private var cancellation: Cancellation?

    init(_ refraction: Refraction, kind: RowKind, _ request: NodeRequest) throws(CPUError) {
        following = request.following
        inputKind = kind
        channels = request.channels
        kernels = request.kernels
        output = Rect(columns: request.columns, rows: request.rows)
        let read = refraction.reach(of: output)
        (inputColumns, inputRows) = (read.columns, read.rows)
        reach = Int(refraction.lens.reach.rounded(.up)) + 1
        samples = refraction.sampling * refraction.sampling
        rowsTogether = request.rowsArriving(bytes: kind.size * read.width * channels)
        // The rows for a block of the following node, and those that arrive with its last one.
        rows = try RowRing(
            rows: 2 * reach + following.rowsTogether + rowsTogether + 1,
            floats: (read.width * channels * kind.size + 3) / 4)
        plain = request.plain
        factors = refraction.lens.factors(request.plan.reader.working)
        let shapes = LensShape.all(refraction, columns: request.columns)
        self.shapes = shapes
        sides = request.plain.map { plain in shapes.flatMap { $0.runs(plain.middle.y) } } ?? []
    }

    func inputRow(_ index: Int) -> Row { rows.row(index) }

    func start(_ memory: CallerMemory) {
        next = output.y
        cancellation = memory.cancellation
    }

    func accept(_ arrived: Range<Int>) throws(CPUError) {
        while next < output.rows.upperBound {
            if cancellation?.isCancelled == true { throw .cancelled }
            // The following node may need as many rows as it takes together.
            let block = next..<min(next + following.rowsTogether, output.rows.upperBound)
            guard min(block.upperBound - 1 + reach, inputRows.upperBound - 1) < arrived.upperBound else { return }
            for row in block { compute(row, following.inputRow(row)) }
            next = block.upperBound
            try following.accept(block)
        }
    }

    private func compute(_ y: Int, _ out: Row) {
        let size = channels * inputKind.size
        func copy(_ columns: Range<Int>) {
            (out + (columns.lowerBound - output.x) * size).copy(
                from: rows.row(y) + (columns.lowerBound - inputColumns.lowerBound) * size,
                byteCount: columns.count * size)
        }
        let done = plain?.columns(y) ?? 0..<0
        if done.isEmpty {
            copy(output.columns)
        } else {
            copy(output.x..<done.lowerBound)
            copy(done.upperBound..<output.columns.upperBound)
        }
        let near = (y - reach..<y + reach + 2).clamped(to: inputRows)
        func show(_ run: LensShape.Run) {
            func place(_ columns: Range<Int>) -> Row { out + (columns.lowerBound - output.x) * size }
            switch run {
            case .along(let columns, let offsets):
                if samples == 1, factors.isEmpty, offsets[0].x == 0 {
                    mix(columns, y, offsets[0].y, place(columns))
                } else {
                    refract(columns, y, offsets, areShared: true, near, place(columns))
                }
            case .across(let columns, let offsets):
                refract(columns, y, offsets, areShared: false, (y..<y + 2).clamped(to: inputRows), place(columns))
            case .points(let columns):
                for (part, offsets) in offsets(columns, y) {
                    refract(part, y, offsets, areShared: false, near, place(part))
                }
            }
        }
        if let plain, plain.middle.rows.contains(y) {
            for run in sides { show(run) }
        } else {
            for shape in shapes { for run in shape.runs(y) { show(run) } }
        }
    }

    /// Returns the offsets of pixels near corners. A driver that is kept for the next image keeps them too.
    private func offsets(_ columns: Range<Int>, _ y: Int) -> [LensShape.Moved] {
        let key = SIMD3(columns.lowerBound, columns.upperBound, y)
        if let known = known[key] { return known }
        let made = shapes.offsets(columns, y)
        keptOffsets += made.reduce(0) { $0 + $1.offsets.count }
        if keptOffsets <= Self.mostKept { known[key] = made }
        return made
    }

    /// The maximum number of offsets to keep: a megabyte.
    private static let mostKept = 1 << 17

    /// Writes pixels whose offsets are along y only, and equal.
    private func mix(_ columns: Range<Int>, _ y: Int, _ offset: Float, _ out: Row) {
        let whole = offset.rounded(.down)
        let at = (columns.lowerBound - inputColumns.lowerBound) * channels * inputKind.size
        func row(_ index: Int) -> Row { rows.row(min(max(index, inputRows.lowerBound), inputRows.upperBound - 1)) + at }
        let (from, to) = (row(y + Int(whole)), row(y + Int(whole) + 1))
        let (table, count) = unsafe (kernels.table, Int32(columns.count * channels))
        switch inputKind {
        case .floats: unsafe table.pointee.mix_floats(from.floats, to.floats, offset - whole, out.floats, count)
        case .fixed: unsafe table.pointee.mix_fixed(from.fixed, to.fixed, offset - whole, out.fixed, count)
        case .bytes: preconditionFailure("a lens reads numbers")
        }
    }

    /// Writes pixels at offsets.
    ///
    /// - Parameters:
    ///   - areShared: whether all pixels have the same offsets.
    ///   - near: the rows that the offsets reach.
    private func refract(
        _ columns: Range<Int>, _ y: Int, _ offsets: [SIMD2<Float>], areShared: Bool, _ near: Range<Int>, _ out: Row
    ) {
        let column = Int32(columns.lowerBound - inputColumns.lowerBound)
        let (count, step) = (Int32(columns.count), areShared ? 0 : Int32(2 * samples))
        let table = unsafe kernels.table
        // SAFETY: there are `samples` offsets, or as many for each column, and the kernels limit places to the rows.
        unsafe withUnsafeTemporaryAllocation(of: UnsafeRawPointer?.self, capacity: near.count) { pointers in
            for (index, row) in near.enumerated() {
                unsafe pointers.initializeElement(at: index, to: UnsafeRawPointer(rows.row(row).address))
            }
            unsafe offsets.withUnsafeBytes { offsets in
                unsafe factors.withUnsafeBufferPointer { factors in
                    guard let offsets = unsafe offsets.baseAddress?.assumingMemoryBound(to: Float.self) else { return }
                    var lens = unsafe frost_lens(
                        rows: UnsafePointer(pointers.baseAddress), row_count: Int32(near.count),
                        width: Int32(inputColumns.count), own_row: Int32(y - near.lowerBound),
                        channels: Int32(channels), samples: Int32(samples),
                        factors: factors.isEmpty ? nil : factors.baseAddress)
                    switch inputKind {
                    case .floats: unsafe table.pointee.lens_floats(&lens, column, offsets, step, out.floats, count)
                    case .fixed: unsafe table.pointee.lens_fixed(&lens, column, offsets, step, out.fixed, count)
                    case .bytes: preconditionFailure("a lens reads numbers")
                    }
                }
            }
        }
    }
}

extension Lens {
    /// Returns by what the offset of each channel is multiplied; empty if by 1 for all. Grey has the offset of green.
    fileprivate func factors(_ layout: ChannelLayout) -> [Float] {
        guard dispersion > 0, !layout.isGrey else { return [] }
        var factors = [Float](repeating: 1, count: layout.count)
        let colors = layout.order.colors
        (factors[colors[0]], factors[colors[2]]) = (Float(1 - dispersion), Float(1 + dispersion))
        return factors
    }
}
