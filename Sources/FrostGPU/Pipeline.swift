import FrostCore
import FrostGLES

/// Everything an executor keeps on the GPU. Lives on the context's thread.
final class Pipeline {
    private let formats: Set<TextureFormat>
    /// Weights that the shader has room for in one pass.
    let weightCapacity: Int
    /// How pixels travel, and why.
    let transfer: TransferChoice
    private let vertexArray: VertexArray
    private var programs: [FilterProgram.Variant: FilterProgram] = [:]
    private var store: ProgramStore
    private var weights: Buffer?
    var pool: TargetPool
    var uploads: StagingRing?
    var readbacks: StagingRing?
    var buffers: BufferPool
    var stopwatches: Stopwatches
    var flights: [UInt64: Flight] = [:]

    init(_ options: GPUOptions, in gl: borrowing CurrentContext) throws(GLError) {
        formats = gl.limits.renderableFormats.intersection(options.allowedFormats)
        // 4096 where the GL has room for them, else what it has: the standard promises 16 KiB.
        weightCapacity = min(gl.limits.maximumUniformBlockSize / 16, 1024) * 4
        transfer = TransferChoice(options.transfer, gl.device)
        store = ProgramStore(ProgramCache(options.programCache.resolve()), in: gl)
        vertexArray = try VertexArray(in: gl)
        pool = TargetPool(idleLimit: options.idleBytes)
        buffers = BufferPool(idleLimit: options.idleBytes)
        stopwatches = Stopwatches()
    }

    /// Writes down what is held, and what became of it.
    func describe(in statistics: inout GPUStatistics) {
        statistics.targetsCreated = pool.created
        statistics.idleBytes = pool.idleBytes + buffers.idleBytes
        statistics.programsCompiled = store.counts.compiled
        statistics.programsLoaded = store.counts.loaded
        statistics.programsRejected = store.counts.rejected
        statistics.programCacheProblem = store.problem
        statistics.timedExecutions = stopwatches.readings
        statistics.gpuSeconds = stopwatches.seconds
        statistics.inFlight = flights.count
        statistics.transfer = transfer.description
    }

    /// Gives the idle targets and buffers back to the GL.
    func trim() {
        pool.trim(to: 0)
        buffers.trim(to: 0)
    }

    func take(_ key: TargetKey, in gl: borrowing CurrentContext) throws(GPUError) -> Target {
        try fromGL { () throws(GLError) in try pool.take(key, in: gl) }
    }

    private func program(_ variant: FilterProgram.Variant, in gl: borrowing CurrentContext) throws(GLError)
        -> FilterProgram
    {
        if let program = programs[variant] { return program }
        let program = try FilterProgram(variant, weights: weightCapacity, from: &store, in: gl)
        programs[variant] = program
        return program
    }
}

/// What an execution works on, but for the pixels.
struct Work {
    let schedule: Schedule
    let source: PixelFormat
    let target: PixelFormat
    let patience: Patience

    /// Both images have 8 bits.
    var isEightBit: Bool { source.sample == .u8 && target.sample == .u8 }

    func choice(of available: Set<TextureFormat>) -> FormatChoice {
        FormatChoice(available: available, isEightBit: isEightBit, isOpaque: !target.channels.hasAlpha)
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

    /// To be called once the GPU has come to the end of an execution.
    func finish(
        _ report: inout GPUReport, _ stopwatch: inout Stopwatch?, in gl: borrowing CurrentContext
    ) throws(GPUError) {
        try fromGL { () throws(GLError) in
            report.gpuSeconds = try stopwatches.read(&stopwatch, in: gl)
            try gl.checkReset()
            try gl.checkErrors(after: "reading back")
        }
    }

    /// An output on its way.
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
        // Whatever happens, the targets go back: GL puts later commands behind those that still use them.
        defer { for target in places.values { pool.giveBack(target) } }

        let image = try take(work.schedule.sourceWindow.size(choice.image), in: gl)
        places[.source] = image
        var report = GPUReport()
        report.bytesUploaded = try upload(image, gl)
        report.uploadSeconds = (clock.now - start).seconds

        var stopwatch = try fromGL { () throws(GLError) in try stopwatches.start(in: gl) }
        do throws(GPUError) {
            try submit(work, choice, &places, &report, gl)
            try fromGL { () throws(GLError) in try stopwatch?.query.stop(in: gl) }
        } catch {
            // One that is left running would make the next start an error.
            if let stopwatch { try? stopwatch.query.stop(in: gl) }
            stopwatches.giveBack(&stopwatch)
            throw error
        }
        report.drawSeconds = (clock.now - start).seconds - report.uploadSeconds
        guard let output = places.removeValue(forKey: .output) else { throw .invalidPlan("no output") }
        return Drawn(output: output, report: report, stopwatch: stopwatch)
    }

