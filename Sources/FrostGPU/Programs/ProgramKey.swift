/// Which GPU program a draw needs: everything that makes one program's source differ from another's.
///
/// How the result is encoded is not among it: ``OutputEncoding`` is a uniform, since one more program for the last pass
/// of every blur would cost more than the branch. Neither are taps, colour stages and masks, so that no effect and no
/// sigma compiles a program of its own.
struct ProgramKey: Hashable {
    var draw: DrawKind
    var input: Input
    /// Whether samples outside the image may be read. Only strips along the borders pay for the edge rule.
    var hasEdges: Bool
    /// What is done to the filtered value; nil if it is only written, in an ``OutputEncoding``.
    var outputStages: OutputStages?
    var target: Target

    /// How texels of the input become premultiplied light.
    struct Input: Hashable {
        var texture = TextureKind()
        /// Colour is multiplied by alpha.
        var premultiplies = false
        /// Colour is decoded by a transfer function.
        var decodes = false
    }

    /// What a texture of the host may differ in from the pipeline's own.
    struct TextureKind: Hashable {
        /// It is of GL_TEXTURE_EXTERNAL_OES.
        var isExternal = false
        /// Its first row is the image's lowest.
        var rises = false
    }

    /// Which parts of the output stages' shader are needed.
    struct OutputStages: Hashable {
        /// What masks and clips show in place of the effect; nil if nothing does.
        var original: TextureKind?
        /// Something is drawn over the result.
        var hasContent: Bool
    }

    /// Where the output lies.
    enum Target: Hashable {
        /// Its texels are the target's, but for a shift that other uniforms include.
        case aligned
        /// At a ``Placement`` in a larger target, or in one whose rows rise.
        case placed
    }
}

/// The kinds of draws: the values of the shader's constant DRAW. Each has a branch in filter.frag.
enum DrawKind: Int, CaseIterable {
    /// One separable pass along one axis, texel by texel.
    case pass
    /// One or two passes by the device's linear filter.
    case linear
    /// A 2-D kernel made of runs of pixels.
    case runs
    /// A 2-D kernel along lines to a centre.
    case zoom
    /// Two levels of a blend, mixed by its mask.
    case blend

    /// Whether the program reads the uniform block Taps.
    var readsTaps: Bool {
        switch self {
        case .pass, .linear, .runs: true
        case .zoom, .blend: false
        }
    }

    /// Whether the input is read through the device's linear filter.
    var usesLinearFilter: Bool {
        switch self {
        case .linear: true
        case .pass, .runs, .zoom, .blend: false
        }
    }
}

extension ProgramKey {
    /// The uniform blocks that the program has.
    var blocks: [UniformBlock] { (draw.readsTaps ? [.taps] : []) + (outputStages == nil ? [] : [.outputStages]) }

    /// The GL extension that external textures need; it stands before everything else in a shader.
    var extensionLine: String {
        input.texture.isExternal || outputStages?.original?.isExternal == true
            ? "#extension GL_OES_EGL_image_external_essl3 : require\n" : ""
    }

    /// The switches of filter.frag and filter.output.glsl.
    var switches: [(name: String, value: Int)] {
        let original = outputStages?.original
        let flags: [(String, Bool)] = [
            ("LOAD_STRAIGHT", input.premultiplies), ("LOAD_CODE", input.decodes), ("EDGES", hasEdges),
            ("OUTPUT_STAGES", outputStages != nil), ("ORIGINAL", original != nil),
            ("CONTENT", outputStages?.hasContent == true), ("INPUT_EXTERNAL", input.texture.isExternal),
            ("ORIGINAL_EXTERNAL", original?.isExternal == true), ("INPUT_RISES", input.texture.rises),
            ("ORIGINAL_RISES", original?.rises == true), ("PLACED", target == .placed),
        ]
        return [("DRAW", draw.rawValue)] + flags.map { ($0.0, $0.1 ? 1 : 0) }
    }
}
