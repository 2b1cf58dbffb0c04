import FrostCore
import FrostGLES
import FrostShaders

/// Identifies the GPU program for a transition. The numbers of a frame are not part of the key, so all frames of a
/// transition share a program.
struct TransitionProgramKey: Hashable {
    /// The kind's index in ``TransitionCatalog/kinds``.
    var kind: Int
    /// Whether the shader decodes the images' colours by a transfer function, and encodes the result.
    var decodes = false
    var hasBackside = false
    var hasShading = false

    /// The preprocessor switches of transition.frag.
    var switches: [(name: String, value: Int)] {
        let flags: [(String, Bool)] = [("LOAD_CODE", decodes), ("BACKSIDE", hasBackside), ("SHADING", hasShading)]
        return [("TRANSITION", kind)] + flags.map { ($0.0, $0.1 ? 1 : 0) }
    }
}

extension ProgramSource {
    /// The enumerations that transition.frag uses.
    static let transitionLists = [
        SharedList("TRANSITION", TransitionCatalog.kinds) { TransitionCatalog.index(of: $0) },
        SharedList("STORE", OutputEncoding.readBack) { Int($0.rawValue) },
    ]

    /// The text of transition.frag, without the definitions in front.
    static var transition: String {
        // SAFETY: the function returns a static string that ends in NUL.
        unsafe String(cString: frost_shader_transition_frag())
    }

    /// The text of transition.kinds.glsl, without the definitions in front.
    static var transitionKinds: String {
        // SAFETY: the function returns a static string that ends in NUL.
        unsafe String(cString: frost_shader_transition_kinds_glsl())
    }

    /// Returns the source of a fragment shader.
    static func fragment(_ key: TransitionProgramKey) -> String {
        assemble(
            constants: (key.switches + transitionLists.flatMap(\.cases) + TransitionUniforms.sizes).texts,
            [transition, transitionKinds])
    }
}

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