    private func submit(
        _ work: Work, _ choice: FormatChoice, _ places: inout [Place: Target], _ report: inout GPUReport,
        _ gl: borrowing CurrentContext
    ) throws(GPUError) {
        let schedule = work.schedule
        try prepareWeights(schedule.weights, in: gl)
        for (index, draw) in schedule.draws.enumerated() {
            try work.patience.check()
            let isLast = index == schedule.draws.count - 1
            var format = choice.image
            if case .slot = draw.to {
                let intermediate = try choice.intermediate(isSigned: schedule.isSigned(draw.to))
                format = intermediate.format
                report.formats.insert(format)
                report.degradedPrecision = report.degradedPrecision ?? intermediate.degradedPrecision
            }
            guard let input = places[draw.from] else { throw .invalidPlan("pass \(index) reads what is gone") }
            let output: Target
            if let existing = places[draw.to] {
                output = existing
            } else {
                output = try take(draw.window.size(format), in: gl)
                places[draw.to] = output
            }
            let loadsStraight = draw.from == .source && work.isEightBit && work.source.needsPremultiplication
            try fromGL { () throws(GLError) in
                try input.texture.bind(unit: FilterProgram.textureUnit, in: gl)
                try bindWeights(at: draw.weightsAt, in: gl)
                try gl.beginDrawing(into: output.framebuffer)
                for (part, hasEdges) in draw.parts where !part.isEmpty {
                    let program = try program(.init(loadsStraight: loadsStraight, hasEdges: hasEdges), in: gl)
                    try program.draw(
                        draw, part: part, store: isLast ? Store(work.target) : .value, vertexArray: vertexArray, in: gl
                    )
                }
            }
            report.passes += 1
            if schedule.isLastUse(of: draw.from, at: index), let done = places.removeValue(forKey: draw.from) {
                pool.giveBack(done)
            }
        }
        try fromGL { () throws(GLError) in
            try gl.checkErrors(after: "drawing")
            gl.flush()
        }
    }
}

// MARK: Weights

extension Pipeline {
    /// Puts the weights of all passes into one buffer. Each pass binds a whole block from its start on, so the buffer
    /// goes on for a block behind the last.
    private func prepareWeights(_ values: [Float], in gl: borrowing CurrentContext) throws(GPUError) {
        try fromGL { () throws(GLError) in
            let size = 4 * (values.count + weightCapacity)
            if (weights?.size ?? 0) < size { weights = try Buffer(.uniforms, size: size, in: gl) }
            try unsafe weights?.withMapped(count: 4 * max(1, values.count), in: gl) { memory in
                // SAFETY: both have 4 bytes for each value.
                unsafe values.withUnsafeBytes { unsafe memory.copyMemory(from: $0) }
            }
        }
    }

    private func bindWeights(at start: Int, in gl: borrowing CurrentContext) throws(GLError) {
        try weights?.bindUniforms(
            4 * start..<4 * (start + weightCapacity), binding: FilterProgram.weightsBinding, in: gl)
    }
}

extension Rect {
    fileprivate func size(_ format: TextureFormat) -> TargetKey {
        TargetKey(format: format, width: width, height: height)
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
