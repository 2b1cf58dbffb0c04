import FrostCore
public import FrostGLES
import FrostLog

/// Options for the use of a GPU. The defaults are meant for users; tests set narrower limits.
public struct GPUOptions: Sendable, Hashable {
    /// How the GL context is created.
    public var context: ContextOptions
    /// The maximum side of textures in texels, if it should be less than the GL's own limit; nil for the GL's limit.
    public var maximumTextureSize: Int?
    /// The texture formats that may be used for intermediates, if the device has them.
    public var allowedFormats: Set<TextureFormat>
    /// The number of seconds without progress after which the GPU counts as blocked: the maximum duration of a wait for the
    /// GPU, which then fails with `GLError.timeout`, and of a call of the driver, which then fails with
    /// `GLError.driverBlocked`. It is ``ContextOptions/timeout``.
    public var timeout: Double {
        get { context.timeout }
        set { context.timeout = newValue }
    }
    /// The maximum number of bytes of textures that are kept between executions, and of pixel buffers. Of
    /// textures, those beyond 32 MiB are kept only up to about twice what recent executions needed on average.
    public var idleBytes: Int
    /// The place on disk where linked shader programs are kept between runs of the process.
    public var programCache: ProgramCacheLocation
    /// The maximum number of programs that are kept, at least 1. The least recently used ones are
    /// deleted. An effect needs up to about ten programs, and on software GL each takes about two megabytes.
    public var maximumPrograms: Int
    /// The kind of shaders; nil for the kind that is faster on the device.
    public var shaders: ShaderPath?
    /// How pixels are transferred; nil for the path that suits the device.
    public var transfer: TransferPath?
    /// The maximum number of submitted executions that are not collected yet, at least 1. Each such execution holds its
    /// image in one or two buffers.
    public var maximumInFlight: Int
    /// Whether a dispatch covers a whole output with borders; nil for the way that suits the device. Software GL executes
    /// both branches of such a shader, which takes twice as long.
    var coversWhole: Bool?
    /// A deliberate fault: whether the texels of every target are overwritten with values that are not numbers, or with
    /// white, before it is used. Tests use it to check that no result depends on texels outside an image.
    var poisonsTargets = false

    /// Creates options. The defaults are the device's limits and formats, the timeout of the environment variable
    /// `FROST_GPU_TIMEOUT` or else that of the context's options, 256 MiB of idle textures, the user's cache folder, 128
    /// programs, and three executions in flight.
    public init(
        context: ContextOptions = ContextOptions(), maximumTextureSize: Int? = nil,
        allowedFormats: Set<TextureFormat> = Set(TextureFormat.allCases), timeout: Double? = nil,
        idleBytes: Int = 256 << 20, programCache: ProgramCacheLocation = .user, maximumPrograms: Int = 128,
        shaders: ShaderPath? = nil, transfer: TransferPath? = nil, maximumInFlight: Int = 3
    ) {
        self.context = context
        self.maximumTextureSize = maximumTextureSize
        self.allowedFormats = allowedFormats
        if let timeout = timeout ?? Self.timeout(Environment.value) { self.context.timeout = timeout }
        self.idleBytes = idleBytes
        self.programCache = programCache
        self.maximumPrograms = maximumPrograms
        self.shaders = shaders ?? Self.shaders(Environment.value)
        self.transfer = transfer
        self.maximumInFlight = max(1, maximumInFlight)
    }

    /// The allowed timeouts, in seconds.
    package static let allowedTimeouts = 0.001...86_400

    /// Returns the value of `FROST_GPU_TIMEOUT`; nil if it is not set or out of range.
    static func timeout(_ environment: (String) -> String?) -> Double? {
        guard let text = environment("FROST_GPU_TIMEOUT") else { return nil }
        if let seconds = Double(text), allowedTimeouts.contains(seconds) { return seconds }
        Log.write(.warning, "FROST_GPU_TIMEOUT=\(text) is ignored: it is not a number of seconds from 0.001 to 86400")
        return nil
    }

    /// Returns the value of `FROST_GPU_SHADERS`; nil if it is not set, `auto`, or unknown.
    static func shaders(_ environment: (String) -> String?) -> ShaderPath? {
        guard let text = environment("FROST_GPU_SHADERS"), text != "auto" else { return nil }
        if let path = ShaderPath(rawValue: text) { return path }
        Log.write(.warning, "FROST_GPU_SHADERS=\(text) is ignored: it is not compute, fragment or auto")
        return nil
    }
}
