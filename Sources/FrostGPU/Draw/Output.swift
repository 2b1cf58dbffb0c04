import FrostGLES

/// The target of a draw, and how the draw's values are written.
struct Output {
    let target: DrawTarget
    let result: Result

    /// How a draw's values are written.
    enum Result {
        case encoded(OutputEncoding)
        /// Output stages are applied. `source` is the source image, for stages that read it.
        case outputStages(PreparedOutputStages, source: DrawInput?)
    }

    /// Whether a shifted origin replaces the uniform for placed outputs. Without output stages, a program uses a pixel's
    /// position only relative to the uniform outputOrigin. If the target's rows are stored top-down, shifting this origin is
    /// enough, and no separate program is needed.
    private var isShifted: Bool {
        guard let placement = target.placement, !placement.rises else { return false }
        switch result {
        case .encoded: return true
        case .outputStages: return false
        }
    }

    /// The offset in pixels to subtract from the uniform outputOrigin.
    var shift: SIMD2<Int32> {
        guard isShifted, let placement = target.placement else { return .zero }
        return SIMD2(placement.x, placement.y)
    }

    /// Returns the uniforms that all draws to this output share.
    ///
    /// - Parameter topRow: the texel row of the top row of the host's image; nil without a host image.
    func uniforms(topRow: Int32?) -> UniformValues {
        var values: UniformValues = []
        if let topRow { values.append((.topRow, .int(topRow))) }
        switch result {
        case .encoded(let encoding): values.append((.store, .int(encoding.rawValue)))
        case .outputStages: break
        }
        if let placement = target.placement { values.append((.outputPlace, .int4(placement.uniform))) }
        return values
    }

    /// Returns the key of a draw's program.
    func key(_ kind: DrawKind, input: ProgramKey.Input) -> ProgramKey {
        let outputStages: ProgramKey.OutputStages? =
            switch result {
            case .encoded: nil
            case .outputStages(let stages, let source):
                ProgramKey.OutputStages(
                    original: stages.original == nil ? nil : source?.kind ?? ProgramKey.TextureKind(),
                    hasContent: !stages.content.isEmpty)
            }
        return ProgramKey(
            draw: kind, input: input, hasEdges: false, outputStages: outputStages,
            target: target.placement == nil || isShifted ? .aligned : .placed)
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

    /// The uniform outputPlace of filter.frag, which converts the target's pixels to those of the output: an offset for each
    /// axis, then a factor of 1 or -1 for each axis.
    var uniform: SIMD4<Int32> {
        rises ? SIMD4(-x, height - 1 - y, 1, -1) : SIMD4(-x, -y, 1, 1)
    }

    /// Converts a part of the output to the target's pixels.
    func place(_ columns: Range<Int>, _ rows: Range<Int>) -> (columns: Range<Int>, rows: Range<Int>) {
        let (left, top) = (Int(x), Int(y))
        let columns = columns.lowerBound + left..<columns.upperBound + left
        guard rises else { return (columns, rows.lowerBound + top..<rows.upperBound + top) }
        let end = Int(height) - top
        return (columns, end - rows.upperBound..<end - rows.lowerBound)
    }
}
