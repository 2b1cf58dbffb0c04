public import FrostCore

/// The pictures and videos that a scene names. FrostMotion knows no file formats, so the program supplies them.
///
/// Thread safety: a ``SceneRenderer`` calls it on the thread that calls the renderer.
public protocol SceneResources {
    /// Returns a picture of any format. Its numbers are used in the frames without a conversion of colours.
    func picture(named name: String) throws(SceneResourceError) -> PixelBuffer
    /// Opens a video.
    func video(named name: String) throws(SceneResourceError) -> any SceneVideo
}

/// A video whose frames can be read in any order.
public protocol SceneVideo: AnyObject {
    /// The number of frames, at least 1.
    var frameCount: Int { get }
    /// The number of frames per second, above 0.
    var framesPerSecond: Double { get }
    /// Returns a frame. A renderer asks for frames in increasing order, except when a video begins again.
    ///
    /// - Parameter index: 0 to ``frameCount`` - 1.
    func frame(_ index: Int) throws(SceneResourceError) -> PixelBuffer
}

/// The reason why a picture or a video cannot be read.
public struct SceneResourceError: Error, Sendable, Hashable {
    /// The reason in words, without the name of the file.
    public let reason: String

    /// Creates an error.
    public init(_ reason: String) { self.reason = reason }
}
