import FrostCore

/// A rectangle of the output's texels that one triangle covers.
package struct DrawPart: Hashable, Sendable {
    package private(set) var columns: Range<Int>
    package private(set) var rows: Range<Int>
    /// Whether the shader may read samples outside the image.
    package let hasEdges: Bool
    /// The number of texels that are fetched for this part. The CPU waits for the GPU after a certain number of
    /// fetches. The value is 0 if the fetches of this part need not be counted for this purpose.
    private(set) var reads = 0.0

    package init(columns: Range<Int>, rows: Range<Int>, hasEdges: Bool = false) {
        self.columns = columns
        self.rows = rows
        self.hasEdges = hasEdges
    }

    /// The number of texel fetches after which the CPU waits for the GPU. Software GL takes a few seconds for this
    /// number of fetches. A GPU takes far less than the time after which an operating system considers a GPU hung.
    package static let readLimit = 0x1p30

    /// An estimate of the time that the part takes, in texel fetches of a loop. A part whose fetches are not counted
    /// belongs to a separable blur. Its program has no loop at full resolution and takes about as long as two such
    /// fetches a texel.
    package var cost: Double { max(reads, 2 * Double(columns.count * rows.count)) }

    /// Divides the part into bands of rows. A band costs at most `limit`, or it has a single row.
    package func bands(cost limit: Double) -> [DrawPart] {
        let height = max(1, Int(limit / cost * Double(rows.count)))
        guard height < rows.count else { return [self] }
        return bands(height: height, readsOfRow: reads / Double(rows.count))
    }

    /// Divides the part into bands of rows. A band has at most `limit` texel fetches, or it has a single row.
    ///
    /// - Parameter readCount: the number of texels that are fetched for one texel of the output.
    func bands(readCount: Double, limit: Double = DrawPart.readLimit) -> [DrawPart] {
        let readsOfRow = readCount * Double(columns.count)
        return bands(height: Int(min(max(1, limit / readsOfRow), Double(rows.count))), readsOfRow: readsOfRow)
    }

    private func bands(height: Int, readsOfRow: Double) -> [DrawPart] {
        stride(from: rows.lowerBound, to: rows.upperBound, by: height).map {
            var band = self
            band.rows = $0..<min($0 + height, rows.upperBound)
            band.reads = readsOfRow * Double(band.rows.count)
            return band
        }
    }
}

extension Rect {
    /// Divides an output of this rectangle's size into up to five rectangles. The texels `inside` along the axis need
    /// no edge rule. The rectangles around them need the edge rule.
    func parts(along axis: Axis, inside: Range<Int>) -> [DrawPart] {
        switch axis {
        case .x: parts(insideX: inside, insideY: 0..<height)
        case .y: parts(insideX: 0..<width, insideY: inside)
        }
    }

    /// Divides an output in the same way for edge rules along both axes.
    func parts(insideX: Range<Int>, insideY: Range<Int>) -> [DrawPart] {
        [
            DrawPart(columns: 0..<width, rows: 0..<insideY.lowerBound, hasEdges: true),
            DrawPart(columns: 0..<insideX.lowerBound, rows: insideY, hasEdges: true),
            DrawPart(columns: insideX, rows: insideY),
            DrawPart(columns: insideX.upperBound..<width, rows: insideY, hasEdges: true),
            DrawPart(columns: 0..<width, rows: insideY.upperBound..<height, hasEdges: true),
        ].filter { !$0.columns.isEmpty && !$0.rows.isEmpty }
    }
}
