public import FrostGLES

/// What one execution did.
public struct GPUReport: Sendable, Hashable {
    /// Passes drawn.
    public var passes = 0
    /// The formats of the intermediates that were used.
    public var formats: Set<TextureFormat> = []
    /// Set if an intermediate was less exact than the plan's error bound assumes: which, and why.
    public var degradedPrecision: String?
    /// Bytes of pixels sent to the GPU.
    public var bytesUploaded = 0
    /// Bytes of pixels received from it.
    public var bytesRead = 0
    /// Draws that used the device's linear filter.
    public var linearDraws = 0
    /// Those of them that carried out two passes at once.
    public var fusedDraws = 0
    /// What the linear filter may add to the plan's error bound, as measured on the device, in 8-bit steps.
    public var filterError = 0.0
    /// Seconds that the GPU itself spent on the passes; nil if the driver has no clock (GL_EXT_disjoint_timer_query),
    /// if the clock jumped, or if it had not answered by the time of the report.
    public var gpuSeconds: Double?
    /// Seconds until the source was with the driver.
    public var uploadSeconds = 0.0
    /// Seconds from then until all draws were. Hardware draws later, so this includes little of its time.
    public var drawSeconds = 0.0
    /// Seconds from then until the result was in the target, mostly spent waiting for the GPU.
    public var readSeconds = 0.0

    /// All zero.
    public init() {}
}

/// What an executor did and holds.
public struct GPUStatistics: Sendable, Hashable {
    /// Executions that ran to their end.
    public var executions = 0
    /// Passes drawn in them.
    public var passes = 0
    /// Render targets that were made, not taken from the pool.
    public var targetsCreated = 0
    /// Bytes of idle targets and pixel buffers.
    public var idleBytes = 0
    /// Programs compiled from their sources.
    public var programsCompiled = 0
    /// Programs loaded from the cache on disk instead.
    public var programsLoaded = 0
    /// Files of that cache that were damaged, foreign, or refused by the driver, and were replaced.
    public var programsRejected = 0
    /// Why programs are not kept on disk; nil if they are, or no program was needed yet.
    public var programCacheProblem: String?
    /// Executions that the GPU's own clock timed, late answers included.
    public var timedExecutions = 0
    /// Seconds that the GPU spent on the passes of those.
    public var gpuSeconds = 0.0
    /// How pixels are transferred, and why.
    public var transfer = ""
    /// Executions that were submitted and not yet collected.
    public var inFlight = 0
    /// The GL objects that exist.
    public var objects = ObjectCounts()

    /// All zero.
    public init() {}
}
