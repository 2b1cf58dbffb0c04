package import FrostCore

/// The taps of all draws of a plan, as the shader's uniform block of taps stores them.
struct TapList {
    let limits: DrawLimits
    private(set) var values: [Float] = []

    init(_ limits: DrawLimits) { self.limits = limits }

    /// Appends the taps of a draw, and returns the index of the first.
    ///
    /// - Throws: ``DrawingError/invalidPlan(_:)`` if the shader has no room for so many taps.
    mutating func add(_ taps: [Float]) throws(DrawingError) -> Int {
        guard taps.count <= limits.weights else {
            throw .invalidPlan("a pass has \(taps.count) weights; the GPU's limit is \(limits.weights)")
        }
        while values.count % limits.weightAlignment != 0 { values.append(0) }
        defer { values += taps }
        return values.count
    }
}

/// A rectangle of the output's texels that one triangle covers.
package struct DrawPart: Hashable, Sendable {
    package private(set) var columns: Range<Int>
    package private(set) var rows: Range<Int>
    /// Whether the shader may read samples outside the image.
    package let hasEdges: Bool
    /// The number of texels that are fetched for this part. The CPU waits for the GPU after a certain number of
    /// fetches. The value is 0 if the fetches of this part need not be counted for this purpose.
    private(set) var reads = 0.0

    package init(columns: Range<Int>, rows: Range<Int>, hasEdges: Bool = false) {
        self.columns = columns
        self.rows = rows
        self.hasEdges = hasEdges
    }

    /// The number of texel fetches after which the CPU waits for the GPU. Software GL takes a few seconds for this
    /// number of fetches. A GPU takes far less than the time after which an operating system considers a GPU hung.
    package static let readLimit = 0x1p30

    /// An estimate of the time that the part takes, in texel fetches of a loop. A part whose fetches are not counted
    /// belongs to a separable blur. Its program has no loop at full resolution and takes about as long as two such
    /// fetches a texel.
    package var cost: Double { max(reads, 2 * Double(columns.count * rows.count)) }

    /// Divides the part into bands of rows. A band costs at most `limit`, or it has a single row.
    package func bands(cost limit: Double) -> [DrawPart] {
        let height = max(1, Int(limit / cost * Double(rows.count)))
        guard height < rows.count else { return [self] }
        return bands(height: height, readsOfRow: reads / Double(rows.count))
    }

    /// Divides the part into bands of rows. A band has at most `limit` texel fetches, or it has a single row.
    ///
    /// - Parameter readCount: the number of texels that are fetched for one texel of the output.
    func bands(readCount: Double, limit: Double = DrawPart.readLimit) -> [DrawPart] {
        let readsOfRow = readCount * Double(columns.count)
        return bands(height: Int(min(max(1, limit / readsOfRow), Double(rows.count))), readsOfRow: readsOfRow)
    }

    private func bands(height: Int, readsOfRow: Double) -> [DrawPart] {
        stride(from: rows.lowerBound, to: rows.upperBound, by: height).map {
            var band = self
            band.rows = $0..<min($0 + height, rows.upperBound)
            band.reads = readsOfRow * Double(band.rows.count)
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
            DrawPart(columns: insideX, rows: insideY),
            DrawPart(columns: insideX.upperBound..<width, rows: insideY, hasEdges: true),
            DrawPart(columns: 0..<width, rows: insideY.upperBound..<height, hasEdges: true),
        ].filter { !$0.columns.isEmpty && !$0.rows.isEmpty }
    }
}

/// A draw as data: its program, the program's uniforms, and the area that it covers.
package struct ShaderDraw: Sendable {
    package let kind: DrawKind
    /// The rectangles that the draw consists of. Together they cover each of the draw's texels once.
    package let parts: [DrawPart]
    /// The uniform outputOrigin, for an output that begins at the target's first pixel.
    private let origin: SIMD2<Int32>
    private let uniforms: UniformValues

    init(_ kind: DrawKind, parts: [DrawPart], origin: SIMD2<Int32> = .zero, uniforms: UniformValues) {
        self.kind = kind
        self.parts = parts
        self.origin = origin
        self.uniforms = uniforms
    }

    /// The draw as one rectangle, with a program that needs no strips along the borders; the draw itself if it has no strips,
    /// or no such program. Strips would be dispatches of their own, each of which takes as long as the rest on a fast GPU.
    package var undivided: ShaderDraw {
        guard parts.contains(where: \.hasEdges), let whole = kind.whole else { return self }
        let columns = (parts.map(\.columns.lowerBound).min() ?? 0)..<(parts.map(\.columns.upperBound).max() ?? 0)
        let rows = (parts.map(\.rows.lowerBound).min() ?? 0)..<(parts.map(\.rows.upperBound).max() ?? 0)
        let part = DrawPart(columns: columns, rows: rows, hasEdges: true)
        return ShaderDraw(whole, parts: [part], origin: origin, uniforms: uniforms)
    }

    /// Returns the values of the program's uniforms, except for the uniforms that ``TargetPlacement`` sets. The program of
    /// a part may lack some of these uniforms.
    ///
    /// - Parameter shift: the offset in pixels to subtract from the uniform outputOrigin.
    package func uniforms(shift: SIMD2<Int32>) -> UniformValues {
        [(.outputOrigin, .int2(origin &- shift))] + uniforms
    }
}

/// A draw that reads one place of a plan and writes another place. A place is the source, an intermediate or the
/// output.
package struct PlaceDraw: Sendable {
    /// What the draw computes, for example "decimate x by 4".
    let name: String
    package let draw: ShaderDraw
    package let from: Place
    package let to: Place
    /// The rectangle of the output, in the output's own grid.
    package let window: Rect
    /// The number of the plan's passes that the draw computes.
    package let passCount: Int
    /// The index of the draw's first tap in ``DrawPlan/taps``; a multiple of the alignment of uniform blocks.
    package let tapsAt: Int
    /// The average number of texels that are fetched for one texel of the output, if no edge rule applies.
    let readCount: Double
    /// Whether the shader decodes the input by a transfer function.
    package let decodes: Bool
    /// Whether the values that the draw writes may be negative.
    package var isSigned = false
    /// Whether no later draw of the list reads ``from``.
    package var isLastUse = true
}

/// A draw that mixes two levels of a blend into a part of the output.
package struct MixDraw: Sendable {
    let name: String
    package let draw: ShaderDraw
    /// The two levels, as indices of ``DrawPlan/lists``.
    package let lower, upper: Int
    /// The rectangle of the mixture, in absolute pixels.
    let window: Rect
}

/// The draws that compute one output from the image, in the order of their execution.
package struct DrawList: Sendable {
    let name: String
    /// The rectangle of the source that the draws read.
    let sourceRead: Rect
    package let draws: [PlaceDraw]

    init(_ name: String, sourceRead: Rect, _ draws: [PlaceDraw]) {
        self.name = name
        self.sourceRead = sourceRead
        var read: Set<Place> = []
        self.draws = draws.reversed().map { draw in
            var draw = draw
            draw.isLastUse = read.insert(draw.from).inserted
            return draw
        }.reversed()
    }

    /// The number of the plan's passes that the draws compute.
    var passCount: Int { draws.reduce(0) { $0 + $1.passCount } }
}

extension TransferFunction {
    /// The uniforms with which the shader decodes its input.
    var uniforms: UniformValues {
        let scale = 1 / (1 + offset)
        let curve = SIMD4(threshold, 1 / slope, scale, offset * scale)
        return [(.decoding, .float4(SIMD4<Float>(curve))), (.decodingExponent, .float(Float(exponent)))]
    }
}
