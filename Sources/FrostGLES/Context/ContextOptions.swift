/// How a context is made and watched.
public struct ContextOptions: Sendable, Hashable {
    /// The library that EGL is loaded from.
    public var libraryName: String
    /// Whether glGetError is called after every call, and the driver reports messages. Slow; the default in debug
    /// builds.
    public var checksEveryCall: Bool
    /// The newest version that is tried: 3.2, 3.1 or 3.0 by its minor number.
    public var newestMinorVersion: Int

    /// Options, with the defaults for this build.
    public init(
        libraryName: String = EGLLibrary.defaultName, checksEveryCall: Bool = Self.isDebugBuild,
        newestMinorVersion: Int = 2
    ) {
        self.libraryName = libraryName
        self.checksEveryCall = checksEveryCall
        self.newestMinorVersion = newestMinorVersion
    }

    /// Whether Frost was built without optimisation.
    public static var isDebugBuild: Bool {
        var debug = false
        // An assertion's condition is evaluated in debug builds only.
        assert(
            {
                debug = true
                return true
            }())
        return debug
    }
}

/// What a context can do, asked once.
public struct ContextLimits: Sendable, Hashable {
    /// The longest side of a texture that can also be rendered to.
    public let maximumTextureSize: Int
    /// Bytes.
    public let maximumUniformBlockSize: Int
    /// Bytes: the start of a bound range is a multiple of it.
    public let uniformBufferOffsetAlignment: Int
    /// The formats that can be rendered to, found by trying.
    public internal(set) var renderableFormats: Set<TextureFormat>
    /// The formats in which linked programs can be kept; most drivers have one, some none.
    public let programBinaryFormats: Set<UInt32>
}
