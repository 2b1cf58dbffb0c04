/// The type of a file, detected from its first bytes. Detection ignores file names, because names may be wrong and
/// pipes have none.
enum FileSignature: Equatable {
    /// The file has a format that Frost reads, unless this build leaves the format out.
    case format(ImageFormat)
    /// The file has a format that Frost never reads.
    case foreign(String)
    /// The file has a known format, but its signature is damaged.
    case damaged(ImageFormat, String)
    case unknown

    /// The number of bytes that are examined to detect the type.
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

    private static let video = FileSignature.foreign("a video file, which frost video processes")
    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The known signatures. The first match determines the type.
    private static let patterns: [Pattern] = [
        Pattern(png, .format(.png)),
        Pattern([0xFF, 0xD8, 0xFF], .format(.jpeg)),
        Pattern("WEBP", at: 8, .format(.webp)), Pattern("qoif", .format(.qoi)),
        Pattern("P1", .format(.pgm)), Pattern("P2", .format(.pgm)), Pattern("P4", .format(.pgm)),
        Pattern("P5", .format(.pgm)), Pattern("P3", .format(.ppm)), Pattern("P6", .format(.ppm)),
        Pattern("P7", .format(.pam)), Pattern("PF", .format(.pfm)), Pattern("Pf", .format(.pfm)),
        Pattern([0x89, 0x50, 0x4E, 0x47, 0x0A], .damaged(.png, "its line endings were changed in transfer")),
        Pattern([0x09, 0x50, 0x4E, 0x47], .damaged(.png, "its high bits were lost in transfer")),
        Pattern("GIF8", .format(.gif)),
        Pattern("II*\0", .format(.tiff)), Pattern("MM\0*", .format(.tiff)),
        // These two patterns match BigTIFF, which has 64-bit offsets.
        Pattern("II+\0", .format(.tiff)), Pattern("MM\0+", .format(.tiff)),
        Pattern("ftypavif", at: 4, .format(.avif)), Pattern("ftypavis", at: 4, .format(.avif)),
        Pattern("ftyphei", at: 4, .format(.heic)), Pattern("ftyphev", at: 4, .format(.heic)),
        // These patterns find "avif" in the list of compatible brands, which follows the main brand of the file.
        Pattern("avif", at: 16, .format(.avif)), Pattern("avif", at: 20, .format(.avif)),
        Pattern("avif", at: 24, .format(.avif)),
        Pattern("ftypmif1", at: 4, .format(.heic)), Pattern("ftypmsf1", at: 4, .format(.heic)),
        Pattern([0xFF, 0x0A], .format(.jxl)), Pattern([0, 0, 0, 12] + Array("JXL ".utf8), .format(.jxl)),
        Pattern([0, 0, 0, 12] + Array("jP  ".utf8), .foreign("a JPEG 2000")),
        Pattern([0xFF, 0x4F, 0xFF, 0x51], .foreign("a JPEG 2000")),
        Pattern("BM", .format(.bmp)), Pattern("8BPS", .foreign("a Photoshop file")),
        Pattern([0, 0, 1, 0], .foreign("an ICO")), Pattern("%PDF", .foreign("a PDF")),
        Pattern([0x8A, 0x4D, 0x4E, 0x47], .foreign("an MNG")),
        Pattern("#?RADIANCE", .foreign("a Radiance HDR")), Pattern([0x76, 0x2F, 0x31, 0x01], .foreign("an OpenEXR")),
        Pattern("YUV4MPEG2 ", .foreign("a Y4M video, which --format y4m processes")),
        // MP4 and QuickTime, Matroska and WebM, AVI.
        Pattern("ftyp", at: 4, video), Pattern([0x1A, 0x45, 0xDF, 0xA3], video), Pattern("AVI ", at: 8, video),
        Pattern("<svg", .foreign("an SVG")), Pattern("<?xml", .foreign("an XML file, perhaps an SVG")),
    ]

