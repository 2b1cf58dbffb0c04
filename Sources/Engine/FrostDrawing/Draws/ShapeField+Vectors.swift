import FrostCore

extension ShapeField {
    /// The numbers of the shape as filter.shapes.glsl reads them, and the depth of a lens.
    func vectors(_ region: Rect) -> [SIMD4<Float>] {
        func edges(_ place: SIMD2<Double>) -> SIMD4<Double> {
            let relative = place - SIMD2(Double(region.x), Double(region.y))
            let whole = relative.rounded(.down)
            return SIMD4(whole.x, whole.y, relative.x - whole.x, relative.y - whole.y)
        }
        let (kind, number, curve): (GaugeKind, Double, SIMD4<Double>) =
            switch gauge {
            case .circular: (.circular, 0, .zero)
            case .superellipse(let exponent): (.superellipse, exponent, .zero)
            case .continuous(let curve):
                (.continuous, curve.radius, SIMD4(curve.b, curve.c, curve.d, curve.tangent))
            }
        return [
            edges(center - half), edges(center + half), SIMD4(reach, growth, band, depth),
            SIMD4(turn.x, turn.y, Double(kind.rawValue), number), curve,
        ].map { SIMD4<Float>($0) }
    }
}

/// The kinds of gauges. Their values are the shader's constants GAUGE_….
enum GaugeKind: Int32, CaseIterable { case circular, superellipse, continuous }
