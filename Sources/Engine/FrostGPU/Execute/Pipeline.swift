import FrostCore
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

extension Pipeline {
    /// Uploads the source, draws the plan and reads the result back.
    func execute(
        _ work: Work, source: PixelSource, target: PixelTarget, in gl: borrowing CurrentContext
    ) throws(GPUError) -> GPUReport {
        let clock = ContinuousClock()
        var drawn = try draw(work, in: gl) { (image, gl) throws(GPUError) in
            try unsafe self.upload(source, work, into: image, gl)
        }
        defer {
            pool.giveBack(drawn.output)
            stopwatches.giveBack(&drawn.stopwatch)
        }
        let start = clock.now
        drawn.report.bytesRead = try unsafe read(drawn.output, work, into: target, gl)
        try finish(&drawn.report, &drawn.stopwatch, in: gl)
        drawn.report.readSeconds = (clock.now - start).seconds
        return drawn.report
    }

    /// Reads the GPU time and checks for errors, after the GPU has finished an execution.
    func finish(
        _ report: inout GPUReport, _ stopwatch: inout Stopwatch?, in gl: borrowing CurrentContext
    ) throws(GPUError) {
        try fromGL { () throws(GLError) in
            report.gpuSeconds = try stopwatches.read(&stopwatch, in: gl)
            try gl.checkReset()
            try gl.checkErrors(after: "reading back")
        }
    }

    /// An execution whose draws have all been submitted.
    struct Drawn {
        /// The texture with the result. The owner of this `Drawn` value gives the texture back to the pool.
        let output: Target
        var report: GPUReport
        /// The timer of the execution, whose result is read later; nil if the driver has no timers. The owner of this
        /// `Drawn` value gives the timer back.
        var stopwatch: Stopwatch?
    }

    /// Uploads the source, and submits all draws.
    ///
    /// - Parameter upload: a function that fills the source's texture and returns the number of uploaded bytes.
    func draw(
        _ work: Work, in gl: borrowing CurrentContext,
        upload: (Target, borrowing CurrentContext) throws(GPUError) -> Int
    ) throws(GPUError) -> Drawn {
        let choice = work.choice(of: formats)
        try choice.check()
        let clock = ContinuousClock()
        let start = clock.now
        try work.patience.check()
        unfinishedCost = 0

        var places: [Place: Target] = [:]
        // The targets return to the pool even after an error. This is safe although the GPU may still use them, because
        // the GL executes commands in order: a later use of a target comes after the earlier use.
        defer { for target in places.values { pool.giveBack(target) } }

        let image = try take(work.plan.sourceWindow.size(choice.image), in: gl)
        places[.source] = image
        var report = GPUReport()
        report.bytesUploaded = try upload(image, gl)
        report.uploadSeconds = (clock.now - start).seconds

        let stopwatch = try timed(in: gl) { () throws(GPUError) in
            try submit(work, choice, &places, &report, gl)
        }
        report.drawSeconds = (clock.now - start).seconds - report.uploadSeconds
        guard let output = places.removeValue(forKey: .output) else { throw .invalidPlan("it has no output") }
        return Drawn(output: output, report: report, stopwatch: stopwatch)
    }

    /// Submits draws while a timer of the GPU runs.
    ///
    /// - Returns: the stopped timer; nil if the driver has no timers. The caller gives it back.
    func timed(in gl: borrowing CurrentContext, _ body: () throws(GPUError) -> Void) throws(GPUError) -> Stopwatch? {
        var stopwatch = try fromGL { () throws(GLError) in try stopwatches.start(in: gl) }
        do throws(GPUError) {
            try body()
            try fromGL { () throws(GLError) in try stopwatch?.query.stop(in: gl) }
        } catch {
            // The timer has to be stopped, because starting another timer while this one runs would be an error.
            if let stopwatch { try? stopwatch.query.stop(in: gl) }
            stopwatches.giveBack(&stopwatch)
            throw error
        }
        return stopwatch
    }
}

extension GPUError {
    /// Whether the GL refused a call, so that the objects of the pipeline may be incomplete.
    var leavesObjectsIncomplete: Bool {
        switch self {
        case .gl(let error):
            switch error {
            // A buffer whose memory was lost, which also counts as a lost context, may be mapped still.
            case .callFailed, .outOfMemory, .contextLost: true
            // Nothing was left behind: the object was not created, or belongs to the host.
            case .framebufferIncomplete, .shaderCompilation, .link: false
            case .timeout, .driverBlocked, .notCurrent, .tooLarge, .unsupported, .libraryMissing,
                .noDevice, .displayFailed, .contextFailed, .dmaBuffer, .noThread, .forked:
                false
            }
        case .cancelled, .imageTooLarge, .unsupportedFormat, .unsupportedOutputStages, .queueFull, .invalidTicket,
            .surface, .invalidPlan:
            false
        }
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
