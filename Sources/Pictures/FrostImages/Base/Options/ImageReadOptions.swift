/// Options for reading an image file.
public struct ImageReadOptions: Sendable, Hashable {
    /// The limits on the size of the picture, and on the memory and the time that it takes.
    public var limits: ImageLimits
    /// Whether to read the first frame of an animated picture. If false, the reader refuses animated pictures.
    public var firstFrame: Bool
    /// The least serious fault for which a file is refused. The libraries for AVIF and JPEG XL decode only whole
    /// pictures. If such a file is damaged, all of its pixels count as missing.
    public var failOn: FailOn
    /// The picture to read of the file.
    public var part = Part.picture
    /// The pixels that are returned with more bits than the file has: 16 in place of 8, and floats in place of 16. The caller
    /// can then put a colour behind transparent pixels before it rounds them.
    package var widening = Widening.none

    /// A picture of a file.
    public enum Part: String, Sendable, Hashable {
        /// The picture that the file shows.
        case picture
        /// All frames of an animation, one below the other. Each is the whole picture at its time. The number of frames and
        /// their times are in ``ImageMetadata/timing``.
        case frames
        /// How far each point of the picture is away, as grey: 0 at the nearest point of the file's range, and 1 at the
        /// farthest. Only HEIC files have it.
        case depth

        static let noDepth = "it has no depth picture, which --mask depth takes"
    }

    /// Pixels that are returned with more bits than the file has.
    package enum Widening: Sendable, Hashable {
        case none
        /// Pixels with alpha.
        case alpha
        /// All pixels that hold light.
        case all
    }

    /// Creates options for reading.
    ///
    /// - Parameters:
    ///   - limits: the limits on the size of the picture, and on the memory and the time that it takes.
    ///   - firstFrame: whether to read the first frame of an animated picture.
    ///   - failOn: the least serious fault for which a file is refused.
    public init(limits: ImageLimits = ImageLimits(), firstFrame: Bool = false, failOn: FailOn = .error) {
        self.limits = limits
        self.firstFrame = firstFrame
        self.failOn = failOn
    }
}
