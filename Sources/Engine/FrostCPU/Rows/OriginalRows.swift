import FrostCore

/// Gives output stages access to the rows of the source.
///
/// SAFETY: the images outlive the run.
@safe enum Originals {
    case source(PixelSource, extent: Rect)
    /// Pushed rows, which are kept as long as they are needed.
    case kept(OriginalRows)

    func row(_ y: Int) -> Row? {
        switch self {
        case .source(let source, let extent): unsafe Row(reading: source.row(y - extent.y))
        case .kept(let rows): rows.row(y)
        }
    }
}

/// Rows of an image that arrive one after the other. Each row is kept until the last row of the result that reads it
/// has been written.
final class OriginalRows {
    private let bytesPerRow: Int
    /// For each row of the image, the last row of the result that reads it.
    private var lastUse: [Int: Int] = [:]
    private var rows: [Int: RowStorage] = [:]

    init(_ plan: Plan, bytesPerRow: Int) {
        self.bytesPerRow = bytesPerRow
        for y in plan.region.rows {
            if let row = plan.imageEdge.map(y, into: plan.extent.rows) { lastUse[row] = y }
        }
    }

    func keep(_ row: Int, _ bytes: Row) throws(CPUError) {
        guard lastUse[row] != nil else { return }
        let storage = try RowStorage(rows: 1, floats: (bytesPerRow + 3) / 4, zeroed: false)
        storage.row(0).copy(from: bytes, byteCount: bytesPerRow)
        rows[row] = storage
    }

    func row(_ row: Int) -> Row? { rows[row]?.row(0) }

    /// Discards the rows that are no longer needed: those that no row of the result from `next` on reads.
    func forget(before next: Int) {
        for row in rows.keys where lastUse[row, default: next] < next { rows[row] = nil }
    }
}
