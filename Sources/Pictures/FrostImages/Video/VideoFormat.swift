public import FrostCore

/// The format that all frames of a video stream share.
public struct VideoFormat: Sendable, Hashable {
    /// The number of pixels in a row.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// The meaning of the samples: luma and chroma, or pixels.
    public let coding: Coding
    /// The layouts of the images that make up a frame, in order. A frame consists either of a single image of whole
    /// pixels, or of one image for each component: luma, the two chroma components if there are any, and alpha if there
    /// is any. The rows have no padding. Samples of 9 to 15 bits are stored in 16 bits without scaling, so their
    /// greatest value is not `SampleType.maximum`.
    public let planes: [PixelLayout]

    /// The meaning of the samples of a frame.
    public enum Coding: Sendable, Hashable {
        /// The frame consists of planes of luma and chroma, and optionally alpha.
        case yuv(YUVCoding)
        /// The frame consists of whole pixels.
        case pixels(PixelFormat)

        package var hasAlpha: Bool {
            switch self {
            case .yuv(let coding): coding.hasAlpha
            case .pixels(let format): format.channels.hasAlpha
            }
        }

        package var isGrey: Bool {
            switch self {
            case .yuv(let coding): coding.isGrey
            case .pixels(let format): format.channels.isGrey
            }
        }
    }

    /// Creates a format.
    ///
    /// - Throws: `PixelError` for sizes that do not fit in memory.
    package init(width: Int, height: Int, _ coding: Coding) throws(PixelError) {
        switch coding {
        case .yuv(let coding): try self.init(width: width, height: height, yuv: coding)
        case .pixels(let format): try self.init(width: width, height: height, pixels: format)
        }
    }

    /// Creates the format of frames that consist of planes of luma and chroma.
    ///
    /// - Throws: `PixelError` for sizes that do not fit in memory.
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

    /// Creates the format of frames that consist of whole pixels.
    ///
    /// - Throws: `PixelError` for sizes that do not fit in memory.
    public init(width: Int, height: Int, pixels format: PixelFormat) throws(PixelError) {
        self.width = width
        self.height = height
        coding = .pixels(format)
        planes = [try PixelLayout(width: width, height: height, format: format)]
    }

    /// Returns the base-2 logarithms of the numbers of pixels per sample of a plane, along a row and along a column.
    package func shifts(ofPlane index: Int) -> (x: Int, y: Int) {
        guard case .yuv(let coding) = coding, !coding.isGrey, (1...2).contains(index) else { return (0, 0) }
        return (coding.shiftX, coding.shiftY)
    }

    /// The number of bytes of a frame, without its header.
    public var byteCount: Int { planes.reduce(0) { $0 + $1.byteCount } }

    /// The supported formats of raw frames, with their names in ffmpeg (`-f rawvideo -pix_fmt NAME`). 16-bit samples
    /// are little-endian.
    public static let raw: [(name: String, format: PixelFormat)] = [
        ("rgba", PixelFormat(.rgba)), ("bgra", PixelFormat(.bgra)), ("rgb24", PixelFormat(.rgb)),
        ("gray", PixelFormat(.grey)), ("rgba64le", PixelFormat(.rgba, .u16)), ("rgb48le", PixelFormat(.rgb, .u16)),
        ("gray16le", PixelFormat(.grey, .u16)),
    ]
}

/// The encoding of colour as luma and chroma, as ITU-R BT.601 and BT.709 define it.
public struct YUVCoding: Sendable, Hashable {
    /// The base-2 logarithm of the number of pixels per chroma sample along a row.
    public var shiftX = 0
    /// The base-2 logarithm of the number of pixels per chroma sample along a column.
    public var shiftY = 0
    /// The position of chroma samples relative to luma samples.
    public var siting = Siting.left
    /// The number of bits of a sample, 8 to 16.
    public var depth = 8
    /// Whether the frames have only luma and no chroma.
    public var isGrey = false
    /// Whether the last plane is alpha. Alpha always has full range.
    public var hasAlpha = false
    /// Whether luma and chroma use the full range of values. If false, 8-bit luma uses the values 16 to 235, and 8-bit
    /// chroma the values 16 to 240.
    public var isFullRange = false
    /// The matrix that converts RGB to luma and chroma.
    public var matrix = Matrix.bt709
    /// The base-2 logarithms of the numbers of adjacent chroma samples along a row and a column that stand for one sample of the
    /// source, because ffmpeg has no format with the source's chroma. They are hidden together.
    package var copiesX = 0, copiesY = 0

    /// The position of chroma samples relative to luma samples.
    public enum Siting: Sendable, Hashable {
        /// Along a row, chroma samples lie on every other pixel. Along a column, they lie halfway between two pixels.
        /// MPEG-2 does this.
        case left
        /// Along rows and columns, chroma samples lie halfway between two pixels, as in JPEG and MPEG-1.
        case center
        /// Along rows and columns, chroma samples lie on every other pixel, as in DV.
        case topLeft
    }

    /// The standard that defines the matrix that converts RGB to luma and chroma.
    public enum Matrix: Sendable, Hashable {
        /// The matrices of ITU-R BT.601 and of ITU-R BT.709.
        case bt601, bt709
        /// The matrix of ITU-R BT.2020 without constant luminance, and those of SMPTE 240M and of the FCC of 1953.
        case bt2020, smpte240M, fcc

        /// Returns the matrix that players assume if the stream states none: BT.709 for at least 1280 columns or more
        /// than 576 rows, otherwise BT.601.
        public static func usual(width: Int, height: Int) -> Matrix { width >= 1280 || height > 576 ? .bt709 : .bt601 }
    }
}

extension YUVCoding {
    /// The coding 4:4:4 with 8 bits and limited range.
    package static let plain = YUVCoding()
}

/// A frame of a video stream.
public struct VideoFrame: Sendable {
    /// The bytes of the stream before the samples: the line that begins with FRAME in a Y4M stream, with its line feed;
    /// empty for raw frames.
    public var header: [UInt8] = []
    /// The images of the frame, in the layouts of ``VideoFormat/planes``.
    public var planes: [PixelBuffer]

    /// Combines the images of a frame with the bytes before them.
    public init(header: [UInt8] = [], planes: [PixelBuffer]) {
        self.header = header
        self.planes = planes
    }
}
