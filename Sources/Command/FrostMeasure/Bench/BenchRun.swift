import Frost
import FrostCLI

/// The measurements of a command, which are made one after the other. A progress line shows the one in progress.
struct BenchRun {
    let picture: BenchPicture
    let format: BenchFormat
    let isQuiet: Bool
    /// The number of measurements.
    let total: Int
    private var count = 0
    /// The last picture. It is kept while consecutive measurements have the same size.
    private var last: (size: PictureSize, pixels: PixelBuffer)?

    init(_ picture: BenchPicture, _ request: BenchRequest, isQuiet: Bool, total: Int) {
        (self.picture, format, self.isQuiet, self.total) = (picture, request.format, isQuiet, total)
    }

    /// Makes one measurement.
    ///
    /// - Parameter name: what is measured, for the progress line.
    mutating func measure<Result>(
        _ name: String, at size: PictureSize, _ body: (PixelBuffer) throws(FrostError) -> Result
    ) throws(CommandError) -> Result {
        let pixels: PixelBuffer
        if let last, last.size == size {
            pixels = last.pixels
        } else {
            last = nil
            pixels = try picture.pixels(size, format)
            last = (size, pixels)
        }
        count += 1
        if !isQuiet { StatusLine.show("[\(count)/\(total)] \(size) \(name) …") }
        defer { StatusLine.clear() }
        return try rethrow(body(pixels), as: CommandError.frost)
    }
}
