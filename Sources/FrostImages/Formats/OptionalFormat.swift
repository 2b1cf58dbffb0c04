/// Formats that are included if the package is built with their trait, see Package.swift.
public enum OptionalFormat: String, Sendable, Hashable, CaseIterable {
    case tiff, avif, jxl

    /// The format's name for people.
    public var title: String {
        switch self {
        case .tiff: "TIFF"
        case .avif: "AVIF"
        case .jxl: "JPEG XL"
        }
    }

    /// The package trait that includes it.
    public var trait: String {
        switch self {
        case .tiff: "TIFF"
        case .avif: "AVIF"
        case .jxl: "JPEGXL"
        }
    }

    /// File name suffixes in lower case, the usual one first.
    public var suffixes: [String] {
        switch self {
        case .tiff: ["tif", "tiff"]
        case .avif: ["avif"]
        case .jxl: ["jxl"]
        }
    }

    /// The format, if this build includes it.
    public var built: ImageFormat? { ImageFormat(rawValue: rawValue) }

    /// The error text if this build does not include it.
    public var absence: String { "this frost was built without \(title) (build with --traits \(trait))" }

    /// The format of a name or suffix, if this build does not include it.
    public static func missing(named name: String) -> OptionalFormat? {
        let name = name.lowercased()
        return allCases.first { $0.built == nil && ($0.rawValue == name || $0.suffixes.contains(name)) }
    }

    /// The format of a file name's suffix, if this build does not include it.
    public static func missing(suffixOf path: String) -> OptionalFormat? {
        ImageFormat.suffix(of: path).flatMap { missing(named: $0) }
    }

    /// "an AVIF".
    var anyOfIt: String { ImageFormat.anyOf(title) }
}
