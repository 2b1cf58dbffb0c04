public import FrostCore

/// The metadata of an image file: colour description, density, EXIF, XMP and texts. Numbers are encoded as in the file.
public struct ImageMetadata: Sendable, Hashable {
    /// The file's ICC profile. Nil if the file has no profile or if the profile does not match the pixel format.
    public var iccProfile: ICCProfile?
    /// The reason why a reader dropped the file's ICC profile. Writers ignore this property.
    public internal(set) var profileFault: ProfileFault?
    /// The rendering intent of PNG's sRGB chunk. A writer omits this chunk if it writes an ICC profile, because PNG
    /// allows only one of the two.
    public var renderingIntent: RenderingIntent?
    /// The value of PNG's gAMA chunk: 100000 times the encoding exponent, for example 45455 for 1 / 2.2.
    public var gamma: UInt32?
    /// The white point and primaries of PNG's cHRM chunk.
    public var chromaticities: Chromaticities?
    /// The pixel density of PNG's pHYs chunk or of JPEG's JFIF segment.
    public var pixelDensity: PixelDensity?
    /// AVIF's colour description, if it differs from sRGB. An ICC profile takes precedence over these code points.
    public var codePoints: CodePoints?
    /// The number of significant bits in a 16-bit sample, if the file stores fewer than 16 bits per sample: AVIF stores
    /// 10 or 12.
    public var significantBits: Int?
    /// The meaning of the pixel channels: light, or the inks of a CMYK picture.
    public var colorModel = ColorModel.light
    /// An EXIF block that begins with its TIFF header. Readers remove its thumbnail. The JPEG and WebP readers also
    /// rotate the pixels and set the orientation in the block to upright.
    public var exif: [UInt8]?
    /// An XMP packet.
    public var xmp: [UInt8]?
    /// The comments of a JPEG file. Their character encoding is unknown.
    public var comments: [[UInt8]] = []
    /// The text and time chunks that precede the pixels of a PNG file.
    public var texts: [PNGText] = []

    /// Creates empty metadata.
    public init() {}

    /// Creates metadata that holds only a colour space.
    public init(colorSpace: ColorSpace) {
        switch colorSpace {
        case .unspecified: break
        case .sRGB: renderingIntent = .perceptual
        case .linear: gamma = 100_000
        case .gamma(let exponent):
            // PNG cannot express an exponent outside this range, so the metadata stays without a gamma.
            let value = (100_000 / exponent).rounded()
            if value >= 1, value <= 0x7FFF_FFFF { gamma = UInt32(value) }
        case .icc(let bytes): iccProfile = ICCProfile(bytes: bytes)
        }
    }

    /// The colour space of the pixels. If the metadata describe it several times, the first description in this order
    /// counts: the ICC profile, a statement that the pixels are sRGB, linear code points, the gamma. If there is no
    /// description, the colour space is unspecified.
    public var colorSpace: ColorSpace {
        if let iccProfile { return .icc(iccProfile.bytes) }
        if renderingIntent != nil { return .sRGB }
        if codePoints?.transfer == CodePoints.linearTransfer { return .linear }
        if let gamma, gamma > 0 { return .gamma(exponent: 100_000 / Double(gamma)) }
        return .unspecified
    }

    /// The number of bytes of the profile, EXIF, XMP and texts together.
    var byteCount: Int {
        let blocks = [iccProfile?.bytes ?? [], exif ?? [], xmp ?? []] + comments + texts.map(\.bytes)
        return blocks.reduce(0) { $0 + $1.count }
    }

    /// Whether the file states that its samples are linear in light.
    var isLinear: Bool { iccProfile == nil && renderingIntent == nil && gamma == 100_000 }

    /// Whether any colour description is set.
    var statesColor: Bool {
        iccProfile != nil || renderingIntent != nil || gamma != nil || chromaticities != nil || codePoints != nil
    }
}

