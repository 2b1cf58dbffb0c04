public import FrostCore

/// What a file says about its pixels besides the pixels, with the numbers as they stand in the file.
public struct ImageMetadata: Sendable, Hashable {
    /// The file's ICC profile, where it says something about the pixels.
    public var iccProfile: ICCProfile?
    /// Why a reader left the file's ICC profile out. Writers take no notice of it.
    public internal(set) var profileFault: ProfileFault?
    /// PNG's sRGB chunk. Not written beside an ICC profile: PNG allows one of the two.
    public var renderingIntent: RenderingIntent?
    /// PNG's gAMA chunk: 100000 times the exponent that light was raised to, 45455 for 1 / 2.2.
    public var gamma: UInt32?
    /// PNG's cHRM chunk.
    public var chromaticities: Chromaticities?
    /// PNG's pHYs chunk, JFIF's density.
    public var pixelDensity: PixelDensity?
    /// AVIF's statement about colour, where it says something else than sRGB. An ICC profile goes before it.
    public var codePoints: CodePoints?
    /// How many bits of samples of 16 say something, where that is known to be fewer: AVIF's 10 or 12.
    public var significantBits: Int?
    /// What the channels are.
    public var colorModel = ColorModel.light
    /// An EXIF block, beginning with its TIFF header. Readers take out the small picture in it, and those of JPEG and
    /// WebP turn the pixels, so that it says upright.
    public var exif: [UInt8]?
    /// An XMP packet.
    public var xmp: [UInt8]?
    /// JPEG's comments, in whatever encoding.
    public var comments: [[UInt8]] = []
    /// PNG's texts and its time of change, as they stand before the pixels.
    public var texts: [PNGText] = []

    /// Nothing was said.
    public init() {}

    /// States a colour space and nothing else.
    public init(colorSpace: ColorSpace) {
        switch colorSpace {
        case .unspecified: break
        case .sRGB: renderingIntent = .perceptual
        case .linear: gamma = 100_000
        case .gamma(let exponent):
            // Outside PNG's range there is nothing true to write.
            let value = (100_000 / exponent).rounded()
            if value >= 1, value <= 0x7FFF_FFFF { gamma = UInt32(value) }
        case .icc(let bytes): iccProfile = ICCProfile(bytes: bytes)
        }
    }

    /// What the numbers of the pixels mean: an ICC profile counts before sRGB, and that before a bare gamma.
    public var colorSpace: ColorSpace {
        if let iccProfile { return .icc(iccProfile.bytes) }
        if renderingIntent != nil { return .sRGB }
        if codePoints == .linearSRGB { return .linear }
        if let gamma, gamma > 0 { return .gamma(exponent: 100_000 / Double(gamma)) }
        return .unspecified
    }

    /// Whether the numbers are said to be linear.
    var isLinear: Bool { iccProfile == nil && renderingIntent == nil && gamma == 100_000 }

    /// Whether anything is said about colour.
    var statesColor: Bool {
        iccProfile != nil || renderingIntent != nil || gamma != nil || chromaticities != nil || codePoints != nil
    }
}

/// The kinds of things that files say besides their pixels.
public enum MetadataKind: String, Sendable, Hashable, CaseIterable {
    case profile = "the colour profile"
    /// Gamma, chromaticities, a rendering intent: a colour space without a profile.
    case curve = "the colour space"
    case codePoints = "the colour space's code points"
    case density = "the density"
    case exif = "EXIF"
    case xmp = "XMP"
    case comments = "comments"
    case texts = "texts"
}

/// What is to be kept of what a file says besides its pixels.
public enum MetadataPolicy: String, Sendable, Hashable, CaseIterable {
    /// All that is known here.
    case all
    /// What says how the numbers are to be shown: the colour profile or space.
    case color
    /// Nothing, not even that.
    case none
}

extension ImageMetadata {
    /// What a policy leaves.
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

    /// What a format has no room for.
    public func lost(in format: ImageFormat) -> [MetadataKind] {
        MetadataKind.allCases.filter {
            // QOI tells linear numbers from sRGB's, and knows no other curve.
            stated.contains($0) && !format.traits.metadata.contains($0)
                && !($0 == .curve && format == .qoi && isLinear)
        }
    }

    /// What is said. That the colours are sRGB's need not be: pictures that say nothing are taken so.
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

    /// Whether the colours are sRGB's, as far as is said.
    private var isPlain: Bool {
        if renderingIntent != nil { return true }
        // 1 / 2.2, as programs write it for sRGB.
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

/// What channels are, where that is not grey, RGB and alpha.
public enum ColorModel: Sendable, Hashable {
    /// As the layout of channels says.
    case light
    /// Cyan, magenta, yellow and black in the places of red, green, blue and alpha, 255 for no ink. Such pixels call
    /// themselves premultiplied, so that filters treat all four alike.
    case cmyk
}

/// Code points of ITU-T H.273 (CICP): what numbers stand for, as video says it.
public struct CodePoints: Sendable, Hashable {
    /// The primaries and white: 1 BT.709's and sRGB's, 2 unspecified, 9 BT.2020's, 12 Display P3's.
    public var primaries: UInt16
    /// The curve: 1 BT.709's, 2 unspecified, 8 linear, 13 sRGB's, 16 PQ, 18 HLG.
    public var transfer: UInt16

    /// - Parameters: numbers of the standard's tables 2 and 3.
    public init(primaries: UInt16, transfer: UInt16) {
        self.primaries = primaries
        self.transfer = transfer
    }

    static let sRGB = CodePoints(primaries: 1, transfer: 13)
    static let linearSRGB = CodePoints(primaries: 1, transfer: 8)

    /// Whether they say sRGB, or leave it to the reader, which takes sRGB.
    var isPlain: Bool { primaries <= 2 && (transfer == 0 || transfer == 2 || transfer == 13) }
}

/// A chunk of a PNG that people may read: tEXt, zTXt, iTXt or tIME.
public struct PNGText: Sendable, Hashable {
    /// The chunk's name of four letters.
    public var chunk: String
    /// What it holds, keyword and all.
    public var bytes: [UInt8]

    /// - Parameters: the chunk as it stands in the file.
    public init(chunk: String, bytes: [UInt8]) {
        self.chunk = chunk
        self.bytes = bytes
    }
}

/// How colours outside a device's range are to be treated, numbered as in ICC and PNG.
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

/// How many pixels there are to a unit of length.
public struct PixelDensity: Sendable, Hashable {
    /// What the numbers count.
    public enum Unit: UInt8, Sendable, Hashable {
        /// Only the ratio of the two means something: the pixels' shape.
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
