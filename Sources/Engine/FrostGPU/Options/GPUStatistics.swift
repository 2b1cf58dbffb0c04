public import FrostGLES

/// The total work of an executor, and the objects that it holds.
public struct GPUStatistics: Sendable, Hashable {
    /// The number of executions that finished without an error.
    public var executions = 0
    /// The number of passes that were drawn in these executions.
    public var passes = 0
    /// The number of render targets that were created because the pool contained no target with the required size and
    /// format.
    public var targetsCreated = 0
    /// The number of bytes in idle render targets and pixel buffers.
    public var idleBytes = 0
    /// The number of bytes of pinned memory that the caller holds.
    public var pinnedBytes = 0
    /// The number of bytes that calls of `trim()` have freed.
    public var trimmedBytes = 0
    /// The number of programs that were compiled from source.
    public var programsCompiled = 0
    /// The number of programs that were loaded from the cache on disk.
    public var programsLoaded = 0
    /// The number of files in the program cache that could not be used and were replaced. Such a file was damaged, contained
    /// another program, or was rejected by the driver.
    public var programsRejected = 0
    /// The reason why programs are not kept on disk; nil if they are kept, or if no program was needed yet.
    public var programCacheProblem: String?
    /// The number of executions that the GPU's own timer measured, including results that arrived after the report.
    public var timedExecutions = 0
    /// The seconds that the GPU spent on the passes of the timed executions.
    public var gpuSeconds = 0.0
    /// The kind of shaders, and the reason for this choice.
    public var shaders = "fragment shaders for the first images; both kinds are measured after them"
    /// Whether compute shaders compute some of the draws.
    var usesComputeShaders = false
    /// How pixels are transferred to and from the GPU, and the reason for this choice.
    public var transfer = ""
    /// The number of executions that were submitted and not yet collected.
    public var inFlight = 0
    /// The number of GL objects that exist.
    public var objects = ObjectCounts()

    /// Creates statistics with all numbers zero.
    public init() {}
}