/// The kinds of metadata that a file can hold. The raw value is the name for error messages.
public enum MetadataKind: String, Sendable, Hashable, CaseIterable {
    /// An ICC profile.
    case profile = "the colour profile"
    /// A colour space without a profile: gamma, chromaticities or a rendering intent.
    case curve = "the colour space"
    /// A colour description by code points of ITU-T H.273.
    case codePoints = "the colour space's code points"
    /// A pixel density.
    case density = "the density"
    /// An EXIF block.
    case exif = "EXIF"
    /// An XMP packet.
    case xmp = "XMP"
    /// The comments of a JPEG file.
    case comments = "comments"
    /// The text and time chunks of a PNG file.
    case texts = "texts"
}

/// The choice of which metadata to keep.
public enum MetadataPolicy: String, Sendable, Hashable, CaseIterable {
    /// Keeps all metadata that Frost can read.
    case all
    /// Keeps only the colour profile or colour space, which a viewer needs to show the pixels correctly.
    case color
    /// Keeps nothing, not even the colour space.
    case none
}

extension ImageMetadata {
    /// Returns a copy that contains only the metadata that the policy keeps.
    public func keeping(_ policy: MetadataPolicy) -> ImageMetadata {
        var result = self
        if policy != .all {
            result.pixelDensity = nil
            result.exif = nil
            result.xmp = nil
            result.comments = []
            result.texts = []
        }
        if policy == .none {
            result.iccProfile = nil
            result.renderingIntent = nil
            result.gamma = nil
            result.chromaticities = nil
            result.codePoints = nil
        }
        return result
    }

    /// Returns the kinds of metadata that are present but that the format cannot store.
    public func lost(in format: ImageFormat) -> [MetadataKind] {
        MetadataKind.allCases.filter {
            // QOI can mark samples as linear or as sRGB, but it cannot store any other transfer curve.
            stated.contains($0) && !format.traits.metadata.contains($0)
                && !($0 == .curve && format == .qoi && isLinear)
        }
    }

    /// The kinds of metadata that are present. An sRGB colour space does not count, because readers assume sRGB if a
    /// picture states no colour space.
    private var stated: Set<MetadataKind> {
        var kinds: Set<MetadataKind> = []
        if iccProfile != nil { kinds.insert(.profile) }
        if iccProfile == nil, !isPlain { kinds.insert(.curve) }
        if iccProfile == nil, codePoints != nil { kinds.insert(.codePoints) }
        if pixelDensity != nil { kinds.insert(.density) }
        if exif != nil { kinds.insert(.exif) }
        if xmp != nil { kinds.insert(.xmp) }
        if !comments.isEmpty { kinds.insert(.comments) }
        if !texts.isEmpty { kinds.insert(.texts) }
        return kinds
    }

    /// Whether the metadata, apart from the ICC profile, describe sRGB or no colour space.
    private var isPlain: Bool {
        if renderingIntent != nil { return true }
        // Many programs write a gamma of 1 / 2.2 for sRGB.
        return gamma.map { (45000...46000).contains($0) } ?? true
            && (chromaticities.map { $0.isNearSRGB } ?? true)
    }
}

extension Chromaticities {
    fileprivate var isNearSRGB: Bool {
        let expected: [(Point, UInt32, UInt32)] = [
            (white, 31270, 32900), (red, 64000, 33000), (green, 30000, 60000), (blue, 15000, 6000),
        ]
        return expected.allSatisfy { abs(Int($0.0.x) - Int($0.1)) < 100 && abs(Int($0.0.y) - Int($0.2)) < 100 }
    }
}

/// The meaning of the pixel channels.
public enum ColorModel: Sendable, Hashable {
    /// The channels hold light: grey or red, green and blue, and optionally alpha, as the pixel layout states.
    case light
    /// The four channels hold cyan, magenta, yellow and black, in the places of red, green, blue and alpha. The value
    /// 255 means no ink. Such pixels are marked as premultiplied, so that filters treat all four channels alike.
    case cmyk
}

