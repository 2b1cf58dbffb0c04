import CFrostKernels
import FrostCore

/// A node for the decimations of a mosaic: the means of cells of bytes. Rows are added up as they arrive, in 16 bits, which
/// holds the sum of 256 rows. All sums are exact.
final class CellMeans: FlowNode {
    private let following: any FlowNode
    private let kernels: KernelSet
    private let edge = EdgeRule(.clamp)
    let inputRows: Range<Int>
    let inputColumns: Range<Int>
    let rowsTogether: Int
    /// The base-2 logarithms of a cell's width and height.
    private let level: (x: Int, y: Int)
    private let channels: Int
    private let sums: RowStorage
    private let list: RowList
    /// The rows that have arrived; nil if they are read from `image`.
    private let ring: RowRing?
    private var image: ImageRows?
    private var next = 0

    /// Creates a node for the first passes of a chain: decimations along y and along x, with two equal taps.
    init(_ passes: [Pass], _ request: NodeRequest) throws(CPUError) {
        following = request.following
        kernels = request.kernels
        channels = request.channels
        level = (passes.count { $0.axis == .x }, passes.count { $0.axis == .y })
        let (rows, columns, image) = (request.rows, request.columns, request.plan.plan.extent)
        inputRows = edge.window(of: rows.scaled(by: level.y), in: image.rows)
        inputColumns = edge.window(of: columns.scaled(by: level.x), in: image.columns)
        rowsTogether = request.input == nil ? 1 : 16
        let bytes = inputColumns.count * channels
        sums = try RowStorage(rows: 1, fixed: bytes)
        list = RowList(rowsTogether)
        if case .image(let image, let conversion, nil)? = request.input, conversion.directKind == .plain {
            self.image = image
            ring = nil
        } else {
            ring = try RowRing(rows: rowsTogether, floats: (bytes + 3) / 4)
        }
    }

    var inputKind: RowKind { .bytes }
    var readsDirectly: Bool { ring == nil }

    func inputRow(_ index: Int) -> Row { ring?.row(index) ?? sums.row(0) }

    func start(_ memory: CallerMemory) {
        next = following.inputRows.lowerBound << level.y
        if let pixels = unsafe memory.source { unsafe image?.read(pixels) }
    }

    func accept(_ rows: Range<Int>) throws(CPUError) {
        let end = following.inputRows.upperBound << level.y
        while next < end {
            let isFirst = next & (1 << level.y - 1) == 0
            var count = 0
            repeat {
                guard let index = edge.map(next, into: inputRows), rows.contains(index) else { break }
                list.set(count, image.flatMap { $0.row(index, from: inputColumns.lowerBound) } ?? inputRow(index))
                count += 1
                next += 1
            } while count < rowsTogether && next & (1 << level.y - 1) != 0
            if count == 0 { return }
            unsafe kernels.table.pointee.cell_sums(
                list.pointers(), Int32(count), sums.row(0).fixed, Int32(inputColumns.count * channels), isFirst ? 1 : 0)
            guard next & (1 << level.y - 1) == 0 else { continue }
            let (row, columns) = (next >> level.y - 1, following.inputColumns)
            unsafe kernels.table.pointee.cell_means(
                sums.row(0).fixed, Int32(columns.lowerBound << level.x - inputColumns.lowerBound),
                Int32(inputColumns.count), Int32(level.x), Int32(level.y), following.inputRow(row).floats,
                Int32(columns.count), Int32(channels))
            try following.accept(row..<row + 1)
        }
    }
}

/// A node for the interpolations of a mosaic: copies of each sample. All rows of a cell are the same, so the end of the
/// chain gets one of them.
final class CellCopies: FlowNode {
    private let following: any FlowNode
    /// The end of the chain, if it belongs to the caller's image.
    private let end: TargetEnd?
    private let kernels: KernelSet
    private let edge = EdgeRule(.clamp)
    let inputRows: Range<Int>
    let inputColumns: Range<Int>
    let rowsTogether: Int
    private let level: (x: Int, y: Int)
    private let channels: Int
    private let rows: RowRing
    private let pixels: RowStorage
    private var next = 0

    /// Creates a node for interpolations along x and along y, with two equal taps.
    init(_ passes: [Pass], _ request: NodeRequest) throws(CPUError) {
        following = request.following
        end = following as? TargetEnd
        channels = request.channels
        pixels = try RowStorage(rows: 1, floats: request.columns.count * channels)
        kernels = request.kernels
        level = (passes.count { $0.axis == .x }, passes.count { $0.axis == .y })
        let window = request.plan.plan.window(of: passes[0].from)
        inputRows = edge.window(of: request.rows.cells(level.y), in: window.rows)
        inputColumns = edge.window(of: request.columns.cells(level.x), in: window.columns)
        rowsTogether = request.input == nil ? 1 : 4
        rows = try RowRing(rows: rowsTogether, floats: inputColumns.count * channels)
    }

    var inputKind: RowKind { .floats }

    func inputRow(_ index: Int) -> Row { rows.row(index) }

    func start(_ memory: CallerMemory) { next = following.inputRows.lowerBound }

    func accept(_ arrived: Range<Int>) throws(CPUError) {
        let output = following.inputRows
        while next < output.upperBound {
            let cell = next >> level.y
            guard let index = edge.map(cell, into: inputRows), arrived.contains(index) else { return }
            let copies = next..<min((cell + 1) << level.y, output.upperBound)
            let row = pixels.row(0)
            let columns = following.inputColumns
            unsafe kernels.table.pointee.cell_copies(
                inputRow(index).floats, Int32(inputColumns.count), Int32(level.x),
                Int32(columns.lowerBound - inputColumns.lowerBound << level.x), row.floats, Int32(columns.count),
                Int32(channels))
            next = copies.upperBound
            if let end {
                try end.accept(copies, of: row)
                continue
            }
            for part in copies.parts(of: following.rowsTogether) {
                for index in part {
                    following.inputRow(index).copy(from: row, byteCount: 4 * columns.count * channels)
                }
                try following.accept(part)
            }
        }
    }
}

extension Range<Int> {
    /// Returns the pixels of cells of `2^level` pixels.
    fileprivate func scaled(by level: Int) -> Range<Int> { lowerBound << level..<upperBound << level }

    /// Returns the cells of `2^level` pixels to which pixels belong.
    func cells(_ level: Int) -> Range<Int> {
        isEmpty ? self : lowerBound >> level..<(upperBound - 1) >> level + 1
    }
}
