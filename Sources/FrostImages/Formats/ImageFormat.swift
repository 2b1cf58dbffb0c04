public import FrostCore

/// The file formats that are read and written. What there is to know of each stands in ``traits``, once.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    case png, jpeg, webp, qoi, ppm, pgm, pnm, pam, pfm

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
        /// What it can say besides the pixels.
        public var metadata: Set<MetadataKind> = []
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
                maximumSide: 65500, holdsCMYK: true, metadata: [.profile, .exif, .xmp, .comments, .density])
        case .webp:
            Traits(
                title: "WebP", suffixes: ["webp"], channels: [.rgb, .rgba], samples: [.u8], maximumSide: 16383,
                metadata: [.profile, .exif, .xmp])
        case .qoi:
            Traits(
                title: "QOI", suffixes: ["qoi"], channels: [.rgb, .rgba], samples: [.u8],
                maximumSide: Int(Int32.max))
        case .ppm: Self.netpbm("PPM", ["ppm"], [.rgb], [.u8, .u16])
        case .pgm: Self.netpbm("PGM", ["pgm"], [.grey], [.u8, .u16])
        case .pnm: Self.netpbm("PNM", ["pnm"], [.grey, .rgb], [.u8, .u16])
        case .pam: Self.netpbm("PAM", ["pam"], [.grey, .greyAlpha, .rgb, .rgba], [.u8, .u16])
        case .pfm: Self.netpbm("PFM", ["pfm"], [.grey, .rgb], [.f32])
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

    /// The suffixes of all formats, for people: ".png or .jpg".
    public static var suffixList: String { list(allCases.flatMap(\.traits.suffixes).map { ".\($0)" }, "or") }

    /// All formats, for people: "PNG and JPEG".
    static var titles: String { list(allCases.map(\.traits.title), "and") }

    private static func list(_ words: [String], _ last: String) -> String {
        guard words.count > 1 else { return words.joined() }
        return words.dropLast().joined(separator: ", ") + " \(last) " + words[words.count - 1]
    }
}
