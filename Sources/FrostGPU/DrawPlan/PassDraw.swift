import FrostCore

/// A draw that computes a run of passes, with weights from the uniform block of taps. In filter.frag it is the draw `pass`. The properties are named after the
/// shader's uniforms. Coordinates are counted from a sample near the output, so that they fit into the shader's 32-bit
/// integers wherever the image lies.
struct PassDraw: PlaceDraw, Hashable {
    var from: Place
    var to: Place
    var axis: Axis
    var passCount: Int
    var window: Rect
    /// The range of output texels, along the pass's axis, that need no edge rule.
    var inside: Range<Int>
    var outputOrigin: SIMD2<Int32>
    var inputOrigin: SIMD2<Int32>
    var range: SIMD4<Int32>
    var walk: SIMD4<Int32>
    var tapCount: Int
    var weightsAt: Int
    var decoding: TransferFunction?

    var kind: DrawKind { .pass }

    var parts: [DrawPart] { window.parts(along: axis, inside: inside) }

    func uniforms(hasEdges: Bool, shift: SIMD2<Int32>) -> UniformValues {
        let direction =
            switch axis {
            case .x: SIMD2<Int32>(1, 0)
            case .y: SIMD2<Int32>(0, 1)
            }
        let values: UniformValues = [
            (.axis, .int2(direction)), (.outputOrigin, .int2(outputOrigin &- shift)),
            (.inputOrigin, .int2(inputOrigin)), (.range, .int4(range)), (.walk, .int4(walk)),
            (.tapCount, .int(Int32(tapCount))),
        ]
        return values + (decoding.map(\.uniforms) ?? [])
    }
}
