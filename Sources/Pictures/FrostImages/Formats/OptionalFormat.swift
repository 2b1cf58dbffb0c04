public import FrostCore

/// A file format that is available only if the package is built with the format's package trait; see Package.swift.
public enum OptionalFormat: String, Sendable, Hashable, CaseIterable {
    /// The optional formats TIFF, AVIF and JPEG XL.
    case tiff, avif, jxl

    /// The name of the format for users.
    public var title: String {
        switch self {
        case .tiff: "TIFF"
        case .avif: "AVIF"
        case .jxl: "JPEG XL"
        }
    }

    /// The package trait that includes the format.
    public var trait: String {
        switch self {
        case .tiff: "TIFF"
        case .avif: "AVIF"
        case .jxl: "JPEGXL"
        }
    }

    /// The file name suffixes of the format in lower case. The first suffix is the usual one.
    public var suffixes: [String] {
        switch self {
        case .tiff: ["tif", "tiff"]
        case .avif: ["avif"]
        case .jxl: ["jxl"]
        }
    }

    /// The matching ``ImageFormat``, or nil if this build does not include the format.
    public var built: ImageFormat? { ImageFormat(rawValue: rawValue) }

    /// The error message for a build that does not include the format.
    public var absence: String { "this frost was built without \(title) (build with --traits \(trait))" }

    /// Finds a format that this build does not include, by the format's name or suffix. Returns nil if there is none.
    public static func missing(named name: String) -> OptionalFormat? {
        let name = name.lowercased()
        return allCases.first { $0.built == nil && ($0.rawValue == name || $0.suffixes.contains(name)) }
    }

    /// Finds a format that this build does not include, by the suffix of a file name. Returns nil if there is none.
    public static func missing(suffixOf path: FilePath) -> OptionalFormat? {
        ImageFormat.suffix(of: path).flatMap { missing(named: $0) }
    }

    /// The name with its indefinite article, for example "an AVIF".
    var anyOfIt: String { ImageFormat.anyOf(title) }
}
