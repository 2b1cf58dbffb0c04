/// Identifies the GPU program for a draw. The key contains everything in which the sources of two programs can differ.
///
/// The encoding of the result is not part of the key. ``OutputEncoding`` is a uniform instead, because an additional program
/// for the last pass of every blur would cost more than a branch in the shader. Taps, colour stages and masks are not part
/// of the key either. A new effect or a new sigma therefore does not require another program.
struct ProgramKey: Hashable {
    var draw: DrawKind
    var input: Input
    /// Whether the draw may read samples outside the image, so that the shader applies the edge rule. Only draws of strips
    /// along the borders need this more expensive program.
    var hasEdges: Bool
    /// The output stages that are applied to the filtered value; nil if the value is written without output stages, in an
    /// ``OutputEncoding``.
    var outputStages: OutputStages?
    var target: Target

    /// How the shader converts the input's texels to premultiplied linear light.
    struct Input: Hashable {
        var texture = TextureKind()
        /// Whether the shader multiplies colour by alpha.
        var premultiplies = false
        /// Whether the shader decodes colour by a transfer function.
        var decodes = false
    }

    /// Describes in which ways a texture may differ from the pipeline's own textures. Only textures of the host can differ.
    struct TextureKind: Hashable {
        /// Whether the texture's target is GL_TEXTURE_EXTERNAL_OES.
        var isExternal = false
        /// Whether the texture stores rows bottom-up, so that its first row is the bottom row of the image.
        var rises = false
    }

    /// The parts of the output stages' shader that a draw needs.
    struct OutputStages: Hashable {
        /// The texture with the original pixels, which masks and clips show instead of the effect; nil if no original pixel
        /// is shown.
        var original: TextureKind?
        /// Whether content layers are drawn over the result.
        var hasContent: Bool
    }

    /// The position of the output in the draw's target.
    enum Target: Hashable {
        /// The output has the same pixel coordinates as the target, apart from a shift. Other uniforms already include this
        /// shift.
        case aligned
        /// The output lies at a ``Placement`` in a larger target, or in a target with rows stored bottom-up.
        case placed
    }
}

/// The kinds of draws. Their values are those of the shader's constant DRAW, and each kind has a branch in filter.frag.
enum DrawKind: Int, CaseIterable {
    /// One separable pass along one axis, which fetches single texels.
    case pass
    /// One or two passes that use the device's linear filter.
    case linear
    /// A 2-D kernel that consists of horizontal runs of pixels.
    case runs
    /// A 2-D kernel that blurs along lines through a centre.
    case zoom
    /// A mixture of two levels of a blend, controlled by the blend's mask.
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
    /// Creates the key for the parts of a draw that need no edge rule.
    ///
    /// - Parameters:
    ///   - outputStages: the output stages that the draw applies; nil if it applies none.
    ///   - source: the texture with the original pixels, for output stages that read them.
    ///   - placement: the position of the output in the draw's target; nil if the output covers the whole target.
    init(
        _ kind: DrawKind, input: Input, outputStages stages: PreparedOutputStages?, source: TextureKind,
        placement: Placement?
    ) {
        self.init(
            draw: kind, input: input, hasEdges: false,
            outputStages: stages.map {
                OutputStages(original: $0.original == nil ? nil : source, hasContent: !$0.content.isEmpty)
            },
            target: placement.map { Target($0, outputStages: stages) } ?? .aligned)
    }
}

extension ProgramKey.Target {
    /// Chooses how a program finds the output in a larger target. If possible, the output's position is expressed by shifting
    /// the uniform outputOrigin, so that no separate program with the uniform outputPlace is needed. This works on two
    /// conditions. There must be no output stages, because only then the program uses a pixel's position solely relative to
    /// outputOrigin. And the target must store its rows top-down.
    init(_ placement: Placement, outputStages: PreparedOutputStages?) {
        self = outputStages == nil && !placement.rises ? .aligned : .placed
    }
}

extension ProgramKey {
    /// The uniform blocks that the program declares.
    var blocks: [UniformBlock] { (draw.readsTaps ? [.taps] : []) + (outputStages == nil ? [] : [.outputStages]) }

    /// The line that enables the GL extension for external textures. GLSL requires it at the start of a shader.
    var extensionLine: String {
        input.texture.isExternal || outputStages?.original?.isExternal == true
            ? "#extension GL_OES_EGL_image_external_essl3 : require\n" : ""
    }

    /// The preprocessor switches of filter.frag and filter.output.glsl.
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
