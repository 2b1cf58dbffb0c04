/// A picture that is drawn over a blurred backdrop: for example a label, symbols or lines. Its pixels are premultiplied
/// and stored as integers from 0 to 65535.
public struct ContentImage: Sendable, Equatable {
    /// The image's width in pixels.
    public let width: Int
    /// The image's height in pixels.
    public let height: Int
    /// Whether the picture has only grey colours.
    public let isGrey: Bool
    /// The smallest rectangle that contains all visible pixels; nil if every pixel is transparent.
    let visibleBounds: Rect?
    /// The number of a texture that a GPU draws in place of pixels from memory; nil for pixels from memory.
    package let texture: UInt64?
    /// The red, green, blue and alpha of each pixel, row by row. The values are premultiplied integers from 0 to 65535. A
    /// texture has none.
    package let pixels: [SIMD4<UInt16>]

    /// Creates content from a picture.
    ///
    /// - Parameter picture: a picture of any format. A picture without alpha counts as opaque.
    public init(_ picture: PixelBuffer) {
        let (width, height) = (picture.width, picture.height)
        let rows = SampleRows(picture).expanded(to: .rgba)
        var pixels: [SIMD4<UInt16>] = []
        pixels.reserveCapacity(width * height)
        for y in 0..<height {
            let row = rows[y]
            for x in 0..<width {
                // Float samples can have any value, so the result is clamped. NaN becomes 0.
                func stored(_ channel: Int, upTo limit: UInt16) -> UInt16 {
                    let value = row[4 * x + channel] * 65535
                    return value > 0 ? UInt16(min(value.rounded(), Double(limit))) : 0
                }
                let alpha = stored(3, upTo: .max)
                pixels.append(
                    SIMD4(stored(0, upTo: alpha), stored(1, upTo: alpha), stored(2, upTo: alpha), alpha))
            }
        }
        self.init(width: width, height: height, isGrey: picture.format.channels.isGrey, pixels: pixels)
    }

    /// Creates content from premultiplied pixels, row by row.
    package init(width: Int, height: Int, isGrey: Bool, pixels: [SIMD4<UInt16>]) {
        (self.width, self.height, self.isGrey, texture) = (width, height, isGrey, nil)
        var visibleBounds: Rect?
        for y in 0..<height {
            let row = pixels[y * width..<(y + 1) * width]
            guard let first = row.firstIndex(where: { $0[3] > 0 }), let last = row.lastIndex(where: { $0[3] > 0 })
            else { continue }
            let part = Rect(columns: first - y * width..<last + 1 - y * width, rows: y..<y + 1)
            visibleBounds = visibleBounds?.hull(part) ?? part
        }
        self.visibleBounds = visibleBounds
        self.pixels = pixels
    }

    /// Creates content that stands for a texture. Executors without that texture draw nothing.
    ///
    /// - Parameter texture: a number that no other texture has.
    package init(texture: UInt64, width: Int, height: Int) {
        self.texture = texture
        self.width = width
        self.height = height
        isGrey = false
        pixels = []
        visibleBounds = Rect(x: 0, y: 0, width: width, height: height)
    }
}

extension ContentImage: Hashable {
    /// Hashes only the size, because different pictures rarely have the same size. Equality also compares the pixels.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(width)
        hasher.combine(height)
    }
}
