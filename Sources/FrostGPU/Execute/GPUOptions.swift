public import FrostGLES

/// How a ``GPUExecutor`` works. The defaults are right for users; tests restrict them.
public struct GPUOptions: Sendable, Hashable {
    /// How the context is made.
    public var context: ContextOptions
    /// A limit on the sides of textures below the GL's own.
    public var maximumTextureSize: Int?
    /// The formats that may be used for intermediates, if the device has them.
    public var allowedFormats: Set<TextureFormat>
    /// After how many seconds without progress a wait for the GPU fails with `GLError.timeout`.
    public var timeout: Double
    /// How many bytes of textures are kept between executions.
    public var idleBytes: Int
    /// Where linked programs are kept between runs.
    public var programCache: ProgramCacheLocation
    /// How pixels are transferred; nil for what suits the device.
    public var transfer: TransferPath?
    /// How many executions may be submitted before one has to be collected, at least 1. Each holds its image in one or
    /// two buffers.
    public var maximumInFlight: Int
    /// How passes read their input.
    public var filtering: FilterProfile
    /// What the linear filter may add to the error of an 8-bit image's output, in 8-bit steps; for deeper images a
    /// 257th of it. Passes that would exceed the sum read texel by texel.
    public var filterErrorLimit: Double
    /// For tests of tests: how far fractions are off while they are measured, and while they are used.
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
