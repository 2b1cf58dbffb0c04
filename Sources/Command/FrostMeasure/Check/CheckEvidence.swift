import Frost
import FrostCLI
import FrostImages

/// The pictures and histograms of a check result, encoded for the HTML page.
struct CheckEvidence {
    struct Picture {
        let name: String
        let width: Int
        let height: Int
        /// The picture as a PNG in a data URL.
        let url: String
    }

    struct Pair {
        let difference: Picture
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
    let pictures: [Picture]
    /// A small overview of the whole result; nil if the pictures already show the whole result.
    let map: Picture?
    /// The picture of differences and the histogram of each pair, in the order of ``CheckResult/pairs``.
    let pairs: [Pair]

    /// The approximate number of bytes that the pictures take on the page.
    var byteCount: Int {
        (pictures + pairs.map(\.difference) + [map].compactMap { $0 }).reduce(0) { $0 + $1.url.utf8.count }
    }

    /// Encodes the pictures of a result.
    ///
    /// - Parameters:
    ///   - growth: the number of pixels by which the results extend beyond the source on the left and at the top.
    ///   - images: the results, with the exact one first.
    init(
        source: PixelBuffer, growth: (x: Int, y: Int), images: [(name: String, rows: SampleRows)],
        worst: Comparison.Location?, surveys: [ErrorSurvey]
    ) throws(CommandError) {
        let first = images[0].rows
        let window = Self.window(width: first.width, height: first.height, around: worst.map { ($0.x, $0.y) })
        size = (first.width, first.height)
        self.window = window
        let place = Rect(
            x: window.x - growth.x, y: window.y - growth.y, width: window.width, height: window.height)
        var pictures = [try Self.picture("source", try Self.shown(SampleRows(source), place))]
        for image in images { pictures.append(try Self.picture(image.name, try Self.shown(image.rows, window))) }
        self.pictures = pictures
        map =
            window.width < first.width || window.height < first.height
            ? try Self.picture("whole", try Self.small(first)) : nil
        pairs = try surveys.map { (survey) throws(CommandError) in
            Pair(
                difference: try Self.picture("difference", survey.picture), factor: survey.factor,
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

    private static func small(_ rows: SampleRows) throws(CommandError) -> PixelBuffer {
        let factor = Double(mapSide) / Double(max(rows.width, rows.height))
        let whole = try shown(rows, Rect(x: 0, y: 0, width: rows.width, height: rows.height))
        let reduced: PixelBuffer
        do throws(PixelError) {
            reduced = try whole.reduced(
                width: max(1, Int((Double(rows.width) * factor).rounded())),
                height: max(1, Int((Double(rows.height) * factor).rounded())))
        } catch {
            throw .frost(.pixels(error))
        }
        return try shown(SampleRows(reduced), reduced.layout.extent)
    }

    private static func shown(_ rows: SampleRows, _ window: Rect) throws(CommandError) -> PixelBuffer {
        do throws(PixelError) { return try PixelBuffer(shown: rows, window) } catch { throw .frost(.pixels(error)) }
    }

    private static func picture(_ name: String, _ image: PixelBuffer) throws(CommandError) -> Picture {
        do throws(ImageError) {
            let bytes = try ImageFile.encode(DecodedImage(pixels: image), as: .png)
            return Picture(
                name: name, width: image.width, height: image.height,
                url: "data:image/png;base64," + Base64.text(bytes))
        } catch {
            throw .image(error)
        }
    }
}

extension PixelBuffer {
    /// Converts the samples in a window to straight 8-bit pixels. Pixels outside the image are transparent.
    fileprivate init(shown rows: SampleRows, _ window: Rect) throws(PixelError) {
        let isInside = Rect(x: 0, y: 0, width: rows.width, height: rows.height).contains(window)
        let channels = isInside ? rows.channels : rows.channels.addingAlpha
        let rows = rows.expanded(to: channels)
        let count = channels.count
        let layout = try PixelLayout(width: window.width, height: window.height, format: PixelFormat(channels))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(layout.byteCount)
        for y in window.rows {
            guard (0..<rows.height).contains(y) else {
                bytes += [UInt8](repeating: 0, count: window.width * count)
                continue
            }
            let row = rows[y]
            for x in window.columns {
                guard (0..<rows.width).contains(x) else {
                    bytes += [UInt8](repeating: 0, count: count)
                    continue
                }
                let alpha = channels.hasAlpha ? row[x * count + count - 1] : 1
                for c in 0..<count {
                    let isAlpha = channels.hasAlpha && c == count - 1
                    let value = isAlpha || alpha <= 0 ? row[x * count + c] : row[x * count + c] / alpha
                    // This comparison turns NaN into 0.
                    bytes.append(value > 0 ? UInt8((min(value, 1) * 255).rounded()) : 0)
                }
            }
        }
        try self.init(layout: layout, bytes: bytes)
    }
}
