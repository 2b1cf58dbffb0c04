import FrostCore
import FrostDrawing
import FrostGLES

/// The texture that a draw reads.
enum DrawInput {
    /// A texture of the pipeline's pool.
    case own(Target)
    case host(HostImage)

    func bind(unit: TextureUnit, in gl: borrowing CurrentContext) throws(GLError) {
        switch self {
        case .own(let target): try target.bind(unit: unit, in: gl)
        case .host(let image): try image.texture.bind(unit: unit.rawValue, in: gl)
        }
    }

    /// The properties of the texture that determine the shader program.
    var kind: ProgramKey.TextureKind {
        switch self {
        case .own: ProgramKey.TextureKind()
        case .host(let image): image.kind
        }
    }
}

/// The surface that a draw writes.
enum DrawTarget {
    /// A texture from the pipeline's pool. The output covers the whole image that the texture holds.
    case own(Target)
    /// A texture from the pipeline's pool. The output covers a part of the image that the texture holds.
    case part(Target, x: Int, y: Int)
    /// A surface of the host, and the format in which compute shaders can store to it; nil if they cannot.
    case host(HostTarget, stored: TextureFormat?)

    /// The format in which compute shaders could store to the surface, if the context has them.
    var format: TextureFormat? {
        switch self {
        case .own(let target), .part(let target, _, _): target.texture.format
        case .host(_, let stored): stored
        }
    }

    /// The position of the output in the surface; nil if the output begins at the surface's first pixel.
    var placement: TargetPlacement? {
        switch self {
        case .own: nil
        case .part(let target, let x, let y):
            TargetPlacement(x: x, y: y, on: PixelMap(.normal, width: target.width, height: target.height))
        case .host(let target, _): target.placement
        }
    }
}

/// The target of a draw, and how the draw's values are written.
struct Output {
    let target: DrawTarget
    let result: Result

    /// How a draw's values are written.
    enum Result {
        case encoded(OutputEncoding)
        /// The output stages are applied to the values before the values are written. `source` is the source image, which
        /// some stages read.
        case outputStages(PreparedOutputStages, OutputStagesEncoding, source: DrawInput?)

        var hasStages: Bool {
            switch self {
            case .encoded: false
            case .outputStages: true
            }
        }

        /// The part of a program's key.
        var key: ProgramKey.Result {
            switch self {
            case .encoded(let encoding): .encoded(encoding)
            case .outputStages(let stages, let encoding, let source):
                .outputStages(
                    ProgramKey.OutputStages(stages, encoding, source: source?.kind ?? ProgramKey.TextureKind()))
            }
        }
    }

    /// Whether the output's position in the target is expressed by shifting the uniform outputOrigin.
    private var isShifted: Bool {
        guard let placement = target.placement else { return false }
        return ProgramKey.Target(placement, result.key) == .aligned
    }

    /// The offset in pixels to subtract from the uniform outputOrigin.
    var shift: SIMD2<Int32> {
        guard isShifted, let placement = target.placement else { return .zero }
        return SIMD2(placement.x, placement.y)
    }

    /// Returns the uniforms that all draws to this output share.
    ///
    /// - Parameter sourceMap: the map from the pixels of the host's image to the texels of its texture; nil if the source is
    ///   not an image of the host.
    func uniforms(sourceMap: PixelMap?) -> UniformValues {
        var values: UniformValues = []
        if let sourceMap { values.append((.imagePlace, .int4(sourceMap.uniform))) }
        if let placement = target.placement { values.append((.outputPlace, .int4(placement.uniform))) }
        return values
    }

    /// Returns the key of a draw's program.
    func key(_ kind: DrawKind, input: ProgramKey.Input) -> ProgramKey {
        ProgramKey(kind, input: input, result: result.key, placement: target.placement)
    }
}

extension TextureFormat {
    /// The format in the shading language.
    var stored: StoredFormat {
        switch self {
        case .rgba8: .rgba8
        case .rgba16: .rgba16
        case .rgba16F: .rgba16f
        case .rgba32F: .rgba32f
        case .rgb10A2: .rgb10_a2
        }
    }
}
