import FrostCore
import FrostGLES

extension Pipeline {
    func draw(
        _ draw: Draw, _ variant: FilterProgram.Variant, weightsAt place: Int, decoding: TransferFunction?,
        _ output: Output, in gl: borrowing CurrentContext
    ) throws(GLError) {
        var variant = variant
        try bindWeights(at: place, in: gl)
        for (part, hasEdges) in draw.parts where !part.isEmpty {
            variant.hasEdges = hasEdges
            try program(variant, in: gl).draw(
                draw, part: part, decoding: decoding, output: output, vertexArray: vertexArray, in: gl)
        }
    }

    func draw(
        _ draw: LinearDraw, _ variant: FilterProgram.Variant, fetchesAt place: Int, from input: Target,
        _ output: Output, in gl: borrowing CurrentContext
    ) throws(GLError) {
        var variant = variant
        let size = (width: input.texture.width, height: input.texture.height)
        let format = input.texture.format
        let probe = try probe(in: gl)
        var bias = SIMD2(
            try probe.find(format, length: size.width, vertexArray, in: gl)?.bias ?? 0,
            try probe.find(format, length: size.height, vertexArray, in: gl)?.bias ?? 0)
        bias += linearFault
        try bindWeights(at: place, in: gl)
        try probe.sampler.bind(unit: FilterProgram.textureUnit, in: gl)
        for part in draw.parts {
            variant.hasEdges = part.hasEdges
            try linearProgram(variant, in: gl).draw(
                draw, columns: part.columns, rows: part.rows, input: size, bias: bias, output: output,
                vertexArray: vertexArray, in: gl)
        }
        // Float textures that cannot be filtered would be incomplete with it.
        try gl.unbindSampler(unit: FilterProgram.textureUnit)
    }

    /// Texels that a 2-D kernel fetches between two marks of progress: a few seconds of software GL, and far less than what
    /// makes an operating system take a GPU for hung.
    private static let readLimit = 0x1p30

    /// Draws a 2-D kernel, of which a large one takes so long that it is waited for now and then.
    func draw(
        _ draw: Kernel2DDraw, _ variant: FilterProgram.Variant, _ work: Work, _ output: Output,
        in gl: borrowing CurrentContext
    ) throws(GPUError) {
        var variant = variant
        try fromGL { () throws(GLError) in try bindWeights(at: 0, in: gl) }
        var reads = 0.0
        for part in draw.parts(limit: Self.readLimit) {
            if reads > 0, reads + part.reads > Self.readLimit {
                try work.patience.wait(for: fromGL { () throws(GLError) in try Fence(in: gl) }, in: gl)
                reads = 0
            }
            reads += part.reads
            try fromGL { () throws(GLError) in
                variant.hasEdges = part.hasEdges
                try kernel2DProgram(variant, in: gl).draw(
                    draw, columns: part.columns, rows: part.rows, decoding: work.schedule.decoding, output: output,
                    vertexArray: vertexArray, in: gl)
            }
        }
    }

    private func kernel2DProgram(
        _ variant: FilterProgram.Variant, in gl: borrowing CurrentContext
    ) throws(GLError) -> Kernel2DProgram {
        if let program = kernel2DPrograms[variant] { return program }
        let program = try Kernel2DProgram(variant, weights: weightCapacity, from: &store, in: gl)
        kernel2DPrograms[variant] = program
        return program
    }

    private func linearProgram(
        _ variant: FilterProgram.Variant, in gl: borrowing CurrentContext
    ) throws(GLError) -> LinearProgram {
        if let program = linearPrograms[variant] { return program }
        let program = try LinearProgram(variant, weights: weightCapacity, from: &store, in: gl)
        linearPrograms[variant] = program
        return program
    }

    private func probe(in gl: borrowing CurrentContext) throws(GLError) -> FilterProbe {
        if let probe { return probe }
        let made = try FilterProbe(fault: probeFault, from: &store, in: gl)
        probe = made
        return made
    }

    /// What to draw for a plan, by the profile and by what the device was measured to do.
    func drawList(
        _ schedule: Schedule, _ work: Work, _ choice: FormatChoice, in gl: borrowing CurrentContext
    ) throws(GPUError) -> DrawList {
        guard profile == .fast, schedule.kernel2D == nil else { return DrawList(exact: schedule) }
        // Deeper images are promised that much more, and what follows enlarges errors.
        let limit = filterErrorLimit / (work.isEightBit ? 1 : 257) / (work.schedule.outputStages?.amplification ?? 1)
        return try DrawList(linear: schedule, limit: limit, weightLimits: limits) { (place) throws(GPUError) in
            // Straight colour has to be multiplied by alpha, and codes have to become light, before anything is mixed.
            // Of a host's texture nothing is known that was measured.
            if place == .source, work.loadsStraight || schedule.decoding != nil || work.ends.source != nil {
                return nil
            }
            let format = try format(of: place, schedule, choice).format
            let size = schedule.size(of: place)
            return try fromGL { () throws(GLError) in
                let probe = try probe(in: gl)
                guard let x = try probe.find(format, length: size.width, vertexArray, in: gl),
                    let y = try probe.find(format, length: size.height, vertexArray, in: gl)
                else { return nil }
                return x.error + y.error
            }
        }
    }

    func format(
        of place: Place, _ schedule: Schedule, _ choice: FormatChoice
    ) throws(GPUError) -> FormatChoice.Intermediate {
        guard case .slot = place else { return FormatChoice.Intermediate(format: choice.image, degradedPrecision: nil) }
        return try choice.intermediate(isSigned: schedule.isSigned(place))
    }
}

// MARK: Weights

extension Pipeline {
    /// Puts the weights of all passes into one buffer. Each pass binds a whole block from its start on, so the buffer
    /// goes on for a block behind the last.
    func prepareWeights(_ values: [Float], in gl: borrowing CurrentContext) throws(GPUError) {
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
