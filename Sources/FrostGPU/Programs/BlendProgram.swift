import FrostGLES

/// The program that mixes two levels of a blend, in its variants.
final class BlendProgram {
    private let program: Program
    private let levelOrigins, levelSizes, levelShares, shareBounds: Program.Uniform
    private let output: OutputUniforms

    init(
        _ variant: FilterProgram.Variant, weights: Int, from programs: inout ProgramStore,
        in gl: borrowing CurrentContext
    ) throws(GLError) {
        program = try programs.program(
            vertex: ProgramSource.vertex, fragment: ProgramSource.filter(variant, weights: weights), in: gl)
        levelOrigins = program.uniform("levelOrigins", in: gl)
        levelSizes = program.uniform("levelSizes", in: gl)
        levelShares = program.uniform("levelShares", in: gl)
        shareBounds = program.uniform("shareBounds", in: gl)
        output = OutputUniforms(program, variant, in: gl)
        try program.use(in: gl)
        try program.set(program.uniform("inputImage", in: gl), Int32(FilterProgram.textureUnit), in: gl)
        try program.set(program.uniform("upperImage", in: gl), Int32(FilterProgram.upperUnit), in: gl)
        try FilterProgram.connectOutputStages(of: program, variant, in: gl)
    }

    /// Draws the pixels of a span. The levels have been bound, drawing into the target has begun.
    func draw(
        _ draw: SpanDraw, output how: Output, vertexArray: borrowing VertexArray, in gl: borrowing CurrentContext
    ) throws(GLError) {
        try program.use(in: gl)
        try program.set(levelOrigins, draw.origins, in: gl)
        try program.set(levelSizes, draw.sizes, in: gl)
        try program.set(levelShares, floats: draw.shares, in: gl)
        try program.set(shareBounds, floats: draw.bounds, in: gl)
        try output.set(how, of: program, in: gl)
        try how.drawTriangle(draw.columns, draw.rows, vertexArray, in: gl)
    }
}
