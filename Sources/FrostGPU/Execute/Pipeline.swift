import FrostCore
import FrostGLES

/// Everything that an executor keeps on the GPU. Lives on the context's thread.
final class Pipeline {
    let formats: Set<TextureFormat>
    /// How pixels are transferred, and why.
    let transfer: TransferChoice
    /// Which passes may use the linear filter.
    let profile: FilterProfile
    /// What it may add to the output's error, in 8-bit steps.
    let filterErrorLimit: Double
    let limits: DrawLimits
    /// For tests: how far places are off, in texels, while they are measured and while they are used.
    let probeFault: Float
    let linearFault: Float
    let vertexArray: VertexArray
    var programs: ProgramStore
    var probe: FilterProbe?
    /// The uniform blocks.
    var taps: Buffer?
    var outputStagesBuffer: Buffer?
    /// The mask that was used last.
    var mask: MaskTexture?
    /// The content that was drawn last.
    var content: ContentTexture?
    /// For textures of the host that are drawn into.
    var hostFramebuffer: HostFramebuffer?
    var pool: TargetPool
    var uploads: StagingRing?
    var readbacks: StagingRing?
    var buffers: BufferPool
    var stopwatches: Stopwatches
    var flights: [UInt64: Flight] = [:]

    init(_ options: GPUOptions, in gl: borrowing CurrentContext) throws(GLError) {
        formats = gl.limits.renderableFormats.intersection(options.allowedFormats)
        // 4096 if the GL has room for them, else as many as fit: the standard promises 16 KiB.
        let weightCapacity = min(gl.limits.maximumUniformBlockSize / 16, 1024) * 4
        transfer = TransferChoice(options.transfer, gl.device)
        programs = ProgramStore(
            ProgramBinaries(ProgramCache(options.programCache.resolve()), in: gl), weightCapacity: weightCapacity)
        profile = options.filtering.resolve(isSoftware: gl.device.isSoftware)
        filterErrorLimit = options.filterErrorLimit
        (probeFault, linearFault) = options.filterFault
        limits = DrawLimits(
            textureSize: min(gl.limits.maximumTextureSize, options.maximumTextureSize ?? .max), weights: weightCapacity,
            // At least a vec4.
            weightAlignment: max(4, (gl.limits.uniformBufferOffsetAlignment + 3) / 4))
        vertexArray = try VertexArray(in: gl)
        pool = TargetPool(idleLimit: options.idleBytes)
        buffers = BufferPool(idleLimit: options.idleBytes)
        stopwatches = Stopwatches()
    }

    /// Adds what is held and what was done.
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

    /// Gives the idle targets and buffers back to the GL.
    func trim() {
        mask = nil
        content = nil
        pool.trim(to: 0)
        buffers.trim(to: 0)
    }

    func take(_ key: TargetKey, in gl: borrowing CurrentContext) throws(GPUError) -> Target {
        try fromGL { () throws(GLError) in try pool.take(key, in: gl) }
    }
}

extension Pipeline {
    /// Uploads, draws and reads back.
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

    /// To be called once the GPU has finished an execution.
    func finish(
        _ report: inout GPUReport, _ stopwatch: inout Stopwatch?, in gl: borrowing CurrentContext
    ) throws(GPUError) {
        try fromGL { () throws(GLError) in
            report.gpuSeconds = try stopwatches.read(&stopwatch, in: gl)
            try gl.checkReset()
            try gl.checkErrors(after: "reading back")
        }
    }

    /// An execution whose draws were submitted.
    struct Drawn {
        /// To be given back to the pool.
        let output: Target
        var report: GPUReport
        /// To be given back too.
        var stopwatch: Stopwatch?
    }

    /// Has the source uploaded, and submits all draws.
    ///
    /// - Parameter upload: fills the texture and returns the number of bytes.
    func draw(
        _ work: Work, in gl: borrowing CurrentContext,
        upload: (Target, borrowing CurrentContext) throws(GPUError) -> Int
    ) throws(GPUError) -> Drawn {
        let choice = work.choice(of: formats)
        try choice.check()
        let clock = ContinuousClock()
        let start = clock.now
        try work.patience.check()

        var places: [Place: Target] = [:]
        // The targets go back even after an error: GL orders later commands behind those that still use them.
        defer { for target in places.values { pool.giveBack(target) } }

        let image = try take(work.plan.sourceWindow.size(choice.image), in: gl)
        places[.source] = image
        var report = GPUReport()
        report.bytesUploaded = try upload(image, gl)
        report.uploadSeconds = (clock.now - start).seconds

        var stopwatch = try fromGL { () throws(GLError) in try stopwatches.start(in: gl) }
        do throws(GPUError) {
            try submit(work, choice, &places, &report, gl)
            try fromGL { () throws(GLError) in try stopwatch?.query.stop(in: gl) }
        } catch {
            // A running stopwatch would make the next start an error.
            if let stopwatch { try? stopwatch.query.stop(in: gl) }
            stopwatches.giveBack(&stopwatch)
            throw error
        }
        report.drawSeconds = (clock.now - start).seconds - report.uploadSeconds
        guard let output = places.removeValue(forKey: .output) else { throw .invalidPlan("no output") }
        return Drawn(output: output, report: report, stopwatch: stopwatch)
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
