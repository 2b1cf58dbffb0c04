public import FrostCore

/// A file format that Frost reads, and usually writes. ``traits`` holds every fact about the format.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
    /// The formats that every build supports.
    case png, jpeg, webp, qoi, ppm, pgm, pnm, pam, pfm
    /// The formats that a build can leave out; see ``isBuilt``.
    case tiff, avif, jxl
    /// The formats that Frost reads and does not write. A build can leave out HEIC.
    case bmp, gif, heic

    /// The formats that this build reads and writes.
    public static let allCases: [ImageFormat] =
        [.png, .jpeg, .webp, .qoi, .ppm, .pgm, .pnm, .pam, .pfm] + [.tiff, .avif, .jxl].filter(\.isBuilt)
    /// The formats that a build can leave out.
    public static let optional: [ImageFormat] = [.tiff, .avif, .jxl, .heic]
    /// The formats that Frost reads and does not write.
    public static let readOnly: [ImageFormat] = [.bmp, .gif, .heic]
    /// The formats that this build reads.
    public static let readable = allCases + readOnly.filter(\.isBuilt)

    /// The format of a result for which nobody states a format: that of the input, or PNG if Frost does not write it.
    public var ofResult: ImageFormat { Self.readOnly.contains(self) ? .png : self }

    /// The name of a format and the limits of what it can store.
    public struct Traits: Sendable {
        /// The name of the format for users, for example "PNG".
        public let title: String
        /// The file name suffixes of the format in lower case. The first suffix is the usual one.
        public let suffixes: [String]
        /// The channel layouts that the format can store. The simplest layout is the first. Writers convert other
        /// layouts to one of these if no information is lost.
        public let channels: [ChannelLayout]
        /// The sample types that the format can store.
        public let samples: [SampleType]
        /// The maximum width and height, in pixels, that the format or its library supports.
        public let maximumSide: Int
        /// Whether the format can store pixels with the colour model ``ColorModel/cmyk``.
        public var holdsCMYK = false
        /// The default of the format's `quality` option; nil if the format has no such option.
        public var quality: Int?
        /// Whether the format is lossy by default and lossless on request.
        public var isLosslessOnRequest = false
        /// The kinds of metadata that the format can store.
        public var metadata: Set<MetadataKind> = []

        /// The values that the `depth` option may have for this format, in bits per sample; none if it holds only floats.
        public var depths: [Int] = [8, 16]
        /// Whether several pictures in one file are pages. If false, they are frames of an animation.
        public var hasPages = false
        /// Whether the memory that the encoder's library takes depends on the picture and cannot be foreseen.
        var takesUnforeseenMemory = false
        /// Whether a library in C or C++ writes the format, and not Frost itself.
        var isWrittenByLibrary = false
        /// The package trait that includes the format in a build; nil if every build has the format. See Package.swift.
        public var packageTrait: String?

        /// A phrase for a file with several pictures, for example "an animated PNG".
        var several: String { hasPages ? "\(anyOfIt) with several pages" : "an animated \(title)" }

        /// The name with its indefinite article, for example "a PNG" or "an AVIF".
        var anyOfIt: String { (title.hasPrefix("A") || title.hasPrefix("H") ? "an " : "a ") + title }
    }

    /// The name and the limits of this format.
    public var traits: Traits {
        switch self {
        case .png:
            Traits(
                title: "PNG", suffixes: ["png", "apng"], channels: [.grey, .greyAlpha, .rgb, .rgba, .bgra],
                samples: [.u8, .u16], maximumSide: Int(Int32.max),
                metadata: [.profile, .curve, .codePoints, .lightLevels, .density, .exif, .xmp, .texts],
                isWrittenByLibrary: true)
        case .jpeg:
            Traits(
                title: "JPEG", suffixes: ["jpg", "jpeg", "jpe", "jfif"], channels: [.grey, .rgb], samples: [.u8],
                maximumSide: 65500, holdsCMYK: true, quality: JPEGWriteOptions().quality,
                metadata: [.profile, .exif, .xmp, .comments, .density], isWrittenByLibrary: true)
        case .webp:
            Traits(
                title: "WebP", suffixes: ["webp"], channels: [.rgb, .rgba], samples: [.u8], maximumSide: 16383,
                quality: WebPWriteOptions().quality, isLosslessOnRequest: true, metadata: [.profile, .exif, .xmp],
                isWrittenByLibrary: true)
        case .qoi:
            Traits(
                title: "QOI", suffixes: ["qoi"], channels: [.rgb, .rgba], samples: [.u8],
                maximumSide: Int(Int32.max))
        case .ppm: Self.netpbm("PPM", ["ppm"], [.rgb], [.u8, .u16])
        case .pgm: Self.netpbm("PGM", ["pgm"], [.grey], [.u8, .u16])
        case .pnm: Self.netpbm("PNM", ["pnm"], [.grey, .rgb], [.u8, .u16])
        case .pam: Self.netpbm("PAM", ["pam"], [.grey, .greyAlpha, .rgb, .rgba], [.u8, .u16])
        case .pfm: Self.netpbm("PFM", ["pfm"], [.grey, .rgb], [.f32], depths: [])
        case .tiff:
            Traits(
                title: "TIFF", suffixes: ["tif", "tiff"], channels: [.grey, .greyAlpha, .rgb, .rgba],
                samples: [.u8, .u16, .f32], maximumSide: Int(Int32.max), holdsCMYK: true,
                metadata: [.profile, .xmp, .density], hasPages: true, isWrittenByLibrary: true, packageTrait: "TIFF")
        case .avif:
            Traits(
                // AVIF accepts 16-bit samples only if at most 12 bits are significant; see AVIFEncoder.
                title: "AVIF", suffixes: ["avif"], channels: [.grey, .greyAlpha, .rgb, .rgba], samples: [.u8, .u16],
                maximumSide: 65535, quality: LossyWriteOptions.avif.quality, isLosslessOnRequest: true,
                metadata: [.profile, .codePoints, .exif, .xmp], depths: [8, 10, 12], takesUnforeseenMemory: true,
                isWrittenByLibrary: true, packageTrait: "AVIF")
        case .jxl:
            Traits(
                title: "JPEG XL", suffixes: ["jxl"], channels: [.grey, .greyAlpha, .rgb, .rgba],
                samples: [.u8, .u16, .f32], maximumSide: 1 << 30, quality: LossyWriteOptions.jxl.quality,
                isLosslessOnRequest: true, metadata: [.profile, .curve, .exif, .xmp],
                takesUnforeseenMemory: true, isWrittenByLibrary: true, packageTrait: "JPEGXL")
        case .bmp:
            Traits(
                title: "BMP", suffixes: ["bmp", "dib"], channels: [.grey, .rgb, .rgba], samples: [.u8, .u16],
                maximumSide: Int(Int32.max))
        case .gif:
            Traits(
                title: "GIF", suffixes: ["gif"], channels: [.rgb, .rgba], samples: [.u8], maximumSide: 65535)
        case .heic:
            Traits(
                title: "HEIC", suffixes: ["heic", "heif", "hif"], channels: [.grey, .rgb, .rgba], samples: [.u8, .u16],
                maximumSide: Int(Int32.max), packageTrait: "HEIC")
        }
    }

    /// The maximum number of bits of an integer sample.
    package var maximumDepth: Int {
        let size = traits.samples.filter { !$0.isFloat }.map(\.size).max() ?? 1
        return min(8 * size, traits.depths.max() ?? 8)
    }

    /// The remedy for samples with more bits than the format holds: `--depth` with the number of bits of the largest samples
    /// or, if the format does not hold all of these bits, with the numbers that it holds.
    var depthRemedy: String {
        let maximum = (traits.samples.map(\.size).max() ?? 1) * 8
        let depths = traits.depths.contains(maximum) ? [maximum] : traits.depths.filter { $0 < maximum }.sorted(by: >)
        return "--depth \(Self.list(depths.map { "\($0)" }, "or")) reduces them"
    }

    private static func netpbm(
        _ title: String, _ suffixes: [String], _ channels: [ChannelLayout], _ samples: [SampleType],
        depths: [Int] = [8, 16]
    ) -> Traits {
        Traits(
            title: title, suffixes: suffixes, channels: channels, samples: samples, maximumSide: Int(Int32.max),
            depths: depths)
    }

    /// The names of all formats, followed by those file name suffixes that are not also names.
    public static var allNames: [String] {
        allCases.map(\.rawValue) + allCases.flatMap(\.traits.suffixes).filter { Self(rawValue: $0) == nil }
    }

    /// Finds a format that this build writes by its name or suffix, for example "jpeg" or "jpg". Returns nil if no such
    /// format has this name or suffix.
    public init?(named name: String) {
        guard let format = Self(rawValue: name) ?? Self(suffixOf: "a.\(name)" as FilePath),
            Self.allCases.contains(format)
        else { return nil }
        self = format
    }

    /// Finds a format that this build writes by the suffix of a file name. Returns nil if there is none.
    public init?(suffixOf path: FilePath) {
        guard let format = Self.allCases.first(where: { $0.hasSuffix(of: path) }) else { return nil }
        self = format
    }

    /// Whether this build reads a format with the suffix of a file name.
    public static func reads(suffixOf path: FilePath) -> Bool { readable.contains { $0.hasSuffix(of: path) } }

    /// Whether a file name has a suffix of the format.
    package func hasSuffix(of path: FilePath) -> Bool {
        Self.suffix(of: path).map { traits.suffixes.contains($0.lowercased()) } ?? false
    }

    /// Returns the text after the last dot in the last component of a path. Returns nil if there is no dot, or if the
    /// only dot begins the component.
    public static func suffix(of path: FilePath) -> String? { path.suffix?.text }

    /// The suffixes of all formats as text for users, for example ".png or .jpg".
    public static var suffixList: String { list(allCases.flatMap(\.traits.suffixes).map { ".\($0)" }, "or") }

    /// The names of all formats that this build reads, as text for users, for example "PNG and JPEG".
    static var titles: String { list(readable.map(\.traits.title), "and") }

    /// Joins words to a text for users, for example "a, b and c".
    ///
    /// - Parameters:
    ///   - words: the words of the list.
    ///   - last: the word before the last item, for example "and".
    public static func list(_ words: [String], _ last: String) -> String {
        guard words.count > 1 else { return words.joined() }
        return words.dropLast().joined(separator: ", ") + " \(last) " + words[words.count - 1]
    }
}

