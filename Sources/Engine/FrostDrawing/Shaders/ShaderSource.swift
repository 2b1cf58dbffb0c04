/// How a shader receives its pixels and gives back their results: see entry.glsl.
package enum ShaderEntry: Hashable, Sendable {
    /// The shader computes the fragments of a triangle, which a framebuffer receives.
    case fragment
    /// The shader computes the invocations of a dispatch, and stores their results to a texture of the format.
    case compute(StoredFormat)
}

/// The formats of textures to which compute shaders can store. The names are those of GLSL.
package enum StoredFormat: String, CaseIterable, Sendable {
    case rgba8, rgba16, rgba16f, rgba32f, rgb10_a2

    /// Whether GLSL ES 3.10 has the format only with GL_NV_image_formats.
    var needsExtension: Bool {
        switch self {
        case .rgba8, .rgba16f, .rgba32f: false
        case .rgba16, .rgb10_a2: true
        }
    }
}

/// The complete source of a shader.
package struct ShaderSource: Hashable, Sendable {
    package let stage: Stage
    package let text: String

    package enum Stage: Hashable, Sendable {
        /// A fragment shader, which is linked with ``ProgramSource/vertex``.
        case fragment
        case compute
    }
}
