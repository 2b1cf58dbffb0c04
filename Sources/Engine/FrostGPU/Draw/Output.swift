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

/// The position of an output in a larger target.
struct Placement: Hashable {
    /// The column of the output's top left pixel, counted from the target's left edge.
    let x: Int32
    /// The row of the output's top left pixel, counted from the target's top edge.
    let y: Int32
    /// The height of the target in pixels.
    let height: Int32
    /// Whether the target stores rows bottom-up, so that its first row is the bottom row.
    let rises: Bool

    /// The value of the uniform outputPlace of filter.frag, with which the shader converts pixel coordinates in the target
    /// to pixel coordinates in the output. It consists of an offset for x, an offset for y, a factor for x and a factor for
    /// y. The factors are 1 or -1.
    var uniform: SIMD4<Int32> {
        rises ? SIMD4(-x, height - 1 - y, 1, -1) : SIMD4(-x, -y, 1, 1)
    }

    /// Converts columns and rows of the output to columns and rows of the target.
    func place(_ columns: Range<Int>, _ rows: Range<Int>) -> (columns: Range<Int>, rows: Range<Int>) {
        let (left, top) = (Int(x), Int(y))
        let columns = columns.lowerBound + left..<columns.upperBound + left
        guard rises else { return (columns, rows.lowerBound + top..<rows.upperBound + top) }
        let end = Int(height) - top
        return (columns, end - rows.upperBound..<end - rows.lowerBound)
    }
}
