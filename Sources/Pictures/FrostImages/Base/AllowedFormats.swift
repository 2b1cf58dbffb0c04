/// The formats of the files that may be opened. A file of any other format is refused by its first bytes, before its decoder or
/// the library of its format sees it, so a fault of that decoder cannot be reached.
///
/// Raw frames have no format that a decoder could detect. They are read only if the caller describes them, so they are always
/// allowed.
public struct AllowedFormats: Sendable, Hashable {
    /// The formats of pictures. They also apply to pictures inside other files: a TIFF that is compressed as JPEG needs both
    /// formats.
    public var pictures: Set<ImageFormat>
    /// Whether Y4M streams may be opened.
    public var y4m: Bool
    /// Whether other programs, such as ffmpeg, may decode video files for Frost.
    public var video: Bool

    /// Allows formats of pictures, and nothing else by default.
    public init(_ pictures: Set<ImageFormat>, y4m: Bool = false, video: Bool = false) {
        (self.pictures, self.y4m, self.video) = (pictures, y4m, video)
    }

    private static let (y4mName, videoName) = ("y4m", "video")

    /// The names of all formats: those of the formats that this build reads, `y4m` and `video`, then those file name suffixes
    /// that are not also names.
    public static let names: [String] = {
        let formats = ImageFormat.readable
        return formats.map(\.rawValue) + [y4mName, videoName]
            + formats.flatMap(\.traits.suffixes).filter { ImageFormat(rawValue: $0) == nil }
    }()

    /// A word that is not the name of a format that Frost reads.
    public struct UnknownName: Error, Sendable, Hashable, CustomStringConvertible {
        /// The word.
        public let name: String

        /// The error in one line, for example "unknown format "mng" (allowed: png, jpeg)".
        public var description: String {
            (name.isEmpty ? "a name is missing" : "unknown format \"\(name)\"")
                + " (allowed: \(AllowedFormats.names.joined(separator: ", ")))"
        }
    }

    /// Reads a list of ``names``, separated by commas, for example "png,jpg". The name `pnm` stands for `pgm` and `ppm`, as
    /// which Frost reads such files.
    public init(parsing list: String) throws(UnknownName) {
        self.init([])
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            let name = String(part.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }).lowercased()
            switch name {
            case Self.y4mName: y4m = true
            case Self.videoName: video = true
            case ImageFormat.pnm.rawValue: pictures.formUnion([.pnm, .pgm, .ppm])
            default:
                let format =
                    ImageFormat(rawValue: name)
                    ?? ImageFormat.readable.first { $0.traits.suffixes.contains(name) }
                guard let format, format.isBuilt else { throw UnknownName(name: String(part)) }
                pictures.insert(format)
            }
        }
    }
}

extension ImageLimits {
    /// Throws ``ImageError/notAllowed(path:what:)`` unless pictures of a format may be opened.
    func check(_ format: ImageFormat, name: String) throws(ImageError) {
        guard let allowed, !allowed.pictures.contains(format) else { return }
        throw .notAllowed(path: name, what: format.traits.anyOfIt)
    }

    /// Throws ``ImageError/notAllowed(path:what:)`` unless a picture may be opened that lies inside a file of another format.
    ///
    /// - Parameters:
    ///   - inner: the format of the picture; nil if Frost does not read it by itself.
    ///   - title: the name of this format.
    ///   - outer: the format of the file.
    func check(_ inner: ImageFormat?, _ title: String, inside outer: ImageFormat, name: String) throws(ImageError) {
        guard let allowed else { return }
        if let inner, allowed.pictures.contains(inner) { return }
        throw .notAllowed(path: name, what: "\(outer.traits.anyOfIt) with \(title) inside")
    }

    /// Throws ``ImageError/notAllowed(path:what:)`` unless Y4M streams may be opened.
    func checkY4M(name: String) throws(ImageError) {
        guard let allowed, !allowed.y4m else { return }
        throw .notAllowed(path: name, what: "a Y4M stream")
    }

    /// Throws ``ImageError/notAllowed(path:what:)`` unless other programs may decode video files.
    public func checkVideo(name: String) throws(ImageError) {
        guard let allowed, !allowed.video else { return }
        throw .notAllowed(path: name, what: "a video file")
    }
}
