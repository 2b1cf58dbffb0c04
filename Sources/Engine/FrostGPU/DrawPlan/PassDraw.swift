import FrostCore

/// A draw that computes a run of passes. In filter.frag it is the draw `pass`, or `unrolled` if its filter has a
/// program of its own. The properties are named after the shader's uniforms. Coordinates are counted from a sample near
/// the output, so that they fit into the shader's 32-bit integers wherever the image lies.
struct PassDraw: PlaceDraw, Hashable {
    var from: Place
    var to: Place
    var axis: Axis
    var passCount: Int
    /// The filter for which the draw's program is made; nil if the program loops over the taps.
    var filter: UnrolledFilter?
    var window: Rect
    /// The range of output texels, along the pass's axis, that need no edge rule.
    var inside: Range<Int>
    var outputOrigin: SIMD2<Int32>
    var inputOrigin: SIMD2<Int32>
    var range: SIMD4<Int32>
    var walk: SIMD4<Int32>
    var tapCount: Int
    var pairCount: Int
    var weightsAt: Int
    var decoding: TransferFunction?

    var readCount: Double { Double(tapCount) }
    var kind: DrawKind { filter.map { .unrolled($0) } ?? .pass }

    var parts: [DrawPart] { window.parts(along: axis, inside: inside) }

    func uniforms(hasEdges: Bool, shift: SIMD2<Int32>) -> UniformValues {
        let direction =
            switch axis {
            case .x: SIMD2<Int32>(1, 0)
            case .y: SIMD2<Int32>(0, 1)
            }
        let place: UniformValues = [
            (.outputOrigin, .int2(outputOrigin &- shift)), (.inputOrigin, .int2(inputOrigin)), (.range, .int4(range)),
        ]
        let loop: UniformValues =
            kind.of(hasEdges: hasEdges) == .pass
            ? [
                (.axis, .int2(direction)), (.walk, .int4(walk)), (.tapCount, .int(Int32(tapCount))),
                (.pairCount, .int(Int32(pairCount))),
            ] : []
        return place + loop + (decoding.map(\.uniforms) ?? [])
    }
}
