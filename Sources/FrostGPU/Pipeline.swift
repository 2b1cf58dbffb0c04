import FrostCore
import FrostGLES

/// Everything an executor keeps on the GPU. Lives on the context's thread.
final class Pipeline {
    private let formats: Set<TextureFormat>
    /// Weights that the shader has room for in one pass.
    let weightCapacity: Int
    /// How pixels travel, and why.
    let transfer: TransferChoice
    /// Which passes may use the linear filter.
    private let profile: FilterProfile
    /// What it may add to the output's error, in steps of 8 bits.
    private let filterErrorLimit: Double
    let limits: ScheduleLimits
    /// For tests: how far places are off, in texels, while they are measured and while they are used.
    private let probeFault: Float
    private let linearFault: Float
    private let vertexArray: VertexArray
    private var programs: [FilterProgram.Variant: FilterProgram] = [:]
    private var linearPrograms: [Bool: LinearProgram] = [:]
    private var probe: FilterProbe?
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
        profile = options.filtering.resolve(isSoftware: gl.device.isSoftware)
        filterErrorLimit = options.filterErrorLimit
        (probeFault, linearFault) = options.filterFault
        limits = ScheduleLimits(
            textureSize: min(gl.limits.maximumTextureSize, options.maximumTextureSize ?? .max), weights: weightCapacity,
            // At least a vec4.
            weightAlignment: max(4, (gl.limits.uniformBufferOffsetAlignment + 3) / 4))
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

    /// The source's colour has to be multiplied by its alpha when it is read.
    var loadsStraight: Bool { isEightBit && source.needsPremultiplication }

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
        let list = try drawList(work, choice, in: gl)
        report.filterError = list.filterError
        (report.linearDraws, report.fusedDraws) = list.linearCounts
        try prepareWeights(list.weights, in: gl)
        for (index, item) in list.items.enumerated() {
            try work.patience.check()
            let isLast = index == list.items.count - 1
            let format = try format(of: item.to, work, choice)
            if case .slot = item.to {
                report.formats.insert(format.format)
                report.degradedPrecision = report.degradedPrecision ?? format.degradedPrecision
            }
            guard let input = places[item.from] else { throw .invalidPlan("draw \(index) reads what is gone") }
            let output: Target
            if let existing = places[item.to] {
                output = existing
            } else {
                output = try take(item.window.size(format.format), in: gl)
                places[item.to] = output
            }
            let store = isLast ? Store(work.target) : .value
            try fromGL { () throws(GLError) in
                try input.texture.bind(unit: FilterProgram.textureUnit, in: gl)
                switch item {
                case .exact(let exact):
                    let isStraight = exact.from == .source && work.loadsStraight
                    try draw(exact, loadsStraight: isStraight, into: output, store, in: gl)
                case .linear(let linear, let place):
                    try draw(linear, fetchesAt: place, from: input, into: output, store, in: gl)
                }
            }
            report.passes += item.passes
            if list.isLastUse(of: item.from, at: index), let done = places.removeValue(forKey: item.from) {
                pool.giveBack(done)
            }
        }
        try fromGL { () throws(GLError) in
            try gl.checkErrors(after: "drawing")
            gl.flush()
        }
    }
}

// MARK: Draws

extension Pipeline {
    private func draw(
        _ draw: Draw, loadsStraight: Bool, into output: Target, _ how: Store, in gl: borrowing CurrentContext
    ) throws(GLError) {
        try bindWeights(at: draw.weightsAt, in: gl)
        try gl.beginDrawing(into: output.framebuffer)
        for (part, hasEdges) in draw.parts where !part.isEmpty {
            let program = try program(.init(loadsStraight: loadsStraight, hasEdges: hasEdges), in: gl)
            try program.draw(draw, part: part, store: how, vertexArray: vertexArray, in: gl)
        }
    }

    private func draw(
        _ draw: LinearDraw, fetchesAt place: Int, from input: Target, into output: Target, _ how: Store,
        in gl: borrowing CurrentContext
    ) throws(GLError) {
        let size = (width: input.texture.width, height: input.texture.height)
        let format = input.texture.format
        let probe = try probe(in: gl)
        var bias = SIMD2(
            try probe.find(format, length: size.width, vertexArray, in: gl)?.bias ?? 0,
            try probe.find(format, length: size.height, vertexArray, in: gl)?.bias ?? 0)
        bias += linearFault
        try bindWeights(at: place, in: gl)
        try probe.sampler.bind(unit: FilterProgram.textureUnit, in: gl)
        try gl.beginDrawing(into: output.framebuffer)
        for part in draw.parts {
            let program = try linearProgram(hasEdges: part.hasEdges, in: gl)
            try program.draw(
                draw, columns: part.columns, rows: part.rows, input: size, bias: bias, store: how,
                vertexArray: vertexArray, in: gl)
        }
        // Float textures that cannot be filtered would be incomplete with it.
        try gl.unbindSampler(unit: FilterProgram.textureUnit)
    }

    private func linearProgram(hasEdges: Bool, in gl: borrowing CurrentContext) throws(GLError) -> LinearProgram {
        if let program = linearPrograms[hasEdges] { return program }
        let program = try LinearProgram(hasEdges: hasEdges, weights: weightCapacity, from: &store, in: gl)
        linearPrograms[hasEdges] = program
        return program
    }

    private func probe(in gl: borrowing CurrentContext) throws(GLError) -> FilterProbe {
        if let probe { return probe }
        let made = try FilterProbe(fault: probeFault, from: &store, in: gl)
        probe = made
        return made
    }

    /// What to draw for a plan, by the profile and by what the device was measured to do.
    private func drawList(
        _ work: Work, _ choice: FormatChoice, in gl: borrowing CurrentContext
    ) throws(GPUError) -> DrawList {
        guard profile == .fast else { return DrawList(exact: work.schedule) }
        // Deeper images are promised that much more.
        let limit = filterErrorLimit / (work.isEightBit ? 1 : 257)
        return try DrawList(linear: work.schedule, limit: limit, weightLimits: limits) { (place) throws(GPUError) in
            // Straight colour has to be multiplied by alpha before anything is mixed.
            if place == .source, work.loadsStraight { return nil }
            let format = try format(of: place, work, choice).format
            let size = work.schedule.size(of: place)
            return try fromGL { () throws(GLError) in
                let probe = try probe(in: gl)
                guard let x = try probe.find(format, length: size.width, vertexArray, in: gl),
                    let y = try probe.find(format, length: size.height, vertexArray, in: gl)
                else { return nil }
                return x.error + y.error
            }
        }
    }

    private func format(
        of place: Place, _ work: Work, _ choice: FormatChoice
    ) throws(GPUError) -> FormatChoice.Intermediate {
        guard case .slot = place else { return FormatChoice.Intermediate(format: choice.image, degradedPrecision: nil) }
        return try choice.intermediate(isSigned: work.schedule.isSigned(place))
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
