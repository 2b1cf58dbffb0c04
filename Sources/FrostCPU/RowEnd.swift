import FrostCore

/// Where a band's rows come from or go to.
///
/// SAFETY: bands on several threads share one value. They only read from inputs, and write disjoint rows of outputs;
/// the memory outlives the call that made the value.
@safe enum RowEnd: @unchecked Sendable {
    case pixels(PixelSource, RowConversion, extent: Rect, edge: EdgeMode)
    case floats(FloatPlane)
    case target(PixelTarget, RowConversion, region: Rect)

    /// Fills `out` with the given columns of a row. Rows beyond an image are those that its edge mode puts there.
    func read(_ row: Int, columns: Range<Int>, into out: UnsafeMutablePointer<Float>) {
        switch self {
        case .pixels(let source, let conversion, let extent, let edge):
            guard let row = edge.map(row, into: extent.rows) else { return }
            let offset = (columns.lowerBound - extent.x) * conversion.format.bytesPerPixel
            unsafe conversion.load(source.row(row - extent.y) + offset, count: columns.count, into: out)
        case .floats(let plane):
            let offset = (columns.lowerBound - plane.window.x) * plane.channels
            unsafe out.update(from: plane.row(row) + offset, count: columns.count * plane.channels)
        case .target: break
        }
    }

    /// Takes a finished row.
    func write(_ row: Int, _ values: UnsafePointer<Float>) {
        switch self {
        case .target(let target, let conversion, let region):
            unsafe conversion.store(values, count: region.width, into: target.row(row - region.y))
        case .floats(let plane):
            unsafe plane.row(row).update(from: values, count: plane.window.width * plane.channels)
        case .pixels: break
        }
    }
}

/// A low-resolution image between two groups of passes.
final class FloatPlane {
    let window: Rect
    let channels: Int
    private let storage: RowStorage

    init(window: Rect, channels: Int) {
        self.window = window
        self.channels = channels
        storage = RowStorage(rows: window.height, floats: window.width * channels)
    }

    func row(_ row: Int) -> UnsafeMutablePointer<Float> { unsafe storage.row(row - window.y) }
}
