import FrostGLES

/// Measures how exact the device's linear filter is. Used only on the context's thread.
///
/// A fetch at the position c + f mixes the texels c and c + 1; f is the interpolation fraction. The fetch has three
/// sources of error: the texture coordinate is a 32-bit float between 0 and 1, the device stores the interpolation
/// fraction with few bits, and the device rounds the weighted sum.
///
/// In a texture of n texels, the position is computed as `(c + f) * (1 / n) * n`. The value is rounded three times,
/// each time by at most 2^-24 of itself. The error of the position is therefore at most `3 * 2^-24 * n` texels. Devices
/// with fixed-point fractions round this error away on two conditions: the error is below half of the fraction's last
/// bit, and the intended fraction is not at a point at which the device switches from one fraction to the next. Because
/// of the second condition, the probe also tries a bias, which is an offset that is added to all positions. The bias
/// helps devices that truncate the fraction. Devices with floating-point fractions keep the error of the position.
///
/// The probe filters neighbouring texels that differ as much as possible. It measures every texel of the longest
/// texture of a length class, with every fraction in eighths, at the intended position and at both ends of the interval
/// to which rounding may move the position. It also measures a shorter texture of odd length, at the intended position.
final class FilterProbe {
    /// The measured precision of the linear filter. It is valid for all textures of one format and one length class.
    struct Finding: Hashable {
        /// The offset to add to texture positions, in texels.
        var bias: Float
        /// The maximum error of a filtered value along one axis, as a fraction of full scale.
        var error: Double
    }

    private struct Key: Hashable {
        let format: TextureFormat
        let length: Int
    }

    /// The biases to try, in texels. The second bias is half of the last bit of an 8-bit fraction; it helps devices
    /// that truncate the fraction.
    static let biases: [Float] = [0, 0x1p-9]
    /// An error so small that no other bias is tried, as a fraction of full scale: 1/1000 of an 8-bit step.
    static let negligible = 4e-6
    /// Returns the largest length of the length class to which a length belongs, in texels. All lengths up to 256 are
    /// one class, and every further class ends at a power of two.
    static func classLength(_ length: Int) -> Int {
        var limit = 256
        while limit < length { limit *= 2 }
        return limit
    }

    /// The sampler that filters linearly.
    let sampler: Sampler
    private let pattern: Program
    private let error: Program
    /// A deliberate error of the device's fractions in texels, for tests.
    private let fault: Float
    private var known: [Key: Finding] = [:]

    init(fault: Float, from programs: inout ProgramBinaries, in gl: borrowing CurrentContext) throws(GLError) {
        self.fault = fault
        sampler = try Sampler(linearIn: gl)
        pattern = try programs.program(
            vertex: ProgramSource.vertex, fragment: ProgramSource.probe(isPattern: true), in: gl)
        error = try programs.program(
            vertex: ProgramSource.vertex, fragment: ProgramSource.probe(isPattern: false), in: gl)
    }

    /// Calls `body` with each program and the source of its fragment shader.
    func forEach(_ body: (borrowing Program, String) throws(GLError) -> Void) throws(GLError) {
        try body(pattern, ProgramSource.probe(isPattern: true))
        try body(error, ProgramSource.probe(isPattern: false))
    }

    /// Returns the measured precision of the linear filter for textures of a format with up to `length` texels per
    /// axis; nil if such textures cannot be filtered or measured.
    func find(
        _ format: TextureFormat, length: Int, _ vertexArray: borrowing VertexArray, in gl: borrowing CurrentContext
    ) throws(GLError) -> Finding? {
        if !gl.isDesktop, let needed = format.extensionForFiltering, !gl.extensions.contains(needed) { return nil }
        // The measurement has to render into a texture of this format. (All textures that Frost filters can be rendered
        // into.) It reads errors back as floats, so 32-bit float textures must be renderable too.
        guard gl.limits.renderableFormats.isSuperset(of: [format, .rgba32F]) else { return nil }
        let key = Key(format: format, length: Self.classLength(length))
        if let finding = known[key] { return finding }
        guard key.length <= gl.limits.maximumTextureSize else { return nil }
        var best: Finding?
        for bias in Self.biases {
            let error = try measure(key, bias, vertexArray, in: gl)
            if error < best?.error ?? .infinity { best = Finding(bias: bias, error: error) }
            if error <= Self.negligible { break }
        }
        known[key] = best
        return best
    }

