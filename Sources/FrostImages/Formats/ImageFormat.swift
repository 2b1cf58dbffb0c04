public import FrostCore

/// The file formats that are read and written. What there is to know of each stands in ``traits``, once.
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
        /// For people: "PNG".
        public let title: String
        /// What names of such files end in, in lower case; the first is the usual one.
        public let suffixes: [String]
        /// What a pixel may consist of, the plainest first. ``RowFit`` brings others to one of them where nothing is
        /// lost.
        public let channels: [ChannelLayout]
        /// What a sample may be.
        public let samples: [SampleType]
        /// The longest side that the format can state, or its library takes.
        public let maximumSide: Int
        /// Whether it can hold ``ColorModel/cmyk``.
        public var holdsCMYK = false
        /// What `quality` its options have unless something else is said; nil where there is none.
        public var quality: Int?
        /// Whether it has a form that keeps every pixel, besides the usual one that does not.
        public var isLosslessOnRequest = false
        /// What it can say besides the pixels.
        public var metadata: Set<MetadataKind> = []

        /// What the options' `depth` may be, for what it is written in.
        public var depths: [Int] = [8, 16]
        /// Whether several pictures in a file are pages, not an animation.
        public var hasPages = false

        /// What a file of several pictures is, for people.
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
                    // Of 16 bits those that have no more than 12, see AVIFEncoder.
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

    /// Every name and suffix, the names first.
    public static var allNames: [String] {
        allCases.map(\.rawValue) + allCases.flatMap(\.traits.suffixes).filter { Self(rawValue: $0) == nil }
    }

    /// The format of a name, or of a suffix that stands for it: "jpeg" or "jpg".
    public init?(named name: String) {
        guard let format = Self(rawValue: name) ?? Self(suffixOf: "a." + name) else { return nil }
        self = format
    }

    /// The format that a file's name asks for, by what stands behind its last dot; nil where that is of none.
    public init?(suffixOf path: String) {
        guard let suffix = Self.suffix(of: path)?.lowercased() else { return nil }
        guard let format = Self.allCases.first(where: { $0.traits.suffixes.contains(suffix) }) else { return nil }
        self = format
    }

    /// What stands behind the last dot of a path's last component, unless that is where the component begins.
    public static func suffix(of path: String) -> String? {
        let file = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return nil }
        return String(file[file.index(after: dot)...])
    }

    /// A title with its article.
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
