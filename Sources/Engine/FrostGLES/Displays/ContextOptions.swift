/// Options for creating and checking a GL context.
public struct ContextOptions: Sendable, Hashable {
    /// The name of the library that EGL is loaded from.
    public var libraryName: String
    /// Whether the context is a debug context and glGetError is called after every GL call. The driver may then report more
    /// messages, but all calls are slow. The default is true in debug builds.
    public var checksEveryCall: Bool
    /// The minor number of the newest OpenGL ES 3 version to try: 2, 1 or 0.
    public var newestMinorVersion: Int
    /// The number of seconds after which a call of the driver counts as blocked, more than 0. Its thread and its context
    /// are then abandoned. This does not apply to the context of an embedding program, whose thread Frost cannot
    /// abandon.
    public var timeout: Double

    /// Creates options. The defaults depend on whether this is a debug build.
    public init(
        libraryName: String = EGLLibrary.defaultName, checksEveryCall: Bool = Self.isDebugBuild,
        newestMinorVersion: Int = 2, timeout: Double = 30
    ) {
        self.libraryName = libraryName
        self.checksEveryCall = checksEveryCall
        self.newestMinorVersion = newestMinorVersion
        self.timeout = timeout
    }

    /// Whether Frost was built without optimisation.
    public static var isDebugBuild: Bool {
        var debug = false
        // The condition of an assertion is evaluated only in debug builds.
        assert(
            {
                debug = true
                return true
            }())
        return debug
    }
}