    private func measure(
        _ key: Key, _ bias: Float, _ vertexArray: borrowing VertexArray, in gl: borrowing CurrentContext
    ) throws(GLError) -> Double {
        // At the first length, positions are also shifted on purpose, to imitate the largest rounding error. At the
        // second length, which is odd, positions have rounding errors of their own, so the shift is 0.
        let rounding = 3 * 0x1p-24 * Float(key.length)
        let lengths = [(key.length, rounding), (key.length - key.length / 4 - 1, 0)]
        var worst = 0.0
        for (length, shift) in lengths {
            for isAlongX in [true, false] {
                worst = max(
                    worst,
                    try measure(
                        key.format, length, isAlongX: isAlongX, bias, shift: shift, vertexArray, in: gl))
            }
        }
        return worst
    }

    private func measure(
        _ format: TextureFormat, _ length: Int, isAlongX: Bool, _ bias: Float, shift: Float,
        _ vertexArray: borrowing VertexArray, in gl: borrowing CurrentContext
    ) throws(GLError) -> Double {
        // The texture is four texels wide across the measured axis, so that an error across this axis is noticed too.
        let (width, height) = isAlongX ? (length, 4) : (4, length)
        let texture = try Texture(format, width: width, height: height, in: gl)
        let framebuffer = try Framebuffer(texture, in: gl)
        let (columns, rows) = isAlongX ? (length - 1, 1) : (1, length - 1)
        let errors = try Texture(.rgba32F, width: columns, height: rows, in: gl)
        let result = try Framebuffer(errors, in: gl)
        try pattern.use(in: gl)
        try gl.beginDrawing(into: framebuffer)
        try gl.drawTriangle(columns: 0..<width, rows: 0..<height, vertexArray)

        try error.use(in: gl)
        try error.set(error.uniform("inputImage", in: gl), Int32(TextureUnit.inputImage.rawValue), in: gl)
        try error.set(error.uniform("axis", in: gl), isAlongX ? SIMD2<Int32>(1, 0) : SIMD2<Int32>(0, 1), in: gl)
        try error.set(
            error.uniform("texelSize", in: gl), floats: SIMD2(1 / Float(width), 1 / Float(height)), in: gl)
        try error.set(error.uniform("bias", in: gl), floats: SIMD2(bias, bias), in: gl)
        try error.set(error.uniform("shift", in: gl), float: shift, in: gl)
        try error.set(error.uniform("fault", in: gl), float: fault, in: gl)
        try error.set(error.uniform("eighths", in: gl), 8, in: gl)
        try texture.bind(unit: TextureUnit.inputImage.rawValue, in: gl)
        try sampler.bind(unit: TextureUnit.inputImage.rawValue, in: gl)
        try gl.beginDrawing(into: result)
        try gl.drawTriangle(columns: 0..<columns, rows: 0..<rows, vertexArray)
        try gl.unbindSampler(unit: TextureUnit.inputImage.rawValue)
        var values = [Float](repeating: .infinity, count: 4 * columns * rows)
        var failure: GLError?
        unsafe values.withUnsafeMutableBytes { memory in
            do throws(GLError) {
                try unsafe result.read(rows: 0..<rows, into: memory, in: gl)
            } catch let error {
                failure = error
            }
        }
        if let failure { throw failure }
        try gl.checkErrors(after: "measuring the linear filter")
        return Double(values.max() ?? .infinity)
    }
}
