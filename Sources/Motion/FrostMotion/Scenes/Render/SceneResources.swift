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
    /// Whether the file exceeds a limit on size, memory or time that the program sets. Such a file may be a valid one.
    public let isOverLimit: Bool

    /// Creates an error.
    public init(_ reason: String, isOverLimit: Bool = false) {
        self.reason = reason
        self.isOverLimit = isOverLimit
    }

    /// The error as one of the scene.
    ///
    /// - Parameters:
    ///   - path: the member that names the file.
    ///   - name: the name of the file.
    func sceneError(_ path: ScenePath, name: String) -> SceneError {
        isOverLimit
            ? .overLimit(path, name: name, reason: reason) : .resource(path, name: name, reason: reason)
    }
}
