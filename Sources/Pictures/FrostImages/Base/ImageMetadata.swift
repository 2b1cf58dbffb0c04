public import FrostCore

/// The metadata of an image file: colour description, density, EXIF, XMP and texts. Numbers are encoded as in the file.
public struct ImageMetadata: Sendable, Hashable {
    /// The file's ICC profile. Nil if the file has no profile or if the profile does not match the pixel format. Readers
    /// drop its private tags.
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
    /// The content of PNG's mDCV chunk: the primaries, the white point and the luminances of the display on which the
    /// picture was made. It has 24 bytes.
    public var masteringDisplay: [UInt8]?
    /// The content of PNG's cLLI chunk: the maximum and the mean of the light. It has 8 bytes.
    public var contentLight: [UInt8]?
    /// The number of significant bits in a 16-bit sample, if the file stores fewer than 16 bits per sample: AVIF stores
    /// 10 or 12.
    public var significantBits: Int?
    /// The times of the frames, if a reader returns all of them; see ``ImageReadOptions/Part/frames``. Writers of pictures
    /// ignore this property.
    public internal(set) var timing: AnimationTiming?
    /// The meaning of the pixel channels: light, or the inks of a CMYK picture.
    public var colorModel = ColorModel.light
    /// An EXIF block that begins with its TIFF header. Readers rebuild it from known tags, so it contains no thumbnail
    /// and no maker's note. It states the upright orientation, because readers rotate the pixels.
    public var exif: [UInt8]?
    /// An XMP packet. Readers rebuild it from known properties, so it contains no thumbnail.
    public var xmp: [UInt8]?
    /// The comments of a JPEG file. Their character encoding is unknown. Readers drop comments that are not texts.
    public var comments: [[UInt8]] = []
    /// The text and time chunks that precede the pixels of a PNG file. Readers drop those with unknown keywords.
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
            result.masteringDisplay = nil
            result.contentLight = nil
        }
        return result
    }

    /// Returns the kinds of metadata that are present but that the policy does not keep.
    public func lost(by policy: MetadataPolicy) -> [MetadataKind] {
        let kept = keeping(policy).stated
        return MetadataKind.allCases.filter { stated.contains($0) && !kept.contains($0) }
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
        if masteringDisplay != nil || contentLight != nil { kinds.insert(.lightLevels) }
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
    var isNearSRGB: Bool {
        let expected: [(Point, UInt32, UInt32)] = [
            (white, 31270, 32900), (red, 64000, 33000), (green, 30000, 60000), (blue, 15000, 6000),
        ]
        return expected.allSatisfy { abs(Int($0.0.x) - Int($0.1)) < 100 && abs(Int($0.0.y) - Int($0.2)) < 100 }
    }
}