extension ImageFormat {
    /// Whether this build supports the format.
    public var isBuilt: Bool {
        switch self {
        case .png, .jpeg, .webp, .qoi, .ppm, .pgm, .pnm, .pam, .pfm, .bmp, .gif: return true
        case .tiff:
            #if TIFF
                return true
            #else
                return false
            #endif
        case .avif:
            #if AVIF
                return true
            #else
                return false
            #endif
        case .jxl:
            #if JPEGXL
                return true
            #else
                return false
            #endif
        case .heic:
            #if HEIC
                return true
            #else
                return false
            #endif
        }
    }

    /// The error message for a build that does not include the format.
    public var absence: String {
        "this frost was built without \(traits.title) (build with --traits \(traits.packageTrait ?? ""))"
    }

    /// Finds a format that Frost writes and that this build does not include, by the format's name or suffix. Returns nil for
    /// all other names.
    public static func missing(named name: String) -> ImageFormat? {
        let name = name.lowercased()
        return optional.first {
            !$0.isBuilt && !readOnly.contains($0) && ($0.rawValue == name || $0.traits.suffixes.contains(name))
        }
    }

    /// Finds a format that this build does not include, by the suffix of a file name. Returns nil for all other names.
    public static func missing(suffixOf path: FilePath) -> ImageFormat? {
        suffix(of: path).flatMap { missing(named: $0) }
    }
}
