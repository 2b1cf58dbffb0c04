import FrostCore
import FrostGLES
import FrostShaders

/// How the shader writes its result: its constant STORE_….
enum Store: Int32, CaseIterable {
    /// As computed.
    case value
    /// Rounded to 8 bits.
    case premultiplied
    /// Divided by the rounded alpha, and rounded to 8 bits.
    case straight

    init(_ format: PixelFormat) {
        switch format.sample {
        case .u8: self = format.needsPremultiplication ? .straight : .premultiplied
        case .u16, .f32: self = .value
        }
    }

    var constantName: String {
        switch self {
        case .value: "STORE_VALUE"
        case .premultiplied: "STORE_PREMULTIPLIED"
        case .straight: "STORE_STRAIGHT"
        }
    }
}

/// What a pass's program does with its result beyond rounding: colour stages and dither.
struct OutputStagesVariant: Hashable {
    /// Masks and clips take the image itself.
    var original = false
    /// Something is drawn over it.
    var content = false

    init(_ outputStages: OutputStagesSchedule) {
        original = outputStages.original != nil
        content = !outputStages.content.isEmpty
    }
}

/// The one program of all passes, in its variants.
final class FilterProgram {
    struct Variant: Hashable {
        /// The input's colour has to be multiplied by its alpha.
        var loadsStraight: Bool
        /// It has to be decoded into light.
        var decodes = false
        /// Cells may be read that do not exist.
        var hasEdges: Bool
        /// The device's linear filter is used: ``LinearProgram``.
        var isLinear = false
        /// Both axes are read at once: ``Kernel2DProgram``.
        var isKernel2D = false
        /// Two levels of a blend are mixed: ``BlendProgram``.
        var isBlend = false
        /// What else becomes of the result; nil for nothing.
        var outputStages: OutputStagesVariant?
        /// What is peculiar to images of the host.
        var host = HostVariant()
    }

    /// Where the shader finds its input and its weights.
    static let textureUnit = 0
    static let weightsBinding = 0
    /// The same for what becomes of the result, and for the image itself, masks and content.
    static let outputStagesBinding = 1
    static let originalUnit = 1
    static let maskUnit = 2
    /// And for the upper of two levels.
    static let upperUnit = 4
    static let contentUnit = 3

    private let program: Program
    private let axis: Program.Uniform
    private let outputOrigin: Program.Uniform
    private let inputOrigin: Program.Uniform
    private let range: Program.Uniform
    private let walk: Program.Uniform
    private let tapCount: Program.Uniform
    private let output: OutputUniforms
    private let decoding: DecodingUniforms?

    /// - Parameter weights: the size of the weights' block, a multiple of 4.
    init(
        _ variant: Variant, weights: Int, from programs: inout ProgramStore, in gl: borrowing CurrentContext
    ) throws(GLError) {
        program = try programs.program(
            vertex: ProgramSource.vertex, fragment: ProgramSource.filter(variant, weights: weights), in: gl)
        axis = program.uniform("axis", in: gl)
        outputOrigin = program.uniform("outputOrigin", in: gl)
        inputOrigin = program.uniform("inputOrigin", in: gl)
        range = program.uniform("range", in: gl)
        walk = program.uniform("walk", in: gl)
        tapCount = program.uniform("tapCount", in: gl)
        output = OutputUniforms(program, variant, in: gl)
        decoding = variant.decodes ? DecodingUniforms(program, in: gl) : nil
        try program.bindBlock("Taps", binding: Self.weightsBinding, in: gl)
        try program.use(in: gl)
        try program.set(program.uniform("inputImage", in: gl), Int32(Self.textureUnit), in: gl)
        try Self.connectOutputStages(of: program, variant, in: gl)
    }

    /// Connects the block and samplers of filter.output.glsl, in the program in use.
    static func connectOutputStages(
        of program: borrowing Program, _ variant: Variant, in gl: borrowing CurrentContext
    ) throws(GLError) {
        guard let outputStages = variant.outputStages else { return }
        try program.bindBlock("OutputStages", binding: outputStagesBinding, in: gl)
        if outputStages.content { try program.set(program.uniform("contentImage", in: gl), Int32(contentUnit), in: gl) }
        if outputStages.original {
            try program.set(program.uniform("originalImage", in: gl), Int32(originalUnit), in: gl)
        }
        guard outputStages.original || variant.isBlend else { return }
        try program.set(program.uniform("maskImage", in: gl), Int32(maskUnit), in: gl)
    }

