package import FrostCore

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
