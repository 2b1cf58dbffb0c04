import FrostCore
import FrostDrawing
import FrostGLES

/// Everything that an executor keeps on the GPU. Used only on the context's thread.
final class Pipeline {
    let formats: Set<TextureFormat>
    /// The formats to which compute shaders can store.
    let storableFormats: Set<TextureFormat>
    /// Whether a dispatch covers a whole output with borders.
    private let coversWhole: Bool
    /// The kind of shaders for each shape of work; nil until ``chooseShaders(in:)`` has measured it.
    var shaders: ShaderChoice?
    /// How pixels are transferred to and from the GPU, and the reason for this choice.
    let transfer: TransferChoice
    let limits: DrawLimits
    /// Whether the GL draws on the CPU.
    let isSoftware: Bool
    var vertexArray: VertexArray
    /// How often ``forgetObjects(in:)`` has replaced the objects. Textures of an earlier generation must not be used.
    var generation = 0
    var programs: ProgramStore
    var uniforms = UniformBuffers()
    /// The mask that was used last.
    var mask: MaskTexture?
    /// The content from memory that was drawn last.
    var content: ContentTexture?
    /// The texture of the content of the output stages that were prepared last.
    var boundContent: Target?
    /// The framebuffer for drawing into textures of the host.
    var hostFramebuffer: HostFramebuffer?
    var pool: TargetPool
    var uploads: StagingRing?
    var readbacks: StagingRing?
    var buffers: BufferPool
    var stopwatches: Stopwatches
    var flights: [UInt64: Flight] = [:]
    /// The executions, their passes and the bytes that were freed.
    var totals = GPUStatistics()
    /// Whether dispatches have stored since ``finishStores(in:)``.
    var hasStores = false
    /// The cost in texel fetches of the draws of an execution since the CPU waited for the GPU.
    var unfinishedCost = 0.0

    init(_ options: GPUOptions, in gl: borrowing CurrentContext) throws(GLError) {
        formats = gl.limits.renderableFormats.intersection(options.allowedFormats)
        // The uniform block of taps holds up to 4096 weights of 4 bytes, which is 16 KiB. The standard of OpenGL ES 3
        // guarantees this size. If a GL's limit is lower nevertheless, the block holds fewer weights.
        let weightCapacity = min(gl.limits.maximumUniformBlockSize / 16, 1024) * 4
        transfer = TransferChoice(options.transfer, gl.device)
        shaders = ShaderChoice(options.shaders, gl.limits, gl.device)
        storableFormats = formats.intersection(gl.limits.storableFormats)
        isSoftware = gl.device.isSoftware
        coversWhole = options.coversWhole ?? !gl.device.isSoftware
        limits = DrawLimits(
            textureSize: min(gl.limits.maximumTextureSize, options.maximumTextureSize ?? .max), weights: weightCapacity,
            // Draws start at a multiple of at least four weights, because the shader reads the weights as vec4.
            weightAlignment: max(4, (gl.limits.uniformBufferOffsetAlignment + 3) / 4), group: gl.limits.computeGroup)
        programs = ProgramStore(
            ProgramBinaries(ProgramCache(options.programCache.resolve()), in: gl), limits,
            limit: options.maximumPrograms)
        vertexArray = try VertexArray(in: gl)
        pool = TargetPool(
            idleLimit: options.idleBytes, sideLimit: limits.textureSize, poisons: options.poisonsTargets)
        buffers = BufferPool(idleLimit: options.idleBytes)
        stopwatches = Stopwatches()
    }

    /// Calls `body`. If the GL refuses a call, the pipeline forgets its objects, so that the next call works.
    func perform<Value>(
        in gl: borrowing CurrentContext, _ body: (Pipeline, borrowing CurrentContext) throws(GPUError) -> Value
    ) throws(GPUError) -> Value {
        do throws(GPUError) {
            // Work that was cancelled, or that failed, leaves stores behind.
            try rethrow(finishStores(in: gl), as: GPUError.gl)
            programs.beginWork()
            return try body(self, gl)
        } catch {
            // A refused call may also show as another error: a program without its uniform block, for example.
            if error.leavesObjectsIncomplete || gl.discardErrors() { forgetObjects(in: gl) }
            throw error
        }
    }

    /// The counters, and the amount of memory that is held.
    var statistics: GPUStatistics {
        var statistics = totals
        if let shaders { statistics.shaders = shaders.description }
        statistics.usesComputeShaders = shaders?.usesCompute ?? false
        statistics.targetsCreated = pool.created
        statistics.idleBytes =
            pool.idleBytes + buffers.idleBytes + [uploads, readbacks].reduce(0) { $0 + ($1?.byteCount ?? 0) }
        statistics.programsCompiled = programs.binaries.counts.compiled
        statistics.programsLoaded = programs.binaries.counts.loaded
        statistics.programsRejected = programs.binaries.counts.rejected
        statistics.programCacheProblem = programs.binaries.problem
        statistics.timedExecutions = stopwatches.readings
        statistics.gpuSeconds = stopwatches.seconds
        statistics.inFlight = flights.count
        return statistics
    }

    /// Counts an execution that has finished without an error.
    func count(_ report: GPUReport) {
        totals.executions += 1
        totals.passes += report.passes
    }

    /// Returns a draw in the form that suits a kind of shader and the device.
    func divided(_ draw: ShaderDraw, _ entry: ShaderEntry) -> ShaderDraw {
        switch entry {
        case .compute where coversWhole: draw.undivided
        case .compute, .fragment: draw
        }
    }

    func take(_ key: TargetKey, in gl: borrowing CurrentContext) throws(GPUError) -> Target {
        try rethrow(pool.take(key, in: gl), as: GPUError.gl)
    }
}
