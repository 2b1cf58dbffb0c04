public import FrostCore

/// Draws content over an effect, in Double. It is written from the description of the feature, with its own constants and
/// its own placement code, and shares no code with the library.
public struct ContentOracle {
    /// The content's pixels, row by row, as premultiplied red, green, blue and alpha. Each value is rounded to a multiple of
    /// 1/65535.
    private let pixels: [[EffectOracle.Pixel]]
    private let mode: String
    private let bounds: Rect?
    private let vibrant: ((EffectOracle.Pixel) -> EffectOracle.Pixel)?

    /// Creates the oracle of a content image.
    ///
    /// - Parameters:
    ///   - mode: the content mode's name on the command line.
    ///   - bounds: the rectangle in which the mode places the image; the effect's extent by default.
    ///   - vibrancy: the appearance and the kind of a vibrancy style, by their names on the command line; nil for plain
    ///     content.
    public init(
        _ picture: PixelBuffer, mode: String = "scale-to-fill", bounds: Rect? = nil,
        vibrancy: (appearance: String, kind: String)? = nil
    ) {
        let rows = SampleRows(picture).expanded(to: .rgba)
        pixels = (0..<picture.height).map { y in
            let row = rows[y]
            return (0..<picture.width).map { x in row[4 * x..<4 * x + 4].map { ($0 * 65535).rounded() / 65535 } }
        }
        self.mode = mode
        self.bounds = bounds
        vibrant = vibrancy.map { style in
            let parts: [String: Double] = ["label": 1, "secondary-label": 0.75, "fill": 0.2, "separator": 0.3]
            let part = parts[style.kind] ?? 0
            let isDark = style.appearance == "dark"
            // The rows as they were published.
            let system =
                isDark
                ? [[1.376, -0.735, -0.142, 0.5], [-0.374, 1.016, -0.143, 0.5], [-0.375, -0.733, 1.608, 0.5]]
                : [
                    [1.514, -0.955, -0.184, 0.0625], [-0.486, 1.046, -0.186, 0.0625], [-0.487, -0.953, 1.815, 0.0625],
                ]
            return { p in
                if style.kind == "system" {
                    let rows = system.map { zip($0, p).reduce(0) { $0 + $1.0 * $1.1 } }
                    return EffectOracle.clamped(rows + [p[3]])
                }
                let y = 0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2]
                var result = p
                for c in 0..<3 {
                    let saturated: Double = y + 1.4 * (p[c] - y)
                    let label: Double = isDark ? 0.8 * saturated + 0.68 * p[3] : saturated - 0.62 * p[3]
                    result[c] = p[c] * (1 - part) + label * part
                }
                return EffectOracle.clamped(result)
            }
        }
    }

    /// Returns the backdrop's pixel with the content drawn over it.
    func draw(over p: EffectOracle.Pixel, x: Int, y: Int, extent: Rect) -> EffectOracle.Pixel {
        let (width, height) = (pixels[0].count, pixels.count)
        let box = bounds ?? extent
        let place = Self.place(mode, (Double(width), Double(height)), in: box)
        let columns = Self.weights(x, place.x, place.width, width)
        let rows = Self.weights(y, place.y, place.height, height)
        var content = [0.0, 0, 0, 0]
        for (j, v) in rows {
            for (i, u) in columns { for c in 0..<4 { content[c] += pixels[j][i][c] * u * v } }
        }
        let above = vibrant?(p)
        for c in 0..<4 {
            // `content` holds the content's colour before this loop and the blended colour after it. Its alpha (index 3)
            // changes last, because every channel needs the original alpha.
            let over = above.map { $0[c] * content[3] } ?? content[c]
            content[c] = over + p[c] * (1 - content[3])
        }
        return content
    }

    private static func place(
        _ mode: String, _ size: (Double, Double), in box: Rect
    ) -> (x: Double, y: Double, width: Double, height: Double) {
        let (w, h) = (Double(box.width), Double(box.height))
        let (x, y) = (Double(box.x), Double(box.y))
        switch mode {
        case "scale-to-fill": return (x, y, w, h)
        case "aspect-fit", "aspect-fill":
            let scale = mode == "aspect-fit" ? min(w / size.0, h / size.1) : max(w / size.0, h / size.1)
            return (x + (w - size.0 * scale) / 2, y + (h - size.1 * scale) / 2, size.0 * scale, size.1 * scale)
        default:
            let across = mode.hasSuffix("left") ? 0 : mode.hasSuffix("right") ? w - size.0 : (w - size.0) / 2
            let down = mode.hasPrefix("top") ? 0 : mode.hasPrefix("bottom") ? h - size.1 : (h - size.1) / 2
            return ((x + across).rounded(.down), (y + down).rounded(.down), size.0, size.1)
        }
    }

    /// Returns the index and weight of each content pixel that contributes to one output pixel, along one axis.
    private static func weights(_ pixel: Int, _ start: Double, _ length: Double, _ count: Int) -> [(Int, Double)] {
        let covered = min(Double(pixel) + 1, start + length) - max(Double(pixel), start)
        guard covered > 0 else { return [] }
        let step = Double(count) / length
        let center = max(0, min(Double(count), (Double(pixel) + 0.5 - start) * step))
        var all: [(Int, Double)] = []
        var sum = 0.0
        for i in 0..<count {
            let distance = abs(Double(i) + 0.5 - center) / max(1, step)
            guard distance < 1 else { continue }
            all.append((i, 1 - distance))
            sum += 1 - distance
        }
        return all.map { ($0.0, $0.1 / sum * covered) }
    }
}
