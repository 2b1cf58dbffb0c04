import FrostDrawing
import FrostGLES

/// A linked program of a conversion. Used only on the context's thread.
private final class ConversionProgram {
    let program: Program
    /// The location of each uniform, indexed by ``ConversionUniform``.
    private let places: [Program.Uniform]

    init(
        _ key: ConversionKey, from binaries: inout ProgramBinaries, in gl: borrowing CurrentContext
    ) throws(GLError) {
        program = try binaries.program(vertex: ProgramSource.vertex, fragment: ProgramSource.fragment(key), in: gl)
        var places: [Program.Uniform] = []
        for uniform in ConversionUniform.allCases { places.append(program.uniform("\(uniform)", in: gl)) }
        self.places = places
        try program.use(in: gl)
        let unit = TextureUnit.inputImage
        try program.set(program.uniform("\(unit)", in: gl), Int32(unit.rawValue), in: gl)
    }

    func use(_ draw: ConversionDraw, in gl: borrowing CurrentContext) throws(GLError) {
        try program.use(in: gl)
        for (uniform, value) in draw.integers { try program.set(places[uniform.rawValue], value, in: gl) }
        for (uniform, value) in draw.floats { try program.set(places[uniform.rawValue], floats: value, in: gl) }
    }
}

/// The conversion programs of a pipeline. Each program is loaded or compiled when it is used for the first time. Used
/// only on the context's thread.
struct ConversionPrograms {
    private var programs: [ConversionKey: ConversionProgram] = [:]

    /// Loads or compiles a program that is missing.
    mutating func prepare(
        _ key: ConversionKey, from binaries: inout ProgramBinaries, in gl: borrowing CurrentContext
    ) throws(GLError) {
        _ = try program(key, from: &binaries, in: gl)
    }

    private mutating func program(
        _ key: ConversionKey, from binaries: inout ProgramBinaries, in gl: borrowing CurrentContext
    ) throws(GLError) -> ConversionProgram {
        if let program = programs[key] { return program }
        let program = try ConversionProgram(key, from: &binaries, in: gl)
        programs[key] = program
        return program
    }

    /// Makes a program current for the following draws, and sets its uniforms.
    mutating func use(
        _ draw: ConversionDraw, from binaries: inout ProgramBinaries, in gl: borrowing CurrentContext
    ) throws(GLError) {
        try program(draw.key, from: &binaries, in: gl).use(draw, in: gl)
    }

    /// Calls `body` with each program and the source of its fragment shader.
    func forEach(_ body: (borrowing Program, String) throws(GLError) -> Void) throws(GLError) {
        for (key, program) in programs { try body(program.program, ProgramSource.fragment(key)) }
    }
}
