import FrostCore
public import FrostGLES

/// Reports what one execution did on the GPU, and how long it took.
public struct GPUReport: Sendable, Hashable {
    /// The number of passes that were drawn.
    public var passes = 0
    /// The kinds of shaders that computed the passes.
    public var shaders: Set<ShaderPath> = []
    /// The texture formats of the intermediates.
    public var formats: Set<TextureFormat> = []
    /// The reason why an intermediate was less exact than the plan's error bound assumes; nil if all intermediates were
    /// exact enough.
    public var degradedPrecision: String?
    /// The number of bytes of pixels that were uploaded to the GPU.
    public var bytesUploaded = 0
    /// The number of bytes of pixels that were read back from the GPU.
    public var bytesRead = 0
    /// The seconds that the GPU itself spent on the passes. nil if the driver has no timer (GL_EXT_disjoint_timer_query), if
    /// the timer was interrupted, or if the result was not available by the time of the report.
    public var gpuSeconds: Double?
    /// The seconds until the driver had received the source.
    public var uploadSeconds = 0.0
    /// The seconds from the end of the upload until all draws were submitted. A hardware GPU draws later, so this includes
    /// little of the drawing time.
    public var drawSeconds = 0.0
    /// The number of programs that were loaded or compiled, and the seconds that this took, as part of the time of the draws.
    public var newPrograms = 0
    public var programSeconds = 0.0
    /// The seconds from the last submitted draw until the result was in the target. Most of this time is spent waiting for
    /// the GPU.
    public var readSeconds = 0.0

    /// Creates a report with all numbers zero.
    public init() {}
}

extension GPUReport {
    /// Calls `body`, and stores the seconds that it took.
    mutating func time<Value>(
        _ seconds: WritableKeyPath<GPUReport, Double>, _ body: (inout GPUReport) throws(GPUError) -> Value
    ) throws(GPUError) -> Value {
        let start = ContinuousClock.now
        defer { self[keyPath: seconds] = (ContinuousClock.now - start).seconds }
        return try body(&self)
    }
}

extension GPUReport {
    /// The kinds of shaders in words; nil if none ran.
    public var shaderNames: String? {
        shaders.isEmpty
            ? nil : ShaderPath.allCases.filter(shaders.contains).map { "\($0) shaders" }.joined(separator: " and ")
    }
}
