import Frost

/// The errors between two pictures, sample by sample. The histogram shows how frequent they are, and the picture shows
/// where they are.
struct ErrorSurvey {
    let histogram: ErrorHistogram
    /// A picture of the errors. A black pixel means no difference, a white pixel means an error equal to the bound, and
    /// a red pixel means an error above the bound. A pixel shows the largest error of all channels, and of all source
    /// pixels that it represents.
    let picture: PixelBuffer
    /// The factor by which the picture multiplies errors in 8-bit steps.
    let factor: Double
    /// The side length of the square of source pixels that one pixel of the picture represents.
    let blockSide: Int

    /// Compares two pictures of the same size.
    ///
    /// - Parameters:
    ///   - bound: the maximum allowed error in 8-bit steps. If it is 0, every difference is above the bound and
    ///     therefore red, and `factor` is that of a bound of 1.
    ///   - side: the maximum side length of the picture of errors.
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
                // The definition of equal samples is the same as in Comparison.
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
