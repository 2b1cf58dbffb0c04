import FrostDrawing
import FrostGLES

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
    /// - Parameter topRow: the index of the texel row that holds the top row of the host's image, if the rows are stored
    ///   bottom-up; nil if the source is not an image of the host.
    func uniforms(topRow: Int32?) -> UniformValues {
        var values: UniformValues = []
        if let topRow { values.append((.topRow, .int(topRow))) }
        if let placement = target.placement { values.append((.outputPlace, .int4(placement.uniform))) }
        return values
    }

    /// Returns the key of a draw's program.
    func key(_ kind: DrawKind, input: ProgramKey.Input) -> ProgramKey {
        ProgramKey(kind, input: input, result: result.key, placement: target.placement)
    }
}
