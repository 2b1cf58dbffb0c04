public import FrostCore

/// The file formats that Frost reads and writes. ``traits`` holds every fact about each.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    case png, jpeg, webp, qoi, ppm, pgm, pnm, pam, pfm
    #if TIFF
        case tiff
    #endif
    #if AVIF
        case avif
    #endif
    #if JPEGXL
        case jxl
    #endif

    /// What a format is called and what it can hold.
    public struct Traits: Sendable {
        /// The format's name for people: "PNG".
        public let title: String
        /// File name suffixes in lower case, the usual one first.
        public let suffixes: [String]
        /// The channel layouts that the format can hold, the plainest first. ``RowFit`` converts others to one of them
        /// if nothing is lost.
        public let channels: [ChannelLayout]
        /// The sample types that it can hold.
        public let samples: [SampleType]
        /// The longest side that the format, or its library, supports.
        public let maximumSide: Int
        /// Whether it can hold ``ColorModel/cmyk``.
        public var holdsCMYK = false
        /// The default `quality` of its options; nil if it has none.
        public var quality: Int?
        /// Whether it is lossy by default and lossless on request.
        public var isLosslessOnRequest = false
        /// The metadata that it can hold.
        public var metadata: Set<MetadataKind> = []

        /// The values that the options' `depth` may have.
        public var depths: [Int] = [8, 16]
        /// Whether several pictures in a file are pages, not an animation.
        public var hasPages = false

        /// A file of several pictures, in words.
        var several: String { hasPages ? "\(anyOfIt) of several pages" : "an animated \(title)" }

        /// "a PNG", "an AVIF".
        var anyOfIt: String { ImageFormat.anyOf(title) }
    }

    /// The table of formats.
    public var traits: Traits {
        switch self {
        case .png:
            Traits(
                title: "PNG", suffixes: ["png"], channels: [.grey, .greyAlpha, .rgb, .rgba, .bgra],
                samples: [.u8, .u16], maximumSide: Int(Int32.max),
                metadata: [.profile, .curve, .density, .exif, .xmp, .texts])
        case .jpeg:
            Traits(
                title: "JPEG", suffixes: ["jpg", "jpeg", "jpe", "jfif"], channels: [.grey, .rgb], samples: [.u8],
                maximumSide: 65500, holdsCMYK: true, quality: JPEGWriteOptions().quality,
                metadata: [.profile, .exif, .xmp, .comments, .density])
        case .webp:
            Traits(
                title: "WebP", suffixes: ["webp"], channels: [.rgb, .rgba], samples: [.u8], maximumSide: 16383,
                quality: WebPWriteOptions().quality, isLosslessOnRequest: true, metadata: [.profile, .exif, .xmp])
        case .qoi:
            Traits(
                title: "QOI", suffixes: ["qoi"], channels: [.rgb, .rgba], samples: [.u8],
                maximumSide: Int(Int32.max))
        case .ppm: Self.netpbm("PPM", ["ppm"], [.rgb], [.u8, .u16])
        case .pgm: Self.netpbm("PGM", ["pgm"], [.grey], [.u8, .u16])
        case .pnm: Self.netpbm("PNM", ["pnm"], [.grey, .rgb], [.u8, .u16])
        case .pam: Self.netpbm("PAM", ["pam"], [.grey, .greyAlpha, .rgb, .rgba], [.u8, .u16])
        case .pfm: Self.netpbm("PFM", ["pfm"], [.grey, .rgb], [.f32])
        #if TIFF
            case .tiff:
                Traits(
                    title: OptionalFormat.tiff.title, suffixes: OptionalFormat.tiff.suffixes,
                    channels: [.grey, .greyAlpha, .rgb, .rgba], samples: [.u8, .u16, .f32],
                    maximumSide: Int(Int32.max), holdsCMYK: true, metadata: [.profile, .xmp, .density], hasPages: true)
        #endif
        #if AVIF
            case .avif:
                Traits(
                    title: OptionalFormat.avif.title, suffixes: OptionalFormat.avif.suffixes,
                    // Samples of 16 bits must have 12 significant bits at most, see AVIFEncoder.
                    channels: [.grey, .greyAlpha, .rgb, .rgba], samples: [.u8, .u16], maximumSide: 65535,
                    quality: LossyWriteOptions.avif.quality, isLosslessOnRequest: true,
                    metadata: [.profile, .codePoints, .exif, .xmp], depths: [8, 10, 12])
        #endif
        #if JPEGXL
            case .jxl:
                Traits(
                    title: OptionalFormat.jxl.title, suffixes: OptionalFormat.jxl.suffixes,
                    channels: [.grey, .greyAlpha, .rgb, .rgba], samples: [.u8, .u16, .f32], maximumSide: 1 << 30,
                    quality: LossyWriteOptions.jxl.quality, isLosslessOnRequest: true,
                    metadata: [.profile, .curve, .exif, .xmp])
        #endif
        }
    }

    private static func netpbm(
        _ title: String, _ suffixes: [String], _ channels: [ChannelLayout], _ samples: [SampleType]
    ) -> Traits {
        Traits(
            title: title, suffixes: suffixes, channels: channels, samples: samples, maximumSide: Int(Int32.max))
    }

    /// All names and suffixes, the names first.
    public static var allNames: [String] {
        allCases.map(\.rawValue) + allCases.flatMap(\.traits.suffixes).filter { Self(rawValue: $0) == nil }
    }

    /// The format of a name or suffix: "jpeg" or "jpg".
    public init?(named name: String) {
        guard let format = Self(rawValue: name) ?? Self(suffixOf: "a." + name) else { return nil }
        self = format
    }

    /// The format of a file name's suffix; nil if the suffix is unknown.
    public init?(suffixOf path: String) {
        guard let suffix = Self.suffix(of: path)?.lowercased() else { return nil }
        guard let format = Self.allCases.first(where: { $0.traits.suffixes.contains(suffix) }) else { return nil }
        self = format
    }

    /// The text after the last dot of a path's last component; nil if the component begins with that dot.
    public static func suffix(of path: String) -> String? {
        let file = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return nil }
        return String(file[file.index(after: dot)...])
    }

    /// A title with its indefinite article.
    static func anyOf(_ title: String) -> String { (title.hasPrefix("A") ? "an " : "a ") + title }

    /// The suffixes of all formats, for people: ".png or .jpg".
    public static var suffixList: String { list(allCases.flatMap(\.traits.suffixes).map { ".\($0)" }, "or") }

    /// All formats, for people: "PNG and JPEG".
    static var titles: String { list(allCases.map(\.traits.title), "and") }

    /// Words, for people: "a, b and c".
    public static func list(_ words: [String], _ last: String) -> String {
        guard words.count > 1 else { return words.joined() }
        return words.dropLast().joined(separator: ", ") + " \(last) " + words[words.count - 1]
    }
}
