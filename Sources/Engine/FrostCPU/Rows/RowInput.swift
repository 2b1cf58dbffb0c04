import FrostCore

/// The source of a chain's input rows.
///
/// SAFETY: bands on several threads share one value and only read from it. The memory outlives the call that creates
/// the value.
@safe enum RowInput: @unchecked Sendable {
    /// An image supplied by the caller. If `decoding` is not nil, it decodes the samples to linear light. Nodes then cannot
    /// read the image directly; ``read(_:columns:as:into:)`` reads and decodes each row.
    case image(ImageRows, RowConversion, decoding: TransferFunction?)
    case plane(RowPlane)

    /// Fills memory with the given columns of rows. The edge mode supplies rows outside the image.
    ///
    /// - Parameter out: returns the memory of a row.
    func read(_ rows: Range<Int>, columns: Range<Int>, as kind: RowKind, into out: (Int) -> Row) {
        switch self {
        case .image(let image, let conversion, let decoding):
            for row in rows {
                if let from = image.row(row, from: columns.lowerBound) {
                    conversion.read(from, count: columns.count, into: out(row), as: kind, decoding: decoding)
                } else {
                    out(row).clear(byteCount: columns.count * conversion.working.count * kind.size)
                }
            }
        case .plane(let plane):
            for row in rows {
                plane.kind.convert(
                    plane.row(row, from: columns.lowerBound), to: kind, out(row), columns.count * plane.channels, .best)
            }
        }
    }
}

/// A low-resolution image between two groups of passes. Only some of its rows may exist at the same time: a new row then
/// takes the memory of the row that is ``rows`` rows before it.
final class RowPlane {
    let window: Rect
    let channels: Int
    let kind: RowKind
    /// The number of consecutive rows that exist at the same time.
    private let rows: Int
    private let storage: RowStorage

    /// Allocates memory for an image that covers `window`.
    ///
    /// - Parameters:
    ///   - kind: ``RowKind/floats`` or ``RowKind/fixed``.
    ///   - rows: the number of consecutive rows that exist at the same time; nil for all rows.
    init(window: Rect, channels: Int, kind: RowKind, rows: Int? = nil) throws(CPUError) {
        self.window = window
        self.channels = channels
        self.kind = kind
        self.rows = rows ?? window.height
        let floats = Self.floatsPerRow(window.width, channels: channels, kind: kind)
        storage = try RowStorage(rows: self.rows, floats: floats, zeroed: false)
    }

    static func floatsPerRow(_ width: Int, channels: Int, kind: RowKind) -> Int {
        (width * channels * kind.size + 3) / 4
    }

    func row(_ row: Int, from column: Int) -> Row {
        storage.row((row - window.y) % rows) + (column - window.x) * channels * kind.size
    }
}
