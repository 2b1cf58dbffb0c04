import FrostCore

/// Identifies the GPU program for a transition. The numbers of a frame are not part of the key, so all frames of a
/// transition share a program.
package struct TransitionProgramKey: Hashable, Sendable {
    /// The kind's index in ``TransitionCatalog/kinds``.
    var kind: Int
    /// Whether the shader decodes the images' colours by a transfer function, and encodes the result.
    var decodes = false
    /// Whether two textures hold parts of the source.
    var hasSecond = false
    var hasBackside = false
    var hasShading = false

    /// The preprocessor switches of transition.glsl.
    var switches: [(name: String, value: Int)] {
        let flags = [
            ("LOAD_CODE", decodes), ("SECOND", hasSecond), ("BACKSIDE", hasBackside), ("SHADING", hasShading),
        ]
        return [("TRANSITION", kind)] + flags.map { ($0.0, $0.1 ? 1 : 0) }
    }
}

extension ProgramSource {
    /// The enumerations that transition.glsl uses.
    static let transitionLists = [
        SharedList("TRANSITION", TransitionCatalog.kinds) { TransitionCatalog.index(of: $0) },
        SharedList("STORE", OutputEncoding.readBack) { Int($0.rawValue) },
    ]

    /// Returns the source of a shader.
    package static func source(_ key: TransitionProgramKey, _ entry: ShaderEntry, _ limits: DrawLimits) -> ShaderSource
    {
        assemble(
            entry, limits,
            constants: (key.switches + transitionLists.flatMap(\.cases) + TransitionUniforms.sizes).texts,
            ["straight.glsl", "transition.glsl", "transition.kinds.glsl"])
    }
}
