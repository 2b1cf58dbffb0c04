public import FrostCore

/// What a file says about its pixels, with the numbers as the file states them.
public struct ImageMetadata: Sendable, Hashable {
    /// The file's ICC profile, if it fits the pixels.
    public var iccProfile: ICCProfile?
    /// Why a reader dropped the file's ICC profile. Writers ignore it.
    public internal(set) var profileFault: ProfileFault?
    /// PNG's sRGB chunk. Not written beside an ICC profile: PNG allows one of the two.
    public var renderingIntent: RenderingIntent?
    /// PNG's gAMA chunk: 100000 times the encoding exponent, so 45455 for 1 / 2.2.
    public var gamma: UInt32?
    /// PNG's cHRM chunk.
    public var chromaticities: Chromaticities?
    /// PNG's pHYs chunk or JFIF's density.
    public var pixelDensity: PixelDensity?
    /// AVIF's colour description, if it is not sRGB. An ICC profile takes precedence over it.
    public var codePoints: CodePoints?
    /// How many bits of a 16-bit sample are significant, if fewer are known to be: AVIF's 10 or 12.
    public var significantBits: Int?
    /// What the channels mean.
    public var colorModel = ColorModel.light
    /// An EXIF block, beginning with its TIFF header. Readers remove its thumbnail. Those of JPEG and WebP also rotate
    /// the pixels and set the orientation in the block to upright.
    public var exif: [UInt8]?
    /// An XMP packet.
    public var xmp: [UInt8]?
    /// JPEG's comments, in an unknown encoding.
    public var comments: [[UInt8]] = []
    /// PNG's text and time chunks that precede the pixels.
    public var texts: [PNGText] = []

    /// Empty metadata.
    public init() {}

    /// Only a colour space.
    public init(colorSpace: ColorSpace) {
        switch colorSpace {
        case .unspecified: break
        case .sRGB: renderingIntent = .perceptual
        case .linear: gamma = 100_000
        case .gamma(let exponent):
            // Outside PNG's range there is no correct value to write.
            let value = (100_000 / exponent).rounded()
            if value >= 1, value <= 0x7FFF_FFFF { gamma = UInt32(value) }
        case .icc(let bytes): iccProfile = ICCProfile(bytes: bytes)
        }
    }

    /// How the pixels encode light: by the ICC profile, else sRGB if that is stated, else by the gamma.
    public var colorSpace: ColorSpace {
        if let iccProfile { return .icc(iccProfile.bytes) }
        if renderingIntent != nil { return .sRGB }
        if codePoints == .linearSRGB { return .linear }
        if let gamma, gamma > 0 { return .gamma(exponent: 100_000 / Double(gamma)) }
        return .unspecified
    }

    /// Whether the file states that the numbers are linear.
    var isLinear: Bool { iccProfile == nil && renderingIntent == nil && gamma == 100_000 }

    /// Whether any colour description is set.
    var statesColor: Bool {
        iccProfile != nil || renderingIntent != nil || gamma != nil || chromaticities != nil || codePoints != nil
    }
}

/// The kinds of metadata.
public enum MetadataKind: String, Sendable, Hashable, CaseIterable {
    case profile = "the colour profile"
    /// Gamma, chromaticities or a rendering intent: a colour space without a profile.
    case curve = "the colour space"
    case codePoints = "the colour space's code points"
    case density = "the density"
    case exif = "EXIF"
    case xmp = "XMP"
    case comments = "comments"
    case texts = "texts"
}

/// Which of a file's metadata to keep.
public enum MetadataPolicy: String, Sendable, Hashable, CaseIterable {
    /// Everything that Frost knows.
    case all
    /// What is needed to show the numbers correctly: the colour profile or space.
    case color
    /// Nothing, not even the colour space.
    case none
}

extension ImageMetadata {
    /// The metadata that a policy keeps.
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

    /// The kinds of metadata that a format cannot hold and that are set.
    public func lost(in format: ImageFormat) -> [MetadataKind] {
        MetadataKind.allCases.filter {
            // QOI distinguishes linear numbers from sRGB's, and knows no other curve.
            stated.contains($0) && !format.traits.metadata.contains($0)
                && !($0 == .curve && format == .qoi && isLinear)
        }
    }

