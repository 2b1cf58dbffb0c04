/// A picture to be drawn over a blurred backdrop: a label, symbols, lines. Stored premultiplied, in 65535ths.
public struct ContentImage: Sendable, Equatable {
    public let width: Int
    public let height: Int
    /// Whether it is grey.
    public let isGrey: Bool
    /// Red, green, blue and alpha of each pixel, row by row.
    let pixels: [SIMD4<UInt16>]

    /// - Parameter picture: of any format; opaque if it has no alpha.
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
                // Floats can have any value.
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

    /// The same size without pixels: for remembering effects that are not drawn.
    package var outline: ContentImage { ContentImage(width: width, height: height, isGrey: isGrey, pixels: []) }

    private init(width: Int, height: Int, isGrey: Bool, pixels: [SIMD4<UInt16>]) {
        self.width = width
        self.height = height
        self.isGrey = isGrey
        self.pixels = pixels
    }
}

extension ContentImage: Hashable {
    /// Hashes only the size: pictures of the same size that are not equal are rare. Equality compares the pixels.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(width)
        hasher.combine(height)
    }
}
