import Frost

/// The errors of a pair, sample by sample: how often they occur, and where.
struct ErrorSurvey {
    let histogram: ErrorHistogram
    /// Black without a difference, white at the bound, red above it. A pixel shows the largest error of all channels
    /// and of all the pixels it stands for.
    let picture: PixelBuffer
    /// The factor by which errors in 8-bit steps are multiplied in the picture.
    let factor: Double
    /// The side of the square of pixels that one pixel of the picture stands for.
    let blockSide: Int

    /// - Parameters:
    ///   - bound: in 8-bit steps; for 0 the picture is as for 1, and whatever differs is red.
    ///   - side: the longest that the picture may have.
    init(_ a: SampleRows, _ b: SampleRows, bound: Double, side: Int) throws(PixelError) {
        let channels = Comparison.common(a.channels, b.channels)
        let (a, b) = (a.expanded(to: channels), b.expanded(to: channels))
        let range = bound > 0 ? bound : 1
        let blockSide = (max(a.width, a.height) + side - 1) / side
        let width = (a.width + blockSide - 1) / blockSide
        var histogram = ErrorHistogram(range: range)
        var bytes: [UInt8] = []
        var largest = [Double](repeating: 0, count: width)
        for y in 0..<a.height {
            let (rowA, rowB) = (a[y], b[y])
            for i in rowA.indices {
                // The same as in Comparison.
                let isSame = rowA[i] == rowB[i] || rowA[i].isNaN && rowB[i].isNaN
                let error = isSame ? 0 : ((rowA[i] - rowB[i]) * 255e9).rounded() / 1e9
                histogram.add(error)
                let size = error.isNaN ? .infinity : abs(error)
                let at = i / channels.count / blockSide
                if size > largest[at] { largest[at] = size }
            }
            guard (y + 1) % blockSide == 0 || y + 1 == a.height else { continue }
            for size in largest {
                let level = UInt8((min(size / range, 1) * 255).rounded())
                bytes += size > bound ? Self.beyond : [level, level, level]
            }
            largest = [Double](repeating: 0, count: width)
        }
        self.histogram = histogram
        self.blockSide = blockSide
        factor = 255 / range
        picture = try PixelBuffer(
            layout: PixelLayout(width: width, height: bytes.count / 3 / width, format: PixelFormat(.rgb)), bytes: bytes)
    }

    private static let beyond: [UInt8] = [255, 64, 64]
}
