/// Formats that are read and written where the package is built with their trait, see Package.swift.
public enum OptionalFormat: String, Sendable, Hashable, CaseIterable {
    case tiff, avif, jxl

    /// For people.
    public var title: String {
        switch self {
        case .tiff: "TIFF"
        case .avif: "AVIF"
        case .jxl: "JPEG XL"
        }
    }

    /// The trait that builds it.
    public var trait: String {
        switch self {
        case .tiff: "TIFF"
        case .avif: "AVIF"
        case .jxl: "JPEGXL"
        }
    }

    /// What names of such files end in, in lower case; the first is the usual one.
    public var suffixes: [String] {
        switch self {
        case .tiff: ["tif", "tiff"]
        case .avif: ["avif"]
        case .jxl: ["jxl"]
        }
    }

    /// The format, where this build has it.
    public var built: ImageFormat? { ImageFormat(rawValue: rawValue) }

    /// What is to be said where it has not.
    public var absence: String { "this frost was built without \(title) (build with --traits \(trait))" }

    /// The format that a name or suffix stands for and that this build has not.
    public static func missing(named name: String) -> OptionalFormat? {
        let name = name.lowercased()
        return allCases.first { $0.built == nil && ($0.rawValue == name || $0.suffixes.contains(name)) }
    }

    /// The format that a file's name asks for and that this build has not.
    public static func missing(suffixOf path: String) -> OptionalFormat? {
        ImageFormat.suffix(of: path).flatMap { missing(named: $0) }
    }

    /// "an AVIF".
    var anyOfIt: String { ImageFormat.anyOf(title) }
}
