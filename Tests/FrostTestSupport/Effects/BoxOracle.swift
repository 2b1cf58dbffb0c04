import FrostCore

/// Computes box blurs in Double, as Apple's sample code UIImage+ImageEffects does, and without the library's blur code. Each
/// pass replaces every pixel by the mean of a box around it. The edge mode extends the input of each pass separately.
struct BoxOracle {
    var widthX: Int
    var widthY: Int
    var passes: Int
    var edge: EdgeMode
    /// True to compute a deliberately wrong variant, for comparison. In this variant the image is extended only once, before
    /// the first pass, and the results of the passes are not cropped to the image.
    var extendsOnce = false

    /// Computes the blurred pixels of a region.
    ///
    /// - Parameter image: the image in premultiplied RGBA. Its top left pixel lies at the origin.
    func render(_ image: SampleRows, region: Rect) -> SampleRows {
        let (rx, ry) = (widthX / 2, widthY / 2)
        var canvas = Canvas(
            columns: 0..<image.width, rows: 0..<image.height, lines: (0..<image.height).map { image[$0] })
        for pass in 1...passes {
            let isLast = pass == passes
            let keepsAll = edge == .clear || extendsOnce
            let (dx, dy) = keepsAll ? (rx * (passes - pass), ry * (passes - pass)) : (0, 0)
            let columns = isLast ? region.columns : keepsAll ? region.columns.grown(dx) : canvas.columns
            let rows = isLast ? region.rows : keepsAll ? region.rows.grown(dy) : canvas.rows
            canvas = canvas.averaged(columns, rows, rx, ry, edge)
        }
        return SampleRows(width: region.width, height: region.height, channels: .rgba) { canvas.lines[$0] }
    }

    private struct Canvas {
        var columns: Range<Int>
        var rows: Range<Int>
        var lines: [[Double]]

        func averaged(_ newColumns: Range<Int>, _ newRows: Range<Int>, _ rx: Int, _ ry: Int, _ edge: EdgeMode) -> Canvas
        {
            let count = 4 * newColumns.count
            let across = lines.map { line -> [Double] in
                var out = [Double](repeating: 0, count: count)
                for channel in 0..<4 {
                    var sums = [0.0]
                    for x in newColumns.grown(rx) {
                        let at = edge.place(x - columns.lowerBound, of: columns.count)
                        sums.append(sums[sums.count - 1] + (at.map { line[4 * $0 + channel] } ?? 0))
                    }
                    for x in 0..<newColumns.count {
                        out[4 * x + channel] = (sums[x + 2 * rx + 1] - sums[x]) / Double(2 * rx + 1)
                    }
                }
                return out
            }
            var sums = [[Double](repeating: 0, count: count)]
            for y in newRows.grown(ry) {
                let before = sums[sums.count - 1]
                let line = edge.place(y - rows.lowerBound, of: rows.count).map { across[$0] }
                sums.append(line.map { line in (0..<count).map { before[$0] + line[$0] } } ?? before)
            }
            let made = (0..<newRows.count).map { y -> [Double] in
                let (upper, lower) = (sums[y], sums[y + 2 * ry + 1])
                return (0..<count).map { (lower[$0] - upper[$0]) / Double(2 * ry + 1) }
            }
            return Canvas(columns: newColumns, rows: newRows, lines: made)
        }
    }
}

extension Range<Int> {
    fileprivate func grown(_ by: Int) -> Range<Int> { lowerBound - by..<upperBound + by }
}
