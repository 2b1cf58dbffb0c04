import Frost
import FrostCLI
import FrostImages

/// The pictures and histograms of a check result, encoded for the HTML page.
struct CheckEvidence {
    struct Pair {
        let difference: PagePicture
        let factor: Double
        let blockSide: Int
        let histogram: ErrorHistogram
    }

    /// The side length of the pictures on the page, in pixels. Larger pictures are cropped to a square of this side
    /// length, and pictures of differences are reduced to it.
    static let side = 320
    /// The length of the longer side of the small overview picture, which shows the position of the crop.
    private static let mapSide = 200

    /// The size of the whole result in pixels.
    let size: (width: Int, height: Int)
    /// The part of the result that the pictures show.
    let window: Rect
    /// The source, the exact result, and the result of each backend.
    let pictures: [PagePicture]
    /// A small overview of the whole result; nil if the pictures already show the whole result.
    let map: PagePicture?
    /// The picture of differences and the histogram of each pair, in the order of ``CheckResult/pairs``.
    let pairs: [Pair]

    /// The approximate number of bytes that the pictures take on the page.
    var byteCount: Int {
        (pictures + pairs.map(\.difference) + [map].compactMap { $0 }).reduce(0) { $0 + $1.url.utf8.count }
    }

    /// Encodes the pictures of a result.
    ///
    /// - Parameters:
    ///   - source: the source of the results; nil if there is none.
    ///   - growth: the number of pixels by which the results extend beyond the source on the left and at the top.
    ///   - images: the results, with the exact one first.
    init(
        source: PixelBuffer?, growth: (x: Int, y: Int), images: [(name: String, rows: SampleRows)],
        worst: Comparison.Location?, surveys: [ErrorSurvey]
    ) throws(CommandError) {
        let first = images[0].rows
        let window = Self.window(width: first.width, height: first.height, around: worst.map { ($0.x, $0.y) })
        size = (first.width, first.height)
        self.window = window
        let place = Rect(
            x: window.x - growth.x, y: window.y - growth.y, width: window.width, height: window.height)
        var pictures: [PagePicture] = []
        if let source { pictures.append(try PagePicture("source", SampleRows(source), place)) }
        for image in images { pictures.append(try PagePicture(image.name, image.rows, window)) }
        self.pictures = pictures
        map =
            window.width < first.width || window.height < first.height
            ? try Self.overview(first) : nil
        pairs = try surveys.map { (survey) throws(CommandError) in
            Pair(
                difference: try PagePicture("difference", survey.picture), factor: survey.factor,
                blockSide: survey.blockSide,
                histogram: survey.histogram)
        }
    }

    /// Returns the part of a picture to show. If the picture is small, this is the whole picture. Otherwise it is a
    /// window with `place` in its centre. Near an edge of the picture the window is moved, so that it stays inside the
    /// picture.
    static func window(width: Int, height: Int, around place: (x: Int, y: Int)?) -> Rect {
        func range(_ length: Int, _ center: Int) -> (start: Int, count: Int) {
            let count = min(length, side)
            return (min(max(center - count / 2, 0), length - count), count)
        }
        let (x, y) = (range(width, place?.x ?? width / 2), range(height, place?.y ?? height / 2))
        return Rect(x: x.start, y: y.start, width: x.count, height: y.count)
    }

    private static func overview(_ rows: SampleRows) throws(CommandError) -> PagePicture {
        let whole = try PixelBuffer.eightBit(rows, Rect(x: 0, y: 0, width: rows.width, height: rows.height))
        return try PagePicture("whole", whole, within: mapSide)
    }
}
