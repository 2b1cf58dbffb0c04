public import FrostGLES

/// How a ``GPUExecutor`` works. The defaults are right for users; tests narrow them.
public struct GPUOptions: Sendable, Hashable {
    /// How the context is made.
    public var context: ContextOptions
    /// A limit on the sides of textures below the GL's own.
    public var maximumTextureSize: Int?
    /// The formats that may be used for intermediates, of those that the device has.
    public var allowedFormats: Set<TextureFormat>
    /// How many seconds of waiting without any progress of the GPU are a failure, `GLError.timeout`.
    public var timeout: Double
    /// How many bytes of textures are kept between executions.
    public var idleBytes: Int
    /// Where linked programs are kept between runs.
    public var programCache: ProgramCacheLocation
    /// How pixels travel; nil for what suits the device.
    public var transfer: TransferPath?
    /// How many executions may be submitted before one has to be collected, at least 1. Each holds its image once or
    /// twice in buffers.
    public var maximumInFlight: Int
    /// How passes read their input.
    public var filtering: FilterProfile
    /// What the linear filter may add to the error of an 8-bit image's output, in 8-bit steps; for deeper images a 257th
    /// of it. Passes that would exceed it, all together, read texel by texel.
    public var filterErrorLimit: Double
    /// For tests of tests: how far fractions are off while measured, and while used.
    var filterFault: (probe: Float, draws: Float) {
        get { (faultWhileProbing, faultWhileDrawing) }
        set { (faultWhileProbing, faultWhileDrawing) = newValue }
    }
    private var faultWhileProbing: Float = 0
    private var faultWhileDrawing: Float = 0

    /// The defaults: the device's limits and formats, 30 seconds, 512 MiB, the user's cache folder, three in flight.
    public init(
        context: ContextOptions = ContextOptions(), maximumTextureSize: Int? = nil,
        allowedFormats: Set<TextureFormat> = Set(TextureFormat.allCases), timeout: Double = 30,
        idleBytes: Int = 512 << 20, programCache: ProgramCacheLocation = .user,
        transfer: TransferPath? = nil, maximumInFlight: Int = 3,
        filtering: FilterProfile = .automatic, filterErrorLimit: Double = 0.04
    ) {
        self.context = context
        self.maximumTextureSize = maximumTextureSize
        self.allowedFormats = allowedFormats
        self.timeout = timeout
        self.idleBytes = idleBytes
        self.programCache = programCache
        self.transfer = transfer
        self.maximumInFlight = max(1, maximumInFlight)
        self.filtering = filtering
        self.filterErrorLimit = filterErrorLimit
    }
}
