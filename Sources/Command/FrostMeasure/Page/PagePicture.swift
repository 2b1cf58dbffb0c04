import Frost
import FrostCLI
import FrostImages

/// A picture in a page, as a PNG in a data URL.
struct PagePicture {
    let name: String
    let width: Int
    let height: Int
    let url: String

    /// Encodes a picture with straight 8-bit pixels.
    init(_ name: String, _ image: PixelBuffer) throws(CommandError) {
        (self.name, width, height) = (name, image.width, image.height)
        url = try rethrow(
            "data:image/png;base64," + Base64.text(ImageFile.encode(DecodedImage(pixels: image), as: .png)),
            as: CommandError.image)
    }

    /// Encodes the part of a picture in a window.
    init(_ name: String, _ rows: SampleRows, _ window: Rect) throws(CommandError) {
        try self.init(name, try PixelBuffer.eightBit(rows, window))
    }

    /// Encodes a picture that is reduced so that no side is longer than `side`.
    init(_ name: String, _ image: PixelBuffer, within side: Int) throws(CommandError) {
        let small = try image.reduced(to: image.size(within: side))
        try self.init(name, SampleRows(small), small.layout.extent)
    }

    /// Returns the HTML of the picture.
    ///
    /// - Parameters:
    ///   - factor: the factor by which the picture is enlarged.
    ///   - attributes: more attributes, with a space before each.
    func html(alt: String, factor: Int = 1, attributes: String = "") -> String {
        "<img src=\"\(url)\" width=\"\(width * factor)\" height=\"\(height * factor)\" "
            + "alt=\"\(Markup.escaped(alt))\"\(attributes)>"
    }
}

extension PixelBuffer {
    /// Converts the samples in a window to straight 8-bit pixels. Pixels outside the image are transparent.
    fileprivate init(eightBit rows: SampleRows, _ window: Rect) throws(PixelError) {
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

    /// Returns the samples in a window as straight 8-bit pixels. Pixels outside the image are transparent.
    static func eightBit(_ rows: SampleRows, _ window: Rect) throws(CommandError) -> PixelBuffer {
        do throws(PixelError) { return try PixelBuffer(eightBit: rows, window) } catch { throw .frost(.pixels(error)) }
    }
}
