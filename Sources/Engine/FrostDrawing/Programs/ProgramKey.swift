package import FrostCore

/// Identifies the GPU program for a draw. The key contains everything in which the sources of two programs can differ.
///
/// The key has the kinds of output stages but none of their numbers, and no taps except for the filters at full
/// resolution (``UnrolledFilter``). A new sigma or an effect with other numbers therefore seldom requires another
/// program.
package struct ProgramKey: Hashable, Sendable {
    var draw: DrawKind
    var input: Input
    /// Whether the draw may read samples outside the image, so that the shader applies the edge rule. Only draws of
    /// strips along the borders need this more expensive program.
    var hasEdges: Bool
    var result: Result
    var target: Target

    /// How the filtered value is written. Software GL executes every branch of a shader, so each encoding has a program
    /// of its own.
    package enum Result: Hashable, Sendable {
        case encoded(OutputEncoding)
        case outputStages(OutputStages)
    }

    /// The output stages that are applied to the filtered value; nil if the value is written in an ``OutputEncoding``.
    var outputStages: OutputStages? {
        switch result {
        case .encoded: nil
        case .outputStages(let stages): stages
        }
    }

    /// How the shader converts the input's texels to premultiplied linear light.
    package struct Input: Hashable, Sendable {
        var texture: TextureKind
        /// Whether the shader multiplies colour by alpha.
        var premultiplies: Bool
        /// Whether the shader decodes colour by a transfer function.
        var decodes: Bool

        package init(texture: TextureKind = TextureKind(), premultiplies: Bool = false, decodes: Bool = false) {
            self.texture = texture
            self.premultiplies = premultiplies
            self.decodes = decodes
        }
    }

    /// Describes in which ways a texture may differ from the pipeline's own textures. Only textures of the host can
    /// differ.
    package struct TextureKind: Hashable, Sendable {
        /// Whether the texture's target is GL_TEXTURE_EXTERNAL_OES.
        let isExternal: Bool
        /// How the texture stores the image.
        let order: TexelOrder
        /// Whether alpha counts as 1, whatever the texture stores.
        let isOpaque: Bool

        package init(isExternal: Bool = false, order: TexelOrder = .upright, isOpaque: Bool = false) {
            self.isExternal = isExternal
            self.order = order
            self.isOpaque = isOpaque
        }
    }

    /// How a texture stores an image, apart from the numbers of a ``PixelMap``.
    package enum TexelOrder: Hashable, Sendable {
        /// The first texel is the image's top left pixel, and rows are rows.
        case upright
        /// Rows, columns or both begin at the other end.
        case mirrored
        /// Rows are stored as columns.
        case swapped

        package init(_ map: PixelMap) { self = map.swaps ? .swapped : map.keepsAxes ? .upright : .mirrored }
    }

    /// The position of the output in the draw's target.
    package enum Target: Hashable, Sendable {
        /// The output has the same pixel coordinates as the target, apart from a shift. Other uniforms already include
        /// this shift.
        case aligned
        /// The output lies at a ``TargetPlacement`` in a larger target, or in a target that stores it mirrored or turned.
        case placed
        /// The target also stores rows as columns.
        case swapped
    }
}

extension ProgramKey {
    /// Creates the key for the parts of a draw that need no edge rule. See ``of(_:)`` for the others.
    ///
    /// - Parameter placement: the position of the output in the draw's target; nil if the output covers the whole
    ///   target.
    package init(_ kind: DrawKind, input: Input, result: Result, placement: TargetPlacement?) {
        self.init(
            draw: kind, input: input, hasEdges: false, result: result,
            target: placement.map { Target($0, result) } ?? .aligned)
    }

    /// Returns the key for a part of the draw.
    package func of(_ part: DrawPart) -> ProgramKey {
        var key = self
        if part.hasEdges { (key.draw, key.hasEdges) = (draw.alongEdges, true) }
        return key
    }

    /// The key of the program that computes the same bits by a loop over the taps, and also serves other filters; nil for
    /// programs without an unrolled filter.
    package var withLoop: ProgramKey? {
        guard draw.filter != nil else { return nil }
        var key = self
        (key.draw, key.hasEdges) = (.pass, true)
        return key
    }
}

extension ProgramKey.Target {
    /// Chooses how a program finds the output in a larger target. If possible, the output's position is expressed by
    /// shifting the uniform outputOrigin, so that no separate program with the uniform outputPlace is needed. This
    /// works on two conditions. There must be no output stages, because only then the program uses a pixel's position
    /// solely relative to outputOrigin. And the target must store the output upright.
    package init(_ placement: TargetPlacement, _ result: ProgramKey.Result) {
        switch (placement.order, result) {
        case (.upright, .encoded): self = .aligned
        case (.upright, .outputStages), (.mirrored, _): self = .placed
        case (.swapped, _): self = .swapped
        }
    }
}

extension ProgramKey {
    /// The uniform blocks that the program declares.
    package var blocks: [UniformBlock] {
        (draw.readsTaps ? [.taps] : []) + (outputStages == nil ? [] : [.outputStages])
    }

