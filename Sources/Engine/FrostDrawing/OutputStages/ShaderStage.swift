import FrostCore

/// The kinds of colour stages. Their values are the shader's constants STAGE_….
///
/// Colour matrices have three kinds: see ``ColorMatrix/Form``. Software GL checks the index of every number that it
/// reads from a uniform block, so a stage that reads 5 numbers takes a quarter of the time of one that reads 20.
enum ColorStageKind: UInt32, CaseIterable {
    case matrix, adjustment, tint, luminance, grain, encode, scatter, raise, lower, vivid
}

/// A colour stage as filter.output.glsl reads it.
struct ShaderStage {
    let kind: ColorStageKind
    /// The element of the shader's array stageColumns, as five vectors. filter.output.glsl describes them.
    private(set) var columns = [SIMD4<Float>](repeating: .zero, count: 5)
    /// The element of the shader's array stageKinds.
    private(set) var integers = SIMD4<UInt32>.zero
    /// The element of the shader's array stageKeys.
    private(set) var key = SIMD4<UInt32>.zero

    /// - Parameter region: the rectangle of the output, in absolute pixels.
    init(_ stage: ColorStage, in region: Rect) {
        kind = stage.kind
        switch stage {
        case .matrix(let matrix):
            switch matrix.form {
            case .general: columns = Self.columns(matrix)
            case .adjustment(let scale, let weights):
                columns[0] = SIMD4<Float>(weights)
                columns[1].x = Float(scale)
            case .tint(let scale, let constant):
                columns[0] = SIMD4<Float>(constant)
                columns[1].x = Float(scale)
            }
        case .luminance(let curve):
            columns[0] = SIMD4<Float>(
                SIMD4(curve.luma.red, curve.luma.green, curve.luma.blue, 1 - curve.colorFactor))
            columns[1] = SIMD4<Float>(curve.coefficients * curve.amount)
            columns[2].x = Float(curve.lumaFactor)
        case .encode(let curve):
            columns[0] = SIMD4<Float>(
                SIMD4(curve.threshold / curve.slope, curve.slope, 1 + curve.offset, -curve.offset))
            columns[1].x = Float(1 / curve.exponent)
        case .contrast(let floor):
            let (curve, weights) = (ContrastFloor.curve, ContrastFloor.weights)
            let scale = 1 / (1 + curve.offset)
            columns[0] = SIMD4<Float>(SIMD4(weights.red, weights.green, weights.blue, 0))
            columns[1] = SIMD4<Float>(SIMD4(floor.numbers, 0))
            columns[2] = SIMD4<Float>(SIMD4(curve.threshold, 1 / curve.slope, scale, curve.offset * scale))
            columns[3] = SIMD4<Float>(
                SIMD4(curve.threshold / curve.slope, curve.slope, 1 + curve.offset, -curve.offset))
            columns[4] = SIMD4<Float>(SIMD4(curve.exponent, 1 / curve.exponent, 0, 0))
        case .vivid(let vividness):
            let weights = Vividness.weights
            columns[0] = SIMD4<Float>(SIMD4(weights.red, weights.green, weights.blue, Vividness.leastRoom))
            columns[1] = SIMD4<Float>(vividness.numbers)
        case .scatter(let scatter):
            integers = SIMD4(0, scatter.dependsOnColor ? 1 : 0, UInt32(scatter.level), 32)
            key = scatter.cipherKey
            columns[0].x = Float(scatter.amplitude)
            columns[1] = SIMD4<Float>(scatter.firstAndLast(in: region))
        case .grain(let grain):
            integers.y = grain.seed
            columns[0].x = Float(grain.amplitude)
        }
    }

    /// Creates a stage of the kind ``ColorStageKind/matrix``, whatever the form of the matrix.
    init(matrix: ColorMatrix) {
        kind = .matrix
        columns = Self.columns(matrix)
    }

    private static func columns(_ matrix: ColorMatrix) -> [SIMD4<Float>] {
        [matrix.red, matrix.green, matrix.blue, matrix.alpha, matrix.one].map { SIMD4<Float>($0) }
    }
}

extension Scatter {
    /// Returns the first and the last pixels of ``bounds`` (x and y of each), relative to a region. Pixels of the region are below
    /// 2^23, and up to there a shader's floats are exact.
    fileprivate func firstAndLast(in region: Rect) -> SIMD4<Double> {
        let farthest = Double(1 << 23)
        guard let bounds else { return SIMD4(-farthest, -farthest, farthest, farthest) }
        let (x, y) = (bounds.x - region.x, bounds.y - region.y)
        return SIMD4<Double>(SIMD4(x, y, x + bounds.width - 1, y + bounds.height - 1))
            .clamped(lowerBound: SIMD4(repeating: -farthest), upperBound: SIMD4(repeating: farthest))
    }
}

extension ColorStage {
    var kind: ColorStageKind {
        switch self {
        case .matrix(let matrix):
            switch matrix.form {
            case .general: .matrix
            case .adjustment: .adjustment
            case .tint: .tint
            }
        case .luminance: .luminance
        case .vivid: .vivid
        case .grain: .grain
        case .encode: .encode
        case .scatter: .scatter
        case .contrast(let floor): floor.raises ? .raise : .lower
        }
    }
}
