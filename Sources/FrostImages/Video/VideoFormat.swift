public import FrostCore

/// The format of every frame of a stream.
public struct VideoFormat: Sendable, Hashable {
    public let width: Int
    public let height: Int
    /// What the samples mean.
    public let coding: Coding
    /// The images of a frame, in order, in rows without padding: one image of whole pixels, or one per component.
    /// Samples of 9 to 15 bits are stored unscaled in 16, so their full scale is not ``SampleType/maximum``.
    public let planes: [PixelLayout]

    public enum Coding: Sendable, Hashable {
        case yuv(YUVCoding)
        /// Whole pixels.
        case pixels(PixelFormat)
    }

    /// Frames of luma and chroma.
    ///
    /// - Throws: ``PixelError`` for sizes that do not fit in memory.
    init(width: Int, height: Int, yuv coding: YUVCoding) throws(PixelError) {
        self.width = width
        self.height = height
        self.coding = .yuv(coding)
        let format = PixelFormat(.grey, coding.depth > 8 ? .u16 : .u8)
        let whole = try PixelLayout(width: width, height: height, format: format)
        var planes = [whole]
        if !coding.isGrey {
            let chroma = try PixelLayout(
                width: (width - 1) >> coding.shiftX + 1, height: (height - 1) >> coding.shiftY + 1, format: format)
            planes += [chroma, chroma]
        }
        if coding.hasAlpha { planes.append(whole) }
        self.planes = planes
    }

    /// Frames of whole pixels.
    ///
    /// - Throws: ``PixelError`` for sizes that do not fit in memory.
    public init(width: Int, height: Int, pixels format: PixelFormat) throws(PixelError) {
        self.width = width
        self.height = height
        coding = .pixels(format)
        planes = [try PixelLayout(width: width, height: height, format: format)]
    }

    /// Bytes of a frame, without its header.
    public var byteCount: Int { planes.reduce(0) { $0 + $1.byteCount } }

    /// The raw formats, by ffmpeg's names (`-f rawvideo -pix_fmt NAME`). 16-bit samples are little-endian.
    public static let raw: [(name: String, format: PixelFormat)] = [
        ("rgba", PixelFormat(.rgba)), ("bgra", PixelFormat(.bgra)), ("rgb24", PixelFormat(.rgb)),
        ("gray", PixelFormat(.grey)), ("rgba64le", PixelFormat(.rgba, .u16)), ("rgb48le", PixelFormat(.rgb, .u16)),
        ("gray16le", PixelFormat(.grey, .u16)),
    ]
}

/// Luma and chroma, as ITU-R BT.601 and BT.709 define them.
public struct YUVCoding: Sendable, Hashable {
    /// Log2 of the number of pixels per chroma sample, along x.
    public var shiftX = 0
    public var shiftY = 0
    /// Where chroma samples are located relative to luma samples.
    public var siting = Siting.left
    /// Bits of a sample, 8 to 16.
    public var depth = 8
    /// Whether there is only luma.
    public var isGrey = false
    /// Whether the last plane is alpha, with full range.
    public var hasAlpha = false
    /// Whether luma and chroma use the full range, rather than 16 to 235 and 16 to 240 of 255.
    public var isFullRange = false
    public var matrix = Matrix.bt709

    public enum Siting: Sendable, Hashable {
        /// Along x on every other pixel, along y between two: MPEG-2.
        case left
        /// Between pixels on both axes: JPEG, MPEG-1.
        case center
        /// On every other pixel of both axes: DV.
        case topLeft
    }

    public enum Matrix: Sendable, Hashable {
        case bt601, bt709

        /// The matrix that players assume if the stream states none: BT.709 from 1280 columns or more than 576 rows.
        public static func usual(width: Int, height: Int) -> Matrix { width >= 1280 || height > 576 ? .bt709 : .bt601 }
    }
}

/// A frame of a stream.
public struct VideoFrame: Sendable {
    /// What follows the word FRAME in a Y4M stream, including the space before it.
    public var parameters: [UInt8] = []
    /// The images, as ``VideoFormat/planes`` describes them.
    public var planes: [PixelBuffer]

    public init(parameters: [UInt8] = [], planes: [PixelBuffer]) {
        self.parameters = parameters
        self.planes = planes
    }
}