    /// The kinds of metadata that are set. sRGB does not count: a picture without a colour space is taken as sRGB.
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

    /// Whether the metadata, without the profile, describe sRGB.
    private var isPlain: Bool {
        if renderingIntent != nil { return true }
        // Programs write 1 / 2.2 for sRGB.
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

/// What the channels mean if they are not light.
public enum ColorModel: Sendable, Hashable {
    /// Grey or red, green and blue, and alpha, as the layout says.
    case light
    /// Cyan, magenta, yellow and black in place of red, green, blue and alpha; 255 is no ink. Such pixels are marked as
    /// premultiplied, so that filters treat all four channels alike.
    case cmyk
}

/// Code points of ITU-T H.273 (CICP): how video formats describe colour.
public struct CodePoints: Sendable, Hashable {
    /// The primaries and the white point: 1 BT.709 and sRGB, 2 unspecified, 9 BT.2020, 12 Display P3.
    public var primaries: UInt16
    /// The curve: 1 BT.709, 2 unspecified, 8 linear, 13 sRGB, 16 PQ, 18 HLG.
    public var transfer: UInt16

    /// - Parameters: numbers from tables 2 and 3 of the standard.
    public init(primaries: UInt16, transfer: UInt16) {
        self.primaries = primaries
        self.transfer = transfer
    }

    static let sRGB = CodePoints(primaries: 1, transfer: 13)
    static let linearSRGB = CodePoints(primaries: 1, transfer: 8)

    /// Whether they describe sRGB, or leave the choice to the reader, which assumes sRGB.
    var isPlain: Bool { primaries <= 2 && (transfer == 0 || transfer == 2 || transfer == 13) }
}

/// A text or time chunk of a PNG: tEXt, zTXt, iTXt or tIME.
public struct PNGText: Sendable, Hashable {
    /// The chunk's name, four letters.
    public var chunk: String
    /// The chunk's data, with the keyword.
    public var bytes: [UInt8]

    /// - Parameters: the chunk's name and data as they are in the file.
    public init(chunk: String, bytes: [UInt8]) {
        self.chunk = chunk
        self.bytes = bytes
    }
}

/// How to treat colours outside a device's gamut, numbered as in ICC and PNG.
public enum RenderingIntent: UInt8, Sendable, Hashable, CaseIterable {
    case perceptual, relativeColorimetric, saturation, absoluteColorimetric
}

/// The CIE x and y of white and of the primaries, times 100000.
public struct Chromaticities: Sendable, Hashable {
    /// A point of the chromaticity diagram.
    public struct Point: Sendable, Hashable {
        /// 100000 times the CIE x.
        public var x: UInt32
        /// 100000 times the CIE y.
        public var y: UInt32

        /// - Parameters: 100000 times the coordinates.
        public init(x: UInt32, y: UInt32) {
            self.x = x
            self.y = y
        }
    }

    /// The white point.
    public var white: Point
    /// The red primary.
    public var red: Point
    /// The green primary.
    public var green: Point
    /// The blue primary.
    public var blue: Point

    /// The white point and the three primaries.
    public init(white: Point, red: Point, green: Point, blue: Point) {
        self.white = white
        self.red = red
        self.green = green
        self.blue = blue
    }
}

/// The number of pixels per unit of length.
public struct PixelDensity: Sendable, Hashable {
    /// The unit of length.
    public enum Unit: UInt8, Sendable, Hashable {
        /// Unknown: only the ratio of the two means something, the pixels' shape.
        case unknown
        case perMetre
    }

    /// Pixels per unit along a row.
    public var x: UInt32
    /// Pixels per unit along a column.
    public var y: UInt32
    /// The unit.
    public var unit: Unit

    /// - Parameters: pixels per unit, and the unit.
    public init(x: UInt32, y: UInt32, unit: Unit) {
        self.x = x
        self.y = y
        self.unit = unit
    }
}
