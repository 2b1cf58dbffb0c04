import FrostCore

/// A draw as data: which program it needs, what the program is given, and what is covered.
protocol ShaderDraw {
    var kind: DrawKind { get }
    /// They cover each of the draw's texels once.
    var parts: [DrawPart] { get }
    /// The values of the program's uniforms, but for those of ``Output``.
    ///
    /// - Parameters:
    ///   - hasEdges: of the part that is drawn.
    ///   - shift: what is taken off the output's first coordinates.
    func uniforms(hasEdges: Bool, shift: SIMD2<Int32>) -> UniformValues
}

/// A draw from one place of a plan to another.
protocol PlaceDraw: ShaderDraw {
    var from: Place { get }
    var to: Place { get }
    /// The output, in its own grid.
    var window: Rect { get }
    /// How many of the plan's passes it carries out.
    var passCount: Int { get }
    /// Where its taps start in ``DrawList/weights``, at a multiple of the block's alignment.
    var weightsAt: Int { get }
    /// The transfer function that decodes its input.
    var decoding: TransferFunction? { get }
}

/// A rectangle of the output's texels that one triangle covers.
struct DrawPart: Hashable {
    var columns: Range<Int>
    var rows: Range<Int>
    /// Whether samples outside the image may be read.
    var hasEdges: Bool
    /// Texels that are fetched for it, if they are so many that the GPU is waited for in between; else 0.
    var reads = 0.0
}

extension Rect {
    /// The texels of a target of this size in up to five rectangles: all need the edge rules but those inside along
    /// both axes.
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
    /// How the shader decodes.
    var uniforms: UniformValues {
        let scale = 1 / (1 + offset)
        let curve = SIMD4(threshold, 1 / slope, scale, offset * scale)
        return [(.decoding, .float4(SIMD4<Float>(curve))), (.decodingExponent, .float(Float(exponent)))]
    }
}
