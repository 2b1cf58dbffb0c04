/// Frost's description of a pixel format: its planes, and the number of bytes in their rows.
public struct DRMFormat: Sendable, Hashable {
    /// One plane of a pixel format.
    public struct Plane: Sendable, Hashable {
        /// The format of the plane as an image of its own, for example R8 and GR88 for the planes of NV12.
        public let fourcc: FourCC
        /// The number of bytes of a block of pixels.
        public let bytesPerBlock: Int
        /// The width of a block, in pixels of the image.
        public let blockWidth: Int
        /// The height of a block, in rows of the image.
        public let blockHeight: Int

        /// Returns the number of blocks in a row of an image of this width. The last block may extend past the image.
        public func columns(width: Int) -> Int { (width + blockWidth - 1) / blockWidth }

        /// Returns the number of rows of blocks in an image of this height.
        public func rows(height: Int) -> Int { (height + blockHeight - 1) / blockHeight }

        /// Returns the number of bytes in a row of an image of this width, without padding.
        public func bytesPerRow(width: Int) -> Int { columns(width: width) * bytesPerBlock }
    }

    /// The format's code.
    public let fourcc: FourCC
    /// The format's planes. There are one to three. Some modifiers add more planes.
    public let planes: [Plane]
    /// Whether the format stores luma and chroma instead of red, green and blue.
    public let isYUV: Bool
    /// Whether the format has meaningful alpha.
    public let hasAlpha: Bool
    /// Whether values are floats of 16 bits, which are not limited to 0...1.
    public var hasFloats: Bool {
        switch readFormat {
        case .rgba16F, .rgba32F: true
        case .rgba8, .rgba16, .rgb10A2: false
        }
    }
    /// Whether colours have 10 bits and alpha has 2.
    public var hasTenBits: Bool {
        switch readFormat {
        case .rgb10A2: true
        case .rgba8, .rgba16, .rgba16F, .rgba32F: false
        }
    }
    /// The texture format in which a render target of this format is read back.
    let readFormat: TextureFormat

    /// Returns the description of a format; nil if Frost does not know the format, and therefore cannot check buffers
    /// of this format.
    public init?(_ fourcc: FourCC) {
        guard let known = Self.known[fourcc] else { return nil }
        self = known
    }

    private init(
        fourcc: FourCC, planes: [Plane], isYUV: Bool, hasAlpha: Bool, readFormat: TextureFormat
    ) {
        self.fourcc = fourcc
        self.planes = planes
        self.isYUV = isYUV
        self.hasAlpha = hasAlpha
        self.readFormat = readFormat
    }

    /// Every pixel format that Frost knows, by its code.
    public static let known: [FourCC: DRMFormat] = {
        var known: [FourCC: DRMFormat] = [:]
        func rgb(_ names: [StaticString], bytes: Int, alpha: Bool = false, as readFormat: TextureFormat = .rgba8) {
            for fourcc in names.map({ FourCC($0) }) {
                known[fourcc] = DRMFormat(
                    fourcc: fourcc, planes: [plane(fourcc, bytes)], isYUV: false, hasAlpha: alpha,
                    readFormat: readFormat)
            }
        }
        func packedYUV(_ names: [StaticString], bytes: Int, width: Int = 1, alpha: Bool = false) {
            for fourcc in names.map({ FourCC($0) }) {
                known[fourcc] = DRMFormat(
                    fourcc: fourcc, planes: [plane(fourcc, bytes, width)], isYUV: true, hasAlpha: alpha,
                    readFormat: .rgba8)
            }
        }
        func planarYUV(_ names: [StaticString], _ planes: Plane...) {
            for fourcc in names.map({ FourCC($0) }) {
                known[fourcc] = DRMFormat(
                    fourcc: fourcc, planes: planes, isYUV: true, hasAlpha: false, readFormat: .rgba8)
            }
        }
        func plane(_ fourcc: FourCC, _ bytes: Int, _ width: Int = 1, _ height: Int = 1) -> Plane {
            Plane(fourcc: fourcc, bytesPerBlock: bytes, blockWidth: width, blockHeight: height)
        }

        rgb(["AR24", "AB24", "RA24", "BA24"], bytes: 4, alpha: true)
        rgb(["XR24", "XB24", "RX24", "BX24"], bytes: 4)
        rgb(["AR30", "AB30"], bytes: 4, alpha: true, as: .rgb10A2)
        rgb(["XR30", "XB30"], bytes: 4, as: .rgb10A2)
        rgb(["AB48"], bytes: 8, alpha: true, as: .rgba16)
        rgb(["XB48"], bytes: 8, as: .rgba16)
        rgb(["AR4H", "AB4H"], bytes: 8, alpha: true, as: .rgba16F)
        rgb(["XR4H", "XB4H"], bytes: 8, as: .rgba16F)
        rgb(["AR15", "AR12"], bytes: 2, alpha: true)
        rgb(["RG16", "BG16", "XR15", "XR12"], bytes: 2)
        rgb(["RG24", "BG24"], bytes: 3)
        rgb(["R8"], bytes: 1)
        rgb(["GR88", "RG88"], bytes: 2)
        rgb(["R16"], bytes: 2, as: .rgba16)
        rgb(["GR32", "RG32"], bytes: 4, as: .rgba16)

        packedYUV(["YUYV", "YVYU", "UYVY", "VYUY"], bytes: 4, width: 2)
        packedYUV(["Y210", "Y212", "Y216"], bytes: 8, width: 2)
        packedYUV(["AYUV", "Y410"], bytes: 4, alpha: true)
        packedYUV(["XYUV"], bytes: 4)
        packedYUV(["Y412", "Y416"], bytes: 8, alpha: true)

        let (luma, luma16) = (plane(.r8, 1), plane(.r16, 2))
        planarYUV(["NV12", "NV21"], luma, plane(.gr88, 2, 2, 2))
        planarYUV(["NV16", "NV61"], luma, plane(.gr88, 2, 2, 1))
        planarYUV(["NV24", "NV42"], luma, plane(.gr88, 2))
        planarYUV(["P010", "P012", "P016"], luma16, plane(.gr1616, 4, 2, 2))
        planarYUV(["P210"], luma16, plane(.gr1616, 4, 2, 1))
        planarYUV(["YUV9", "YVU9"], luma, plane(.r8, 1, 4, 4), plane(.r8, 1, 4, 4))
        planarYUV(["YU11", "YV11"], luma, plane(.r8, 1, 4, 1), plane(.r8, 1, 4, 1))
        planarYUV(["YU12", "YV12"], luma, plane(.r8, 1, 2, 2), plane(.r8, 1, 2, 2))
        planarYUV(["YU16", "YV16"], luma, plane(.r8, 1, 2, 1), plane(.r8, 1, 2, 1))
        planarYUV(["YU24", "YV24"], luma, luma, luma)
        return known
    }()
}
