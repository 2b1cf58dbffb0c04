import FrostCore

/// A draw as data: its program, the program's uniforms, and the area that it covers.
protocol ShaderDraw {
    var kind: DrawKind { get }
    /// The rectangles that the draw consists of. Together they cover each of the draw's texels once.
    var parts: [DrawPart] { get }
    /// Returns the values of the program's uniforms, except for those of ``Output``.
    ///
    /// - Parameters:
    ///   - hasEdges: whether the part that is drawn needs the edge rules.
    ///   - shift: the offset in pixels to subtract from the uniform outputOrigin.
    func uniforms(hasEdges: Bool, shift: SIMD2<Int32>) -> UniformValues
}

/// A draw from one place of a plan to another.
protocol PlaceDraw: ShaderDraw {
    var from: Place { get }
    var to: Place { get }
    /// The rectangle of the output, in the output's own grid.
    var window: Rect { get }
    /// The number of the plan's passes that the draw computes.
    var passCount: Int { get }
    /// The index of the draw's first tap in ``DrawList/weights``; a multiple of the alignment of uniform blocks.
    var weightsAt: Int { get }
    /// The transfer function that decodes the draw's input; nil without decoding.
    var decoding: TransferFunction? { get }
}

/// A rectangle of the output's texels that one triangle covers.
struct DrawPart: Hashable {
    var columns: Range<Int>
    var rows: Range<Int>
    /// Whether the shader may read samples outside the image.
    var hasEdges: Bool
    /// The number of texels that are fetched for this part; 0 if they are too few to matter for waiting on the GPU.
    var reads = 0.0
}

extension Rect {
    /// Divides a target of this size into up to five rectangles. Only the rectangle that is inside along both axes needs no
    /// edge rule.
    func parts(insideX: Range<Int>, insideY: Range<Int>) -> [DrawPart] {
        [
            DrawPart(columns: 0..<width, rows: 0..<insideY.lowerBound, hasEdges: true),
            DrawPart(columns: 0..<insideX.lowerBound, rows: insideY, hasEdges: true),
            DrawPart(columns: insideX, rows: insideY, hasEdges: false),
            DrawPart(columns: insideX.upperBound..<width, rows: insideY, hasEdges: true),
            DrawPart(columns: 0..<width, rows: insideY.upperBound..<height, hasEdges: true),
        ].filter { !$0.columns.isEmpty && !$0.rows.isEmpty }
    }
}

extension TransferFunction {
    /// The uniforms with which the shader decodes its input.
    var uniforms: UniformValues {
        let scale = 1 / (1 + offset)
        let curve = SIMD4(threshold, 1 / slope, scale, offset * scale)
        return [(.decoding, .float4(SIMD4<Float>(curve))), (.decodingExponent, .float(Float(exponent)))]
    }
}