    /// Detects the type of a file.
    ///
    /// - Parameter bytes: the first ``byteCount`` bytes of the file, or all bytes of a shorter file.
    init(_ bytes: [UInt8]) {
        self =
            Self.patterns.first { bytes.dropFirst($0.offset).starts(with: $0.bytes) }?.kind
            // A file that contains only the beginning of PNG's signature counts as a PNG.
            ?? (bytes.count >= 3 && Self.png.starts(with: bytes) ? .format(.png) : .unknown)
    }

    /// A phrase that names the detected type, for errors about an unexpected file; nil if the type is unknown.
    var description: String? {
        switch self {
        case .format(let format):
            "it is \(format.traits.anyOfIt)" + (format.isBuilt ? "" : ", and \(format.absence)")
        case .foreign(let what): "it is \(what)"
        case .damaged(let format, let how): "it is a \(format.traits.title), but \(how)"
        case .unknown: nil
        }
    }

    /// Returns the format of the source. Throws an error that names the detected type if this build cannot read it.
    static func format(of source: ByteSource) throws(ImageError) -> ImageFormat {
        let bytes = try source.peek(byteCount)
        let signature = FileSignature(bytes)
        var reads = bytes.isEmpty ? "" : "; supported: \(ImageFormat.titles)"
        if case .format(let format) = signature {
            if format.isBuilt { return format }
            reads = ""
        }
        let reason =
            bytes.isEmpty ? "the file is empty" : signature.description ?? "unknown file type"
        throw .unrecognised(path: source.name, expected: nil, reason: reason + reads)
    }
}

extension ImageFormat {
    /// The number of bytes at the start of a file that determine its format.
    public static var signatureByteCount: Int { FileSignature.byteCount }

    /// Detects the format from the first bytes of a file. Returns nil if this build does not read the format.
    public init?(firstBytes bytes: [UInt8]) {
        guard case .format(let format) = FileSignature(bytes), format.isBuilt else { return nil }
        self = format
    }

    /// What the first bytes of a file tell about a file whose name tells nothing.
    public enum Content: Sendable, Hashable {
        /// A picture in a format that this build reads, or a damaged picture in such a format.
        case readable
        /// A file of another known format, with its article: "a GIF".
        case foreign(String)
        /// No format that Frost knows.
        case unknown

        /// Examines the first ``ImageFormat/signatureByteCount`` bytes of a file, or all bytes of a shorter file. The
        /// signature of a Netpbm file must be followed by white space and a number, a comment or, in PAM, a word, and that of
        /// a BMP by a header, because other texts begin with the same two letters.
        public init(firstBytes bytes: [UInt8]) {
            switch FileSignature(bytes) {
            case .format(let format):
                guard format.isBuilt else {
                    self = .foreign(format.traits.anyOfIt)
                    return
                }
                switch format {
                case .ppm, .pgm, .pnm, .pam, .pfm:
                    let rest = String(decoding: bytes.dropFirst(2), as: UTF8.self)
                    let next = rest.first { !$0.isWhitespace }
                    let isHeader = next.map { $0.isNumber || $0 == "#" || format == .pam && $0.isLetter } ?? false
                    self = rest.first?.isWhitespace == true && isHeader ? .readable : .unknown
                case .bmp: self = Self.isBMP(bytes) ? .readable : .unknown
                case .png, .jpeg, .webp, .qoi, .tiff, .avif, .jxl, .gif, .heic: self = .readable
                }
            case .damaged: self = .readable
            case .foreign(let what): self = .foreign(what)
            case .unknown: self = .unknown
            }
        }

        /// Whether the signature of a BMP is followed by the number of bytes of a header: 12 to 124.
        private static func isBMP(_ bytes: [UInt8]) -> Bool {
            bytes.count >= 18 && (12...124).contains(bytes[14]) && bytes[15..<18].allSatisfy { $0 == 0 }
        }
    }
}
