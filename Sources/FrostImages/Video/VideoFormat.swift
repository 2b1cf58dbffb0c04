public import FrostCore

/// What every frame of a stream consists of.
public struct VideoFormat: Sendable, Hashable {
    public let width: Int
    public let height: Int
    /// What samples mean.
    public let coding: Coding
    /// Images one after the other, in rows without padding: one of whole pixels, or one a component. Samples of 9 to 15
    /// bits lie in 16 as they are, so that what stands for 1 is not ``SampleType/maximum``.
    public let planes: [PixelLayout]

    public enum Coding: Sendable, Hashable {
        case yuv(YUVCoding)
        /// Whole pixels.
        case pixels(PixelFormat)
    }

    /// Frames of luma and colour differences.
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

    /// Bytes of a frame, without what stands before it.
    public var byteCount: Int { planes.reduce(0) { $0 + $1.byteCount } }

    /// Frames of whole pixels without a header, by the names that ffmpeg has for them (`-f rawvideo -pix_fmt NAME`).
    /// Samples of 16 bits have their lower byte first.
    public static let raw: [(name: String, format: PixelFormat)] = [
        ("rgba", PixelFormat(.rgba)), ("bgra", PixelFormat(.bgra)), ("rgb24", PixelFormat(.rgb)),
        ("gray", PixelFormat(.grey)), ("rgba64le", PixelFormat(.rgba, .u16)), ("rgb48le", PixelFormat(.rgb, .u16)),
        ("gray16le", PixelFormat(.grey, .u16)),
    ]
}

/// Luma and colour differences, as ITU-R BT.601 and BT.709 define them.
public struct YUVCoding: Sendable, Hashable {
    /// Log2 of how many pixels share a sample of colour.
    public var shiftX = 0
    public var shiftY = 0
    /// Where the samples of colour lie among those of luma.
    public var siting = Siting.left
    /// Bits of a sample, 8 to 16.
    public var depth = 8
    /// There is luma alone.
    public var isGrey = false
    /// There is a plane of alpha behind the others, of full range.
    public var hasAlpha = false
    /// From 0 to the largest value, instead of from 16 to 235 and 240 of 255.
    public var isFullRange = false
    public var matrix = Matrix.bt709

    public enum Siting: Sendable, Hashable {
        /// On every other pixel along x, between two along y: MPEG-2.
        case left
        /// Between pixels: JPEG, MPEG-1.
        case center
        /// On every other pixel: DV.
        case topLeft
    }

    public enum Matrix: Sendable, Hashable {
        case bt601, bt709

        /// What players take where a stream does not say: BT.709 from 1280 pixels or more than 576 lines on.
        public static func usual(width: Int, height: Int) -> Matrix { width >= 1280 || height > 576 ? .bt709 : .bt601 }
    }
}

/// A frame of a stream.
public struct VideoFrame: Sendable {
    /// What stands behind the word FRAME of a Y4M stream, with the space before it.
    public var parameters: [UInt8] = []
    /// As ``VideoFormat/planes`` says.
    public var planes: [PixelBuffer]

    public init(parameters: [UInt8] = [], planes: [PixelBuffer]) {
        self.parameters = parameters
        self.planes = planes
    }
}
