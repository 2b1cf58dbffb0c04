public import FrostGLES

/// What one execution did.
public struct GPUReport: Sendable, Hashable {
    /// Passes drawn.
    public var passes = 0
    /// The formats of the intermediates that were used.
    public var formats: Set<TextureFormat> = []
    /// Set where an intermediate was less exact than the plan's error bound assumes: what, and why.
    public var degradedPrecision: String?
    /// Bytes of pixels sent to the GPU.
    public var bytesUploaded = 0
    /// Bytes of pixels received from it.
    public var bytesRead = 0
    /// Draws that used the device's linear filter.
    public var linearDraws = 0
    /// Those of them that did two passes at once.
    public var fusedDraws = 0
    /// What the linear filter may add to the plan's error bound, by measurement of the device, in 8-bit steps.
    public var filterError = 0.0
    /// Seconds that the GPU itself spent on the passes; nil where the driver has no clock of its own
    /// (GL_EXT_disjoint_timer_query), where it jumped, and where it had not answered by the time of the report.
    public var gpuSeconds: Double?
    /// Seconds until the source was with the driver.
    public var uploadSeconds = 0.0
    /// Seconds from then until all draws were. Hardware works behind the program's back, so little of its time shows.
    public var drawSeconds = 0.0
    /// Seconds from then until the result was in the target, most of them spent waiting for the GPU.
    public var readSeconds = 0.0

    /// Nothing done.
    public init() {}
}

/// What an executor did and holds.
public struct GPUStatistics: Sendable, Hashable {
    /// Executions that ran to their end.
    public var executions = 0
    /// Passes drawn in them.
    public var passes = 0
    /// Render targets made, as against taken from the pool.
    public var targetsCreated = 0
    /// Bytes of the targets and pixel buffers that wait for their next use.
    public var idleBytes = 0
    /// Programs compiled from their sources.
    public var programsCompiled = 0
    /// Programs loaded from the cache on disk instead.
    public var programsLoaded = 0
    /// Files of that cache that were damaged, foreign, or refused by the driver, and were written anew.
    public var programsRejected = 0
    /// Why programs are not kept on disk; nil if they are, or no program was needed yet.
    public var programCacheProblem: String?
    /// Executions that the GPU's own clock timed, late answers included.
    public var timedExecutions = 0
    /// Seconds that the GPU spent on the passes of those.
    public var gpuSeconds = 0.0
    /// How pixels travel, and why so.
    public var transfer = ""
    /// Executions that were submitted and not yet collected.
    public var inFlight = 0
    /// The GL objects that exist.
    public var objects = ObjectCounts()

    /// Nothing done.
    public init() {}
}
