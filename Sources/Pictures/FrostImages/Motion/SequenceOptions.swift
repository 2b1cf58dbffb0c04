public import FrostCore
import Glibc

/// Options for writing an animation. A writer ignores the options of other formats.
public struct SequenceOptions: Sendable, Hashable {
    /// The resolution of chroma in a Y4M stream.
    public enum Chroma: String, Sendable, Hashable, CaseIterable {
        /// One chroma sample for each pixel.
        case full = "444"
        /// One chroma sample for each square of four pixels. Most video encoders need this.
        case quarter = "420"
    }

    /// Options for each frame. An animated WebP file uses `webp`, and an animated PNG file uses `png`. A Y4M stream uses
    /// `background` and `depth`: without a background, a frame with transparent pixels is an error, and frames of more than
    /// 8 bits need a depth of 8. The option `png.threads` has no effect, because the frames themselves are encoded in
    /// parallel.
    public var picture: ImageWriteOptions
    /// How often an animated WebP or PNG file is played; 0 means endlessly.
    public let plays: Int
    /// The resolution of chroma in a Y4M stream.
    public var chroma: Chroma
    /// The key frames of an animated WebP file. Without key frames, only the first frame is stored independently of the
    /// others. This gives the smallest files.
    public var keyFrames: WebPKeyFrames?
    /// Whether libwebp tries more methods to make an animated WebP file smaller. This is slow, and libwebp then writes
    /// no key frames.
    public var minimizesSize: Bool
    /// The memory that the animation may take; nil to check nothing while frames are written.
    package var limit: SequenceLimit?
    /// The maximum number of threads that encode frames. The number of threads does not affect the bytes of the files.
    public let threads: Int

    /// The allowed numbers of plays.
    public static let allowedPlays = 0...AnimationTiming.largestPlays

    /// Creates options.
    ///
    /// - Parameters:
    ///   - picture: options for each frame.
    ///   - plays: how often the animation is played; 0 means endlessly.
    ///   - chroma: the resolution of chroma in a Y4M stream.
    ///   - keyFrames: the key frames of an animated WebP file.
    ///   - minimizesSize: whether libwebp tries more methods to make the file smaller.
    ///   - threads: by default one for each processor that the process may use, at most 16.
    /// - Throws: `ParameterError.outOfRange` if `plays` is outside ``allowedPlays``, or if
    ///   `threads` is not 1 to 256.
    public init(
        picture: ImageWriteOptions = ImageWriteOptions(), plays: Int = 0, chroma: Chroma = .quarter,
        keyFrames: WebPKeyFrames? = nil, minimizesSize: Bool = false, threads: Int? = nil
    ) throws(ParameterError) {
        guard Self.allowedPlays.contains(plays) else {
            throw .outOfRange(parameter: "number of plays", value: Double(plays), allowed: 0...65535)
        }
        let threads = threads ?? min(16, Processors.byDefault)
        guard (1...256).contains(threads) else {
            throw .outOfRange(parameter: "threads", value: Double(threads), allowed: 1...256)
        }
        self.picture = picture
        self.plays = plays
        self.chroma = chroma
        self.keyFrames = keyFrames
        self.minimizesSize = minimizesSize
        self.threads = threads
    }
}

/// The distances between the key frames of an animated WebP file. A player can begin at a key frame without decoding
/// the frames before it.
public struct WebPKeyFrames: Sendable, Hashable {
    /// The minimum number of frames from a key frame to the next one.
    public let minimum: Int
    /// The maximum number of frames from a key frame to the next one.
    public let maximum: Int

    /// Creates the distances. libwebp chooses the key frames within them.
    ///
    /// - Throws: `ParameterError.outOfRange` if the distances do not meet libwebp's
    ///   conditions: `maximum` is 3 to 10000, and `minimum` is at least `maximum / 2 + 1`, at least `maximum - 30`, and
    ///   less than `maximum`.
    public init(minimum: Int, maximum: Int) throws(ParameterError) {
        guard (3...10000).contains(maximum) else {
            throw .outOfRange(parameter: "maximum distance of key frames", value: Double(maximum), allowed: 3...10000)
        }
        let allowed = max(maximum / 2 + 1, maximum - 30)...maximum - 1
        guard allowed.contains(minimum) else {
            throw .outOfRange(
                parameter: "minimum distance of key frames", value: Double(minimum),
                allowed: Double(allowed.lowerBound)...Double(allowed.upperBound))
        }
        self.minimum = minimum
        self.maximum = maximum
    }
}
