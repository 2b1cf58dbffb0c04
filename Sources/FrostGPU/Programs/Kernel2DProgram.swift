import FrostCore
import FrostGLES

/// The program of 2-D kernels, in its variants.
final class Kernel2DProgram {
    private let program: Program
    private let outputOrigin, inputOrigin, rangeX, rangeY, runCount, centre, centrePart, reaches: Program.Uniform
    private let output: OutputUniforms
    private let decoding: DecodingUniforms?

    /// - Parameter weights: the size of the weights' block, a multiple of 4.
    init(
        _ variant: FilterProgram.Variant, weights: Int, from programs: inout ProgramStore,
        in gl: borrowing CurrentContext
    ) throws(GLError) {
        program = try programs.program(
            vertex: ProgramSource.vertex, fragment: ProgramSource.filter(variant, weights: weights), in: gl)
        outputOrigin = program.uniform("outputOrigin", in: gl)
        inputOrigin = program.uniform("inputOrigin", in: gl)
        rangeX = program.uniform("rangeX", in: gl)
        rangeY = program.uniform("rangeY", in: gl)
        runCount = program.uniform("runCount", in: gl)
        centre = program.uniform("centre", in: gl)
        centrePart = program.uniform("centrePart", in: gl)
        reaches = program.uniform("reaches", in: gl)
        output = OutputUniforms(program, variant, in: gl)
        decoding = variant.decodes ? DecodingUniforms(program, in: gl) : nil
        try program.bindBlock("Taps", binding: FilterProgram.weightsBinding, in: gl)
        try program.use(in: gl)
        try program.set(program.uniform("inputImage", in: gl), Int32(FilterProgram.textureUnit), in: gl)
        try FilterProgram.connectOutputStages(of: program, variant, in: gl)
    }

    /// Draws a part of the output. Texture and weights have been bound, drawing into the target has begun.
    func draw(
        _ draw: Kernel2DDraw, columns: Range<Int>, rows: Range<Int>, decoding curve: TransferFunction?,
        output how: Output, vertexArray: borrowing VertexArray, in gl: borrowing CurrentContext
    ) throws(GLError) {
        try program.use(in: gl)
        try program.set(outputOrigin, SIMD2<Int32>(0, 0) &- how.shift, in: gl)
        try program.set(inputOrigin, draw.inputOrigin, in: gl)
        try program.set(rangeX, draw.rangeX, in: gl)
        try program.set(rangeY, draw.rangeY, in: gl)
        try program.set(runCount, Int32(draw.runCount), in: gl)
        try program.set(centre, draw.centre, in: gl)
        try program.set(centrePart, floats: draw.centrePart, in: gl)
        try program.set(reaches, floats: draw.reaches, in: gl)
        try output.set(how, of: program, in: gl)
        if let curve { try decoding?.set(curve, of: program, in: gl) }
        try how.drawTriangle(columns, rows, vertexArray, in: gl)
    }
}