    /// The line that enables the GL extension for external textures. GLSL requires it at the start of a shader.
    var extensionLine: String {
        input.texture.isExternal || outputStages?.original?.isExternal == true ? ProgramSource.externalExtension : ""
    }

    /// The preprocessor switches of filter.glsl and filter.output.glsl.
    var switches: [(name: String, value: Int)] {
        let original = outputStages?.original
        let store: OutputEncoding =
            switch result {
            case .encoded(let encoding): encoding
            case .outputStages: .value
            }
        let flags: [(String, Bool)] = [
            ("LOAD_STRAIGHT", input.premultiplies), ("LOAD_CODE", input.decodes), ("EDGES", hasEdges),
            ("OUTPUT_STAGES", outputStages != nil), ("ORIGINAL", original != nil),
            ("ORIGINAL_EDGES", outputStages?.originalHasEdges == true),
            ("CONTENT", outputStages?.hasContent == true), ("CLIP_IMAGE", outputStages?.clipsByImage == true),
            ("EDGE", outputStages?.hasEdgeLight == true), ("CURVES", outputStages?.hasCurves == true),
            ("INPUT_EXTERNAL", input.texture.isExternal),
            ("ORIGINAL_EXTERNAL", original?.isExternal == true), ("INPUT_TURNED", input.texture.order != .upright),
            ("INPUT_SWAPS", input.texture.order == .swapped),
            ("ORIGINAL_TURNED", original.map { $0.order != .upright } == true),
            ("ORIGINAL_SWAPS", original?.order == .swapped), ("INPUT_OPAQUE", input.texture.isOpaque),
            ("ORIGINAL_OPAQUE", original?.isOpaque == true), ("PLACED", target != .aligned),
            ("OUTPUT_SWAPS", target == .swapped),
            ("SAMPLED", draw.filter?.readsIntermediate == true), ("BLENDS", draw == .blend), ("WHOLE", draw.isWhole),
        ]
        return [("STORE", Int(store.rawValue))] + flags.map { ($0.0, $0.1 ? 1 : 0) }
    }
}

/// How a program without output stages writes its result. The values are the shader's constants STORE_….
package enum OutputEncoding: Int32, CaseIterable, Sendable {
    /// Writes values as computed, without rounding.
    case value
    /// Writes premultiplied colour, rounded to 8 bits.
    case premultiplied
    /// Writes straight colour: divided by the rounded alpha, and rounded to 8 bits.
    case straight
    /// Writes premultiplied colour, rounded to floats of 16 bits. Without this, some drivers would truncate.
    case halves
    /// Writes straight colour: divided by the rounded alpha, and rounded to floats of 16 bits.
    case dividedHalves

    /// The encodings of results that are read back.
    package static let readBack: [OutputEncoding] = [.value, .premultiplied, .straight]

    /// The encoding for a result that is read back. Colour of more than 8 bits is divided by alpha after it was read.
    package init(readBack format: PixelFormat) {
        guard format.sample.isEightBit else {
            self = .value
            return
        }
        self = format.needsPremultiplication ? .straight : .premultiplied
    }

    /// The encoding for a result in a texture or framebuffer of the host.
    package init(surface format: PixelFormat) {
        let isStraight = format.needsPremultiplication
        if format.sample.isEightBit {
            self = isStraight ? .straight : .premultiplied
        } else {
            self = isStraight ? .dividedHalves : .halves
        }
    }
}

extension ProgramSource {
    /// The enumerations that filter.glsl uses.
    static let filterLists = [
        SharedList("EDGE", EdgeMode.ofShaders) { Int($0.shaderCode) },
        SharedList("STORE", OutputEncoding.self) { Int($0.rawValue) },
        SharedList("GAUGE", GaugeKind.self) { Int($0.rawValue) },
        SharedList("LENS", Lens.Profile.self) { $0.shaderCode },
    ]

    /// Returns the source of a shader.
    package static func source(_ key: ProgramKey, _ entry: ShaderEntry, _ limits: DrawLimits) -> ShaderSource {
        var constants: [(name: String, value: Int)] =
            key.switches + filterLists.flatMap(\.cases) + EdgeRule.shaderFlags
            + [("TAP_VECTORS", limits.weights / 4)] + commonConstants
        var files = ["common.glsl", "straight.glsl", "filter.glsl"] + key.draw.files
        if key.outputStages != nil {
            constants += outputStagesLists.flatMap(\.cases) + OutputStagesUniforms.sizes
            if key.outputStages?.hasEdgeLight == true, !files.contains(DrawKind.shapes) {
                files.append(DrawKind.shapes)
            }
            files += ["filter.corners.glsl", "filter.output.glsl"]
        }
        return assemble(
            entry, limits, extensionLine: key.extensionLine,
            constants: constants.texts + (key.draw.filter?.definitions ?? []) + (key.outputStages?.definitions ?? []),
            files)
    }
}
