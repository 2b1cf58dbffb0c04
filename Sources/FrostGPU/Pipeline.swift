import FrostCore
import FrostGLES

/// Everything an executor keeps on the GPU. Lives on the context's thread.
final class Pipeline {
    private let formats: Set<TextureFormat>
    /// Weights that the shader has room for in one pass.
    let weightCapacity: Int
    private let vertexArray: VertexArray
    private var programs: [FilterProgram.Variant: FilterProgram] = [:]
    private var store: ProgramStore
    private var pool: TargetPool
    private var uploads: StagingRing?
    private var readbacks: StagingRing?
    private var weights: Buffer?

    init(_ options: GPUOptions, in gl: borrowing CurrentContext) throws(GLError) {
        formats = gl.limits.renderableFormats.intersection(options.allowedFormats)
        // 4096 where the GL has room for them, else what it has: the standard promises 16 KiB.
        weightCapacity = min(gl.limits.maximumUniformBlockSize / 16, 1024) * 4
        store = ProgramStore(ProgramCache(options.programCache.resolve()), in: gl)
        vertexArray = try VertexArray(in: gl)
        pool = TargetPool(idleLimit: options.idleBytes)
    }

    var targetsCreated: Int { pool.created }
    var idleBytes: Int { pool.idleBytes }
    var programCounts: ProgramStore.Counts { store.counts }
    var programCacheProblem: String? { store.problem }

    /// Gives the idle targets back to the GL.
    func trim() { pool.trim(to: 0) }

    /// Uploads, draws and reads back.
    func execute(
        _ schedule: Schedule, source: PixelSource, target: PixelTarget, patience: Patience,
        in gl: borrowing CurrentContext
    ) throws(GPUError) -> GPUReport {
        let sourceFormat = unsafe source.layout.format
        let targetFormat = unsafe target.layout.format
        let choice = FormatChoice(
            available: formats, isEightBit: sourceFormat.sample == .u8 && targetFormat.sample == .u8,
            isOpaque: !targetFormat.channels.hasAlpha)
        try choice.check()
        var report = GPUReport()
        let clock = ContinuousClock()
        let start = clock.now
        try patience.check()

        var places: [Place: Target] = [:]
        // Whatever happens, the targets go back: GL puts later commands behind those that still use them.
        defer { for target in places.values { pool.giveBack(target) } }

        let image = try take(schedule.sourceWindow.size(choice.image), in: gl)
        places[.source] = image
        report.bytesUploaded = try unsafe upload(source, schedule, choice, into: image, patience, gl)
        report.uploadSeconds = (clock.now - start).seconds

        try prepareWeights(schedule.weights, in: gl)
        for (index, draw) in schedule.draws.enumerated() {
            try patience.check()
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
            let loadsStraight =
                draw.from == .source && choice.isEightBit && sourceFormat.needsPremultiplication
            try fromGL { () throws(GLError) in
                try input.texture.bind(unit: FilterProgram.textureUnit, in: gl)
                try bindWeights(at: draw.weightsAt, in: gl)
                try gl.beginDrawing(into: output.framebuffer)
                for (part, hasEdges) in draw.parts where !part.isEmpty {
                    let program = try program(.init(loadsStraight: loadsStraight, hasEdges: hasEdges), in: gl)
                    try program.draw(
                        draw, part: part, store: isLast ? Store(targetFormat) : .value, vertexArray: vertexArray, in: gl
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
        report.drawSeconds = (clock.now - start).seconds - report.uploadSeconds
        guard let output = places[.output] else { throw .invalidPlan("no output") }
        report.bytesRead = try unsafe read(output, choice, into: target, patience, gl)
        try fromGL { () throws(GLError) in
            try gl.checkReset()
            try gl.checkErrors(after: "reading back")
        }
        report.readSeconds = (clock.now - start).seconds - report.uploadSeconds - report.drawSeconds
        return report
    }

    private func take(_ key: TargetKey, in gl: borrowing CurrentContext) throws(GPUError) -> Target {
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

// MARK: Transfer

extension Pipeline {
    /// Sends the window of the source to a texture, band by band.
    ///
    /// - Returns: the number of bytes.
    private func upload(
        _ source: PixelSource, _ schedule: Schedule, _ choice: FormatChoice, into image: Target, _ patience: Patience,
        _ gl: borrowing CurrentContext
    ) throws(GPUError) -> Int {
        let ring: StagingRing
        if let uploads {
            ring = uploads
        } else {
            ring = try fromGL { () throws(GLError) in try StagingRing(.upload, in: gl) }
            uploads = ring
        }
        let window = schedule.sourceWindow
        // In the source's own rows and columns.
        let first = (x: window.x - schedule.extent.x, y: window.y - schedule.extent.y)
        let rowBytes = window.width * image.texture.format.bytesPerPixel
        for band in StagingRing.bands(rows: window.height, rowBytes: rowBytes) {
            let slot = ring.advance()
            if let fence = slot.fence.take() { try patience.wait(for: fence, in: gl) }
            try fromGL { () throws(GLError) in
                try unsafe slot.buffer.withMapped(count: band.count * rowBytes, in: gl) { memory in
                    let rows = first.y + band.lowerBound..<first.y + band.upperBound
                    let columns = first.x..<first.x + window.width
                    if choice.isEightBit {
                        unsafe PixelStaging.loadBytes(source, columns: columns, rows: rows, into: memory)
                    } else {
                        unsafe PixelStaging.loadFloats(source, columns: columns, rows: rows, into: memory)
                    }
                }
                try image.texture.upload(rows: band, from: slot.buffer, in: gl)
                slot.fence = try Fence(in: gl)
            }
        }
        return window.height * rowBytes
    }

    /// Fetches the output, band by band: while one is converted the next ones are on their way.
    ///
    /// - Returns: the number of bytes.
    private func read(
        _ output: Target, _ choice: FormatChoice, into target: PixelTarget, _ patience: Patience,
        _ gl: borrowing CurrentContext
    ) throws(GPUError) -> Int {
        let ring: StagingRing
        if let readbacks {
            ring = readbacks
        } else {
            ring = try fromGL { () throws(GLError) in try StagingRing(.readback, in: gl) }
            readbacks = ring
        }
        let rowBytes = output.texture.width * output.texture.format.bytesPerPixel
        let bands = StagingRing.bands(rows: output.texture.height, rowBytes: rowBytes)
        var pending: [(StagingRing.Slot, Range<Int>)] = []
        for step in 0..<bands.count + ring.count {
            if step >= ring.count, step - ring.count < bands.count {
                let (slot, band) = pending.removeFirst()
                if let fence = slot.fence.take() { try patience.wait(for: fence, in: gl) }
                try fromGL { () throws(GLError) in
                    try unsafe slot.buffer.withMapped(count: band.count * rowBytes, in: gl) { memory in
                        let pixels = UnsafeRawBufferPointer(memory)
                        if choice.isEightBit {
                            unsafe PixelStaging.storeBytes(pixels, rows: band, to: target)
                        } else {
                            unsafe PixelStaging.storeFloats(pixels, rows: band, to: target)
                        }
                    }
                }
            }
            if step < bands.count {
                let slot = ring.advance()
                try fromGL { () throws(GLError) in
                    try output.framebuffer.read(rows: bands[step], into: slot.buffer, in: gl)
                    slot.fence = try Fence(in: gl)
                }
                pending.append((slot, bands[step]))
            }
        }
        return output.texture.height * rowBytes
    }
}

extension Rect {
    fileprivate func size(_ format: TextureFormat) -> TargetKey {
        TargetKey(format: format, width: width, height: height)
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
