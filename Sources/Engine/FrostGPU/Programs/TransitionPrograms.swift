import FrostDrawing
import FrostGLES

/// A linked program of a transition, connected to its textures and its uniform block. Used only on the context's thread.
private final class TransitionProgram {
    let program: Program

    init(
        _ key: TransitionProgramKey, from binaries: inout ProgramBinaries, in gl: borrowing CurrentContext
    ) throws(GLError) {
        program = try binaries.program(vertex: ProgramSource.vertex, fragment: ProgramSource.fragment(key), in: gl)
        try program.bindBlock(TransitionUniforms.blockName, binding: TransitionUniforms.binding, in: gl)
        try program.use(in: gl)
        for texture in TransitionTexture.allCases {
            try program.set(program.uniform("\(texture)", in: gl), Int32(texture.rawValue), in: gl)
        }
    }
}

/// The transition programs of a pipeline. Each program is loaded or compiled when it is used for the first time. Used only
/// on the context's thread.
struct TransitionPrograms {
    private var programs: [TransitionProgramKey: TransitionProgram] = [:]

    /// Makes a program current for the following draws.
    mutating func use(
        _ key: TransitionProgramKey, from binaries: inout ProgramBinaries, in gl: borrowing CurrentContext
    ) throws(GLError) {
        if let program = programs[key] { return try program.program.use(in: gl) }
        let program = try TransitionProgram(key, from: &binaries, in: gl)
        programs[key] = program
        try program.program.use(in: gl)
    }
}
