/// What a file is, by its first bytes. Names are ignored: they may be wrong, and pipes have none.
enum FileSignature: Equatable {
    /// A format that this build reads.
    case format(ImageFormat)
    /// A format that only builds with another trait read.
    case missing(OptionalFormat)
    /// A format that Frost does not read.
    case foreign(String)
    /// A known format whose signature is damaged.
    case damaged(ImageFormat, String)
    case unknown

    /// How many bytes are examined.
    static let byteCount = 32

    private struct Pattern {
        let offset: Int
        let bytes: [UInt8]
        let kind: FileSignature

        init(_ bytes: [UInt8], at offset: Int = 0, _ kind: FileSignature) {
            self.offset = offset
            self.bytes = bytes
            self.kind = kind
        }

        init(_ text: String, at offset: Int = 0, _ kind: FileSignature) {
            self.init(Array(text.utf8), at: offset, kind)
        }
    }

    private static func optional(_ format: OptionalFormat) -> FileSignature {
        format.built.map { .format($0) } ?? .missing(format)
    }

    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The first match wins.
    private static let patterns: [Pattern] = [
        Pattern(png, .format(.png)),
        Pattern([0xFF, 0xD8, 0xFF], .format(.jpeg)),
        Pattern("WEBP", at: 8, .format(.webp)), Pattern("qoif", .format(.qoi)),
        Pattern("P1", .format(.pgm)), Pattern("P2", .format(.pgm)), Pattern("P4", .format(.pgm)),
        Pattern("P5", .format(.pgm)), Pattern("P3", .format(.ppm)), Pattern("P6", .format(.ppm)),
        Pattern("P7", .format(.pam)), Pattern("PF", .format(.pfm)), Pattern("Pf", .format(.pfm)),
        Pattern([0x89, 0x50, 0x4E, 0x47, 0x0A], .damaged(.png, "its line ends were changed in transfer")),
        Pattern([0x09, 0x50, 0x4E, 0x47], .damaged(.png, "it lost the high bits in transfer")),
        Pattern("GIF8", .foreign("a GIF")),
        Pattern("II*\0", .optional(.tiff)), Pattern("MM\0*", .optional(.tiff)),
        // BigTIFF, with 64-bit offsets.
        Pattern("II+\0", .optional(.tiff)), Pattern("MM\0+", .optional(.tiff)),
        Pattern("ftypavif", at: 4, .optional(.avif)), Pattern("ftypavis", at: 4, .optional(.avif)),
        Pattern("ftyphei", at: 4, .foreign("an HEIC")), Pattern("ftyphev", at: 4, .foreign("an HEIC sequence")),
        // Among the compatible brands, which follow the main one.
        Pattern("avif", at: 16, .optional(.avif)), Pattern("avif", at: 20, .optional(.avif)),
        Pattern("avif", at: 24, .optional(.avif)), Pattern("ftypmif1", at: 4, .foreign("an HEIF")),
        Pattern([0xFF, 0x0A], .optional(.jxl)), Pattern([0, 0, 0, 12] + Array("JXL ".utf8), .optional(.jxl)),
        Pattern([0, 0, 0, 12] + Array("jP  ".utf8), .foreign("a JPEG 2000")),
        Pattern([0xFF, 0x4F, 0xFF, 0x51], .foreign("a JPEG 2000")),
        Pattern("BM", .foreign("a BMP")), Pattern("8BPS", .foreign("a Photoshop file")),
        Pattern([0, 0, 1, 0], .foreign("an ICO")), Pattern("%PDF", .foreign("a PDF")),
        Pattern([0x8A, 0x4D, 0x4E, 0x47], .foreign("an MNG")),
        Pattern("#?RADIANCE", .foreign("a Radiance HDR")), Pattern([0x76, 0x2F, 0x31, 0x01], .foreign("an OpenEXR")),
        Pattern("YUV4MPEG2 ", .foreign("a Y4M video, which --format y4m processes")),
        Pattern("<svg", .foreign("an SVG")), Pattern("<?xml", .foreign("an XML file, perhaps an SVG")),
    ]

    /// - Parameter bytes: the file's first ``byteCount`` bytes, or all of a shorter one.
    init(_ bytes: [UInt8]) {
        self =
            Self.patterns.first { bytes.dropFirst($0.offset).starts(with: $0.bytes) }?.kind
            // The file ends within PNG's signature.
            ?? (bytes.count >= 3 && Self.png.starts(with: bytes) ? .format(.png) : .unknown)
    }

    /// The format in words, for errors about an unexpected file; nil if it is unknown.
    var description: String? {
        switch self {
        case .format(let format): "it is \(format.traits.anyOfIt)"
        case .missing(let format): "it is \(format.anyOfIt), and \(format.absence)"
        case .foreign(let what): "it is \(what)"
        case .damaged(let format, let how): "it is a \(format.traits.title), but \(how)"
        case .unknown: nil
        }
    }

    /// The format to read, or an error that says what the file is instead.
    static func format(of source: ByteSource) throws(ImageError) -> ImageFormat {
        let bytes = try source.peek(byteCount)
        let signature = FileSignature(bytes)
        if case .format(let format) = signature { return format }
        let reason =
            bytes.isEmpty ? "the file is empty" : signature.description ?? "unknown file type"
        var reads = "; supported are \(ImageFormat.titles)"
        if case .missing = signature { reads = "" } else if bytes.isEmpty { reads = "" }
        throw .unrecognised(path: source.name, expected: nil, reason: reason + reads)
    }
}

extension ImageFormat {
    /// How many of a file's first bytes determine its format.
    public static var signatureByteCount: Int { FileSignature.byteCount }

    /// The format of a file by its first bytes; nil if it is none that this build reads.
    public init?(firstBytes bytes: [UInt8]) {
        guard case .format(let format) = FileSignature(bytes) else { return nil }
        self = format
    }
}