/// Code points of ITU-T H.273 (CICP), which video formats use to describe colour.
public struct CodePoints: Sendable, Hashable {
    /// The code of the primaries and the white point: 1 is BT.709 and sRGB, 2 unspecified, 9 BT.2020, 12 Display P3.
    public var primaries: UInt16
    /// The code of the transfer curve: 1 is BT.709, 2 unspecified, 8 linear, 13 sRGB, 16 PQ, 18 HLG.
    public var transfer: UInt16

    /// Creates code points from the numbers in tables 2 (primaries) and 3 (transfer) of H.273.
    public init(primaries: UInt16, transfer: UInt16) {
        self.primaries = primaries
        self.transfer = transfer
    }

    static let sRGB = CodePoints(primaries: 1, transfer: 13)
    /// The code of a linear transfer curve.
    static let linearTransfer: UInt16 = 8

    /// Whether the code points describe sRGB or leave the colour space unspecified. Readers assume sRGB if the colour
    /// space is unspecified.
    var isPlain: Bool { primaries <= 2 && (transfer == 0 || transfer == 2 || transfer == 13) }
}

/// A text or time chunk of a PNG file: tEXt, zTXt, iTXt or tIME.
public struct PNGText: Sendable, Hashable {
    /// The names of the chunks.
    static let chunks: Set = ["tEXt", "zTXt", "iTXt", "tIME"]

    /// The name of the chunk: four letters.
    public var chunk: String
    /// The data of the chunk, including its keyword.
    public var bytes: [UInt8]

    /// Creates a chunk from its name and its data, both exactly as stored in the file.
    public init(chunk: String, bytes: [UInt8]) {
        self.chunk = chunk
        self.bytes = bytes
    }
}

/// The rendering intent: how to treat colours outside the gamut of a device. The raw values are those of ICC and PNG.
public enum RenderingIntent: UInt8, Sendable, Hashable, CaseIterable {
    /// The four rendering intents, in the order of their numbers.
    case perceptual, relativeColorimetric, saturation, absoluteColorimetric
}

/// The CIE x and y coordinates of the white point and of the primaries, times 100000.
public struct Chromaticities: Sendable, Hashable {
    /// A point of the CIE chromaticity diagram.
    public struct Point: Sendable, Hashable {
        /// The CIE x coordinate, times 100000.
        public var x: UInt32
        /// The CIE y coordinate, times 100000.
        public var y: UInt32

        /// Creates a point from CIE x and y, each times 100000.
        public init(x: UInt32, y: UInt32) {
            self.x = x
            self.y = y
        }
    }

    /// The chromaticity of the white point.
    public var white: Point
    /// The chromaticity of the red primary.
    public var red: Point
    /// The chromaticity of the green primary.
    public var green: Point
    /// The chromaticity of the blue primary.
    public var blue: Point

    /// Combines the white point and the three primaries.
    public init(white: Point, red: Point, green: Point, blue: Point) {
        self.white = white
        self.red = red
        self.green = green
        self.blue = blue
    }
}

/// A pixel density: the number of pixels per unit of length, along rows and along columns.
public struct PixelDensity: Sendable, Hashable {
    /// The unit of length of a pixel density.
    public enum Unit: UInt8, Sendable, Hashable {
        /// The unit is unknown. Only the ratio of `x` to `y` has a meaning: the pixel's aspect ratio.
        case unknown
        /// The unit is one metre.
        case perMetre
    }

    /// The number of pixels per unit of length along a row.
    public var x: UInt32
    /// The number of pixels per unit of length along a column.
    public var y: UInt32
    /// The unit of length.
    public var unit: Unit

    /// Creates a density from the numbers of pixels per unit of length, and the unit.
    public init(x: UInt32, y: UInt32, unit: Unit) {
        self.x = x
        self.y = y
        self.unit = unit
    }
}
