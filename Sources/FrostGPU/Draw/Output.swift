import FrostGLES

/// Where a draw's result goes, and what becomes of it.
struct Output {
    let target: DrawTarget
    let result: Result

    /// What becomes of what a draw computes.
    enum Result {
        case encoded(OutputEncoding)
        /// - Parameter source: the image itself, for stages that read it.
        case outputStages(PreparedOutputStages, source: DrawInput?)
    }

    /// Programs without output stages depend on a pixel's place only by the first coordinates that they are given. So
    /// if rows do not rise, shifted coordinates take the place of a program that knows of places.
    private var isShifted: Bool {
        guard let placement = target.placement, !placement.rises else { return false }
        switch result {
        case .encoded: return true
        case .outputStages: return false
        }
    }

    /// What is taken off the output's first coordinates.
    var shift: SIMD2<Int32> {
        guard isShifted, let placement = target.placement else { return .zero }
        return SIMD2(placement.x, placement.y)
    }

    /// The uniforms of all draws that write it.
    ///
    /// - Parameter topRow: the texel of the host image's first row; nil without one.
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

    /// The program of a draw.
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

/// Where an output lies in a larger target.
struct Placement: Hashable {
    /// Of the output's top left pixel, counted from the target's.
    let x: Int32
    let y: Int32
    /// Of the target, in pixels.
    let height: Int32
    /// Whether the target's first row is its lowest.
    let rises: Bool

    /// From pixels of the target to those of the output: see filter.frag.
    var uniform: SIMD4<Int32> {
        rises ? SIMD4(-x, height - 1 - y, 1, -1) : SIMD4(-x, -y, 1, 1)
    }

    /// A part of the output in the target's pixels.
    func place(_ columns: Range<Int>, _ rows: Range<Int>) -> (columns: Range<Int>, rows: Range<Int>) {
        let (left, top) = (Int(x), Int(y))
        let columns = columns.lowerBound + left..<columns.upperBound + left
        guard rises else { return (columns, rows.lowerBound + top..<rows.upperBound + top) }
        let end = Int(height) - top
        return (columns, end - rows.upperBound..<end - rows.lowerBound)
    }
}
