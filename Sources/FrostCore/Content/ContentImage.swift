/// A picture that is drawn over a blurred backdrop: for example a label, symbols or lines. Its pixels are premultiplied
/// and stored as integers from 0 to 65535.
public struct ContentImage: Sendable, Equatable {
    /// The image's width in pixels.
    public let width: Int
    /// The image's height in pixels.
    public let height: Int
    /// Whether the picture has only grey colours.
    public let isGrey: Bool
    /// The red, green, blue and alpha of each pixel, row by row. The values are premultiplied integers from 0 to 65535.
    let pixels: [SIMD4<UInt16>]

    /// Creates content from a picture.
    ///
    /// - Parameter picture: a picture of any format. A picture without alpha counts as opaque.
    public init(_ picture: PixelBuffer) {
        width = picture.width
        height = picture.height
        isGrey = picture.format.channels.isGrey
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
        self.pixels = pixels
    }

    /// A copy of the picture that has no pixels. Only its size and ``isGrey`` are kept. Effects that are remembered but
    /// not drawn hold this copy.
    package var outline: ContentImage { ContentImage(width: width, height: height, isGrey: isGrey, pixels: []) }

    private init(width: Int, height: Int, isGrey: Bool, pixels: [SIMD4<UInt16>]) {
        self.width = width
        self.height = height
        self.isGrey = isGrey
        self.pixels = pixels
    }
}

extension ContentImage: Hashable {
    /// Hashes only the size, because different pictures rarely have the same size. Equality also compares the pixels.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(width)
        hasher.combine(height)
    }
}
