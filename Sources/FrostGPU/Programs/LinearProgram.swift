import FrostCore
import FrostGLES

/// The program of passes that use the device's linear filter, in its variants.
final class LinearProgram {
    private let program: Program
    private let texelSize, bias, outputOrigin, inputOrigin, rangeX, rangeY, walkX, walkY: Program.Uniform
    private let fetchCount, fetchesAt: Program.Uniform
    private let output: OutputUniforms
    private let hasEdges: Bool

    /// - Parameter weights: the size of the weights' block, a multiple of 4.
    init(
        _ variant: FilterProgram.Variant, weights: Int, from programs: inout ProgramStore,
        in gl: borrowing CurrentContext
    ) throws(GLError) {
        hasEdges = variant.hasEdges
        program = try programs.program(
            vertex: ProgramSource.vertex, fragment: ProgramSource.filter(variant, weights: weights), in: gl)
        texelSize = program.uniform("texelSize", in: gl)
        bias = program.uniform("bias", in: gl)
        outputOrigin = program.uniform("outputOrigin", in: gl)
        inputOrigin = program.uniform("inputOrigin", in: gl)
        rangeX = program.uniform("rangeX", in: gl)
        rangeY = program.uniform("rangeY", in: gl)
        walkX = program.uniform("walkX", in: gl)
        walkY = program.uniform("walkY", in: gl)
        fetchCount = program.uniform("fetchCount", in: gl)
        fetchesAt = program.uniform("fetchesAt", in: gl)
        output = OutputUniforms(program, variant, in: gl)
        try program.bindBlock("Taps", binding: FilterProgram.weightsBinding, in: gl)
        try program.use(in: gl)
        try program.set(program.uniform("inputImage", in: gl), Int32(FilterProgram.textureUnit), in: gl)
        try FilterProgram.connectOutputStages(of: program, variant, in: gl)
    }

    /// Draws a part of the output. Texture, sampler and fetches have been bound, drawing into the target has begun.
    func draw(
        _ draw: LinearDraw, columns: Range<Int>, rows: Range<Int>, input: (width: Int, height: Int),
        bias: SIMD2<Float>, output how: Output, vertexArray: borrowing VertexArray, in gl: borrowing CurrentContext
    ) throws(GLError) {
        let (x, y) = (draw.x, draw.y)
        let (fetchesX, fetchesY) = hasEdges ? (x.singles, y.singles) : (x.pairs, y.pairs)
        // In the block's order: see DrawList.
        let before = hasEdges ? x.pairs.values.count + y.pairs.values.count : 0
        let starts = SIMD2(Int32(before), Int32(before + fetchesX.values.count))
        try program.use(in: gl)
        try program.set(texelSize, floats: SIMD2(1 / Float(input.width), 1 / Float(input.height)), in: gl)
        try program.set(self.bias, floats: bias, in: gl)
        try program.set(outputOrigin, SIMD2(x.outputOrigin, y.outputOrigin) &- how.shift, in: gl)
        try program.set(inputOrigin, SIMD2(x.inputOrigin, y.inputOrigin), in: gl)
        try program.set(rangeX, x.range, in: gl)
        try program.set(rangeY, y.range, in: gl)
        try program.set(walkX, x.walk, in: gl)
        try program.set(walkY, y.walk, in: gl)
        try program.set(fetchCount, SIMD2(Int32(fetchesX.count), Int32(fetchesY.count)), in: gl)
        try program.set(fetchesAt, starts, in: gl)
        try output.set(how, of: program, in: gl)
        try how.drawTriangle(columns, rows, vertexArray, in: gl)
    }
}
