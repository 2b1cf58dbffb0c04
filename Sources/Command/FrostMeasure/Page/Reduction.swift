import Frost
import FrostCLI

extension PixelBuffer {
    /// Returns the size to which the picture is reduced so that no side is longer than `side`.
    func size(within side: Int) -> PictureSize {
        let factor = min(1, Double(side) / Double(max(width, height)))
        return PictureSize(
            width: max(1, Int((Double(width) * factor).rounded())),
            height: max(1, Int((Double(height) * factor).rounded())))
    }

    /// Returns the picture at the same or a smaller size, as 8-bit premultiplied RGBA. Every pixel is the mean of the
    /// source area that it covers.
    func reduced(to size: PictureSize) throws(CommandError) -> PixelBuffer {
        let rows = SampleRows(self).expanded(to: .rgba)
        let columns = areaShares(of: rows.width, among: size.width)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size.pixels * 4)
        var last: (index: Int, row: [Double])?
        for lines in areaShares(of: rows.height, among: size.height) {
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
        do throws(PixelError) {
            let layout = try PixelLayout(
                width: size.width, height: size.height, format: PixelFormat(.rgba, alpha: .premultiplied))
            return try PixelBuffer(layout: layout, bytes: bytes)
        } catch {
            throw .frost(.pixels(error))
        }
    }
}