    /// Draws a part of a pass: the output's texels `part` along the axis. Texture and weights have been bound, drawing
    /// into the target has begun.
    func draw(
        _ draw: Draw, part: Range<Int>, decoding curve: TransferFunction?, output how: Output,
        vertexArray: borrowing VertexArray, in gl: borrowing CurrentContext
    ) throws(GLError) {
        try program.use(in: gl)
        try program.set(axis, draw.axis == .x ? SIMD2(1, 0) : SIMD2(0, 1), in: gl)
        try program.set(outputOrigin, draw.outputOrigin &- how.shift, in: gl)
        try program.set(inputOrigin, draw.inputOrigin, in: gl)
        try program.set(range, draw.range, in: gl)
        try program.set(walk, draw.walk, in: gl)
        try program.set(tapCount, Int32(draw.tapCount), in: gl)
        try output.set(how, of: program, in: gl)
        if let curve { try decoding?.set(curve, of: program, in: gl) }
        let (columns, rows) =
            draw.axis == .x ? (part, 0..<draw.window.height) : (0..<draw.window.width, part)
        try how.drawTriangle(columns, rows, vertexArray, in: gl)
    }
}

/// Where a program that reads codes finds what light they stand for.
struct DecodingUniforms {
    private let curve, exponent: Program.Uniform

    init(_ program: borrowing Program, in gl: borrowing CurrentContext) {
        curve = program.uniform("decoding", in: gl)
        exponent = program.uniform("decodingExponent", in: gl)
    }

    func set(
        _ transfer: TransferFunction, of program: borrowing Program, in gl: borrowing CurrentContext
    ) throws(GLError) {
        let scale = 1 / (1 + transfer.offset)
        let numbers = SIMD4(transfer.threshold, 1 / transfer.slope, scale, transfer.offset * scale)
        try program.set(curve, floats: SIMD4<Float>(numbers), in: gl)
        try program.set(exponent, float: Float(transfer.exponent), in: gl)
    }
}

/// GLSL as the driver gets it: the constants that Swift and the shaders share are written here and nowhere else.
enum ProgramSource {
    private static let version = "#version 300 es\n"

    static var vertex: String {
        // SAFETY: a static string that ends in NUL.
        unsafe version + String(cString: frost_shader_fullscreen_vert())
    }

    static func filter(_ variant: FilterProgram.Variant, weights: Int) -> String {
        var constants: [(String, Int)] = [
            ("LOAD_STRAIGHT", variant.loadsStraight ? 1 : 0), ("LOAD_CODE", variant.decodes ? 1 : 0),
            ("EDGES", variant.hasEdges ? 1 : 0), ("LINEAR", variant.isLinear ? 1 : 0),
            ("GATHER", variant.isKernel2D ? 1 : 0), ("BLEND", variant.isBlend ? 1 : 0),
            ("OUTPUT_STAGES", variant.outputStages == nil ? 0 : 1),
            ("ORIGINAL", variant.outputStages?.original == true ? 1 : 0),
            ("CONTENT", variant.outputStages?.content == true ? 1 : 0), ("TAP_VECTORS", weights / 4),
        ]
        if variant.outputStages != nil { constants += OutputStagesBlock.constants }
        constants += EdgeMode.allCases.map { ("EDGE_" + $0.rawValue.uppercased(), Int($0.shaderCode)) }
        constants += Store.allCases.map { ($0.constantName, Int($0.rawValue)) }
        constants += variant.host.constants
        let definitions = constants.map { "#define \($0.0) \($0.1)\n" }.joined()
        // The driver's messages then count lines as the file does.
        // SAFETY: static strings that end in NUL.
        let head = version + variant.host.extensionLine + definitions
        let filter = unsafe head + "#line 1\n" + String(cString: frost_shader_filter_frag())
        guard variant.outputStages != nil else { return filter }
        return unsafe filter + "#line 1\n" + String(cString: frost_shader_filter_output_glsl())
    }

    static func probe(isPattern: Bool) -> String {
        // SAFETY: a static string that ends in NUL.
        unsafe version + "#define PATTERN \(isPattern ? 1 : 0)\n#line 1\n" + String(cString: frost_shader_probe_frag())
    }
}
