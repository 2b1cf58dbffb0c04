/// A form in which the frames of an animation can be stored.
public enum SequenceFormat: Sendable, Hashable {
    /// An uncompressed video stream: YUV4MPEG2. It has 8 bits, no alpha, and no metadata: its colours are sRGB.
    case y4m
    /// An animated WebP file.
    case webp
    /// An animated PNG file.
    case apng
    /// An AVIF sequence.
    case avif
    /// One picture file for each frame.
    case pictures(ImageFormat)

    /// The formats that hold all frames in one file, of those that scenes and transitions write.
    public static let animations: [SequenceFormat] = [.y4m, .webp, .apng]

    /// The name of the format for users, for example "animated PNG".
    public var title: String {
        switch self {
        case .y4m: "Y4M"
        case .webp: "animated WebP"
        case .apng: "animated PNG"
        case .avif: "animated AVIF"
        case .pictures(let format): format.traits.title
        }
    }

    /// The picture format whose metadata the files can hold; nil if they hold none.
    package var metadataFormat: ImageFormat? {
        switch self {
        case .y4m: nil
        case .webp: .webp
        case .apng: .png
        case .avif: .avif
        case .pictures(let format): format
        }
    }

    /// The usual suffix of file names, in lower case and without its dot.
    public var suffix: String {
        switch self {
        case .y4m: "y4m"
        case .webp: "webp"
        case .apng: "apng"
        case .avif: "avif"
        case .pictures(let format): format.traits.suffixes[0]
        }
    }

    /// The media type of the files.
    package var mediaType: String {
        switch self {
        // Y4M has no registered media type. Programs use this one.
        case .y4m: "video/x-yuv4mpeg"
        case .apng: "image/apng"
        case .webp: ImageFormat.webp.mediaType
        case .avif: ImageFormat.avif.mediaType
        case .pictures(let format): format.mediaType
        }
    }
}
