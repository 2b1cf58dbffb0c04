import FrostCore
import FrostDrawing
import FrostGLES

/// Everything that an executor keeps on the GPU. Used only on the context's thread.
final class Pipeline {
    let formats: Set<TextureFormat>
    /// How pixels are transferred to and from the GPU, and the reason for this choice.
    let transfer: TransferChoice
    let limits: DrawLimits
    /// Whether the GL draws on the CPU.
    let isSoftware: Bool
    private(set) var vertexArray: VertexArray
    /// How often ``forgetObjects(in:)`` has replaced the objects. Textures of an earlier generation must not be used.
    private(set) var generation = 0
    var programs: ProgramStore
    /// The uniform buffer with the filter taps.
    var taps: Buffer?
    /// The uniform buffer with the values of the output stages.
    var outputStagesBuffer: Buffer?
    var transitionPrograms = TransitionPrograms()
    var conversionPrograms = ConversionPrograms()
    /// The uniform buffer with the numbers of a transition.
    var transitionBuffer: Buffer?
    /// The mask that was used last.
    var mask: MaskTexture?
    /// The content that was drawn last.
    var content: ContentTexture?
    /// The framebuffer for drawing into textures of the host.
    var hostFramebuffer: HostFramebuffer?
    var pool: TargetPool
    var uploads: StagingRing?
    var readbacks: StagingRing?
    var buffers: BufferPool
    var stopwatches: Stopwatches
    var flights: [UInt64: Flight] = [:]
    /// The cost in texel fetches of the draws of an execution since the CPU waited for the GPU.
    var unfinishedCost = 0.0

    init(_ options: GPUOptions, in gl: borrowing CurrentContext) throws(GLError) {
        formats = gl.limits.renderableFormats.intersection(options.allowedFormats)
        // The uniform block of taps holds up to 4096 weights of 4 bytes, which is 16 KiB. The standard of OpenGL ES 3
        // guarantees this size. If a GL's limit is lower nevertheless, the block holds fewer weights.
        let weightCapacity = min(gl.limits.maximumUniformBlockSize / 16, 1024) * 4
        transfer = TransferChoice(options.transfer, gl.device)
        programs = ProgramStore(
            ProgramBinaries(ProgramCache(options.programCache.resolve()), in: gl), weightCapacity: weightCapacity,
            limit: options.maximumPrograms)
        isSoftware = gl.device.isSoftware
        limits = DrawLimits(
            textureSize: min(gl.limits.maximumTextureSize, options.maximumTextureSize ?? .max), weights: weightCapacity,
            // Draws start at a multiple of at least four weights, because the shader reads the weights as vec4.
            weightAlignment: max(4, (gl.limits.uniformBufferOffsetAlignment + 3) / 4))
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
            return try body(self, gl)
        } catch {
            // A refused call may also show as another error: a program without its uniform block, for example.
            if error.leavesObjectsIncomplete || gl.discardErrors() { forgetObjects(in: gl) }
            throw error
        }
    }

    /// Replaces everything on the GPU after an error of the GL. A call that failed may have left any object incomplete.
    /// For example, if a framebuffer could not be bound, the next call attached its texture to another framebuffer.
    /// Later work must not use such objects.
    func forgetObjects(in gl: borrowing CurrentContext) {
        dropIdleObjects()
        programs = programs.emptied()
        transitionPrograms = TransitionPrograms()
        taps = nil
        outputStagesBuffer = nil
        transitionBuffer = nil
        hostFramebuffer = nil
        uploads = nil
        readbacks = nil
        conversionPrograms = ConversionPrograms()
        stopwatches.forgetTimers()
        generation += 1
        gl.discardErrors()
        // If no vertex array can be created either, the next execution reports its own error.
        if let made = try? VertexArray(in: gl) { vertexArray = made }
        gl.collectGarbage()
    }

    /// Writes the current counters, and the amount of memory that is held, into the statistics.
    func describe(in statistics: inout GPUStatistics) {
        statistics.targetsCreated = pool.created
        statistics.idleBytes = pool.idleBytes + buffers.idleBytes
        statistics.programsCompiled = programs.binaries.counts.compiled
        statistics.programsLoaded = programs.binaries.counts.loaded
        statistics.programsRejected = programs.binaries.counts.rejected
        statistics.programCacheProblem = programs.binaries.problem
        statistics.timedExecutions = stopwatches.readings
        statistics.gpuSeconds = stopwatches.seconds
        statistics.inFlight = flights.count
    }

    /// Releases the idle targets and buffers, the mask and the content.
    private func dropIdleObjects() {
        mask = nil
        content = nil
        pool.trim(to: 0)
        buffers.trim(to: 0)
    }

    /// Deletes the idle targets and buffers, the mask and the content, and waits until the GPU no longer uses them, but
    /// at most for a second.
    ///
    /// - Returns: the number of bytes that were freed.
    func trim(in gl: borrowing CurrentContext) throws(GLError) -> Int {
        let before = gl.objectCounts.bytes
        dropIdleObjects()
        gl.collectGarbage()
        let freed = before - gl.objectCounts.bytes
        if freed > 0 { try replaceLastDraw(in: gl) }
        // Also returns what was still in use at an earlier call.
        try gl.returnMemory()
        return freed
    }

    /// Draws into textures of a single texel, and reads no texture. Drivers keep the target and the textures of the
    /// last draw, also if they were deleted, until the next draw uses others.
    private func replaceLastDraw(in gl: borrowing CurrentContext) throws(GLError) {
        let program = try Program(vertex: ProgramSource.vertex, fragment: ProgramSource.black, in: gl)
        try program.use(in: gl)
        for _ in 0..<2 {
            let texture = try Texture(.rgba8, width: 1, height: 1, in: gl)
            let framebuffer = try Framebuffer(texture, in: gl)
            try gl.beginDrawing(into: framebuffer)
            try gl.drawTriangle(columns: 0..<1, rows: 0..<1, vertexArray)
        }
        try gl.checkErrors(after: "drawing one texel")
    }

    func take(_ key: TargetKey, in gl: borrowing CurrentContext) throws(GPUError) -> Target {
        try fromGL { () throws(GLError) in try pool.take(key, in: gl) }
    }
}
