import Frost

extension PixelBuffer {
    /// Returns the picture at the same or a smaller size, as 8-bit premultiplied RGBA. Every pixel is the mean of the
    /// source area that it covers.
    func reduced(width: Int, height: Int) throws(PixelError) -> PixelBuffer {
        let rows = SampleRows(self).expanded(to: .rgba)
        let columns = areaShares(of: rows.width, among: width)
        let layout = try PixelLayout(width: width, height: height, format: PixelFormat(.rgba, alpha: .premultiplied))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(layout.byteCount)
        var last: (index: Int, row: [Double])?
        for lines in areaShares(of: rows.height, among: height) {
            var sums = [Double](repeating: 0, count: rows.width * 4)
            for (index, share) in lines {
                // A source row at the border of two result rows contributes to both.
                let row = last?.index == index ? last?.row ?? [] : rows[index]
                last = (index, row)
                for i in sums.indices { sums[i] += row[i] * share }
            }
            for pixels in columns {
                for c in 0..<4 {
                    let value = pixels.reduce(0) { $0 + sums[4 * $1.index + c] * $1.share }
                    bytes.append(UInt8((min(max(value, 0), 1) * 255).rounded()))
                }
            }
        }
        return try PixelBuffer(layout: layout, bytes: bytes)
    }
}
