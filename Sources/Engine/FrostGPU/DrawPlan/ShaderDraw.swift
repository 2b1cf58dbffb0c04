import FrostCore

/// A draw as data: its program, the program's uniforms, and the area that it covers.
protocol ShaderDraw {
    var kind: DrawKind { get }
    /// The rectangles that the draw consists of. Together they cover each of the draw's texels once.
    var parts: [DrawPart] { get }
    /// Returns the values of the program's uniforms, except for the uniforms that ``Output`` sets.
    ///
    /// - Parameters:
    ///   - hasEdges: whether the part that is drawn needs the edge rules.
    ///   - shift: the offset in pixels to subtract from the uniform outputOrigin.
    func uniforms(hasEdges: Bool, shift: SIMD2<Int32>) -> UniformValues
}

/// A draw that reads one place of a plan and writes another place. A place is the source, an intermediate or the
/// output.
protocol PlaceDraw: ShaderDraw {
    var from: Place { get }
    var to: Place { get }
    /// The rectangle of the output, in the output's own grid.
    var window: Rect { get }
    /// The number of the plan's passes that the draw computes.
    var passCount: Int { get }
    /// The index of the draw's first tap in ``DrawList/weights``; a multiple of the alignment of uniform blocks.
    var weightsAt: Int { get }
    /// The average number of texels that are fetched for one texel of the output, if no edge rule applies.
    var readCount: Double { get }
    /// The transfer function that decodes the draw's input; nil if the input is not decoded.
    var decoding: TransferFunction? { get }
}

/// A rectangle of the output's texels that one triangle covers.
struct DrawPart: Hashable {
    var columns: Range<Int>
    var rows: Range<Int>
    /// Whether the shader may read samples outside the image.
    var hasEdges: Bool
    /// The number of texels that are fetched for this part. The CPU waits for the GPU after a certain number of
    /// fetches. The value is 0 if the fetches of this part need not be counted for this purpose.
    var reads = 0.0

    /// An estimate of the time that the part takes, in texel fetches of a loop. A part whose fetches are not counted
    /// belongs to a separable blur. Its program has no loop at full resolution and takes about as long as two such
    /// fetches a texel.
    var cost: Double { max(reads, 2 * Double(columns.count * rows.count)) }

    /// Divides the part into bands of rows. A band costs at most `limit`, or it has a single row.
    func bands(cost limit: Double) -> [DrawPart] {
        let height = max(1, Int(limit / cost * Double(rows.count)))
        guard height < rows.count else { return [self] }
        return stride(from: rows.lowerBound, to: rows.upperBound, by: height).map {
            var band = self
            band.rows = $0..<min($0 + height, rows.upperBound)
            band.reads = reads * Double(band.rows.count) / Double(rows.count)
            return band
        }
    }
}

extension Rect {
    /// Divides an output of this rectangle's size into up to five rectangles. The texels `inside` along the axis need
    /// no edge rule. The rectangles around them need the edge rule.
    func parts(along axis: Axis, inside: Range<Int>) -> [DrawPart] {
        switch axis {
        case .x: parts(insideX: inside, insideY: 0..<height)
        case .y: parts(insideX: 0..<width, insideY: inside)
        }
    }

    /// Divides an output in the same way for edge rules along both axes.
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
