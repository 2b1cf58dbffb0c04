import FrostCore
import FrostGLES

extension Pipeline {
    /// Writes the taps of all draws into one buffer. Each draw binds a whole uniform block that starts at the draw's
    /// taps. The buffer is therefore one block longer than the taps.
    func prepareTaps(_ values: [Float], in gl: borrowing CurrentContext) throws(GPUError) {
        try fromGL { () throws(GLError) in
            let size = 4 * (values.count + programs.weightCapacity)
            if (taps?.size ?? 0) < size { taps = try Buffer(.uniforms, size: size, in: gl) }
            try unsafe taps?.withMapped(count: 4 * max(1, values.count), in: gl) { memory in
                // SAFETY: the array and the mapped memory both have 4 bytes for each value.
                unsafe values.withUnsafeBytes { unsafe memory.copyMemory(from: $0) }
            }
        }
    }

    /// Binds the uniform block of taps.
    ///
    /// - Parameter start: the index of the draw's first tap.
    func bindTaps(at start: Int, in gl: borrowing CurrentContext) throws(GLError) {
        try taps?.bindUniforms(
            4 * start..<4 * (start + programs.weightCapacity), binding: UniformBlock.taps.rawValue, in: gl)
    }

    func probe(in gl: borrowing CurrentContext) throws(GLError) -> FilterProbe {
        if let probe { return probe }
        let made = try FilterProbe(fault: probeFault, from: &programs.binaries, in: gl)
        probe = made
        return made
    }

    /// Chooses how passes are drawn. The choice depends on the filter profile and on the measured precision of the
    /// device's linear filter.
    func drawList(
        _ passes: PassDraws, _ work: Work, _ choice: FormatChoice, in gl: borrowing CurrentContext
    ) throws(GPUError) -> DrawList {
        switch work.isExact ? .exact : profile {
        case .exact, .automatic: return DrawList(exact: passes)
        case .fast: break
        }
        // For images of more than 8 bits per sample, the limit is 257 times lower. The limit is also divided by the
        // amplification, which is the factor by which the output stages enlarge errors.
        let limit = filterErrorLimit / (work.isEightBit ? 1 : 257) / work.amplification
        return try DrawList(linear: passes, limit: limit, weightLimits: limits) { (draw) throws(GPUError) in
            let format: TextureFormat
            switch draw.from {
            case .source:
                // Encoded values have to be decoded before texels are mixed.
                if !work.mayFilter(.source) || draw.decoding != nil { return nil }
                format = choice.image
            case .slot: format = try choice.intermediate(isSigned: passes.isSigned(draw.from)).format
            case .output: throw .invalidPlan("a pass reads the output")
            }
            let size = passes.size(of: draw.from)
            return try fromGL { () throws(GLError) in
                let probe = try probe(in: gl)
                // The sides of these textures are powers of two. Measuring the smallest one that is large enough
                // suffices, because positions are exact in all of them.
                let (columns, rows) = (SizeClass.powerOfTwo(size.width), SizeClass.powerOfTwo(size.height))
                guard
                    let x = try probe.find(format, length: min(columns, limits.textureSize), vertexArray, in: gl),
                    let y = try probe.find(format, length: min(rows, limits.textureSize), vertexArray, in: gl)
                else { return nil }
                return LinearTexture(
                    width: size.width, height: size.height, bias: SIMD2(x.bias, y.bias) + linearFault,
                    error: x.error + y.error)
            }
        }
    }
}
