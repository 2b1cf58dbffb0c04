import Glibc

/// Light and shade along the edge of a shape: the lit rim of a pane, and the shadow of its edge on its inside.
///
/// With d the distance and n the outward direction of `ShapeField`, for a band as wide as the wider of ``rimWidth`` and
/// ``shadeWidth``, and fall(t) = (1 - t²)² for t of 0...1, else 0,
/// and both widths limited to that of the band, which `ShapeField` limits for small shapes:
///
///     shaded c = c (1 - shade fall(d / shadeWidth))
///     I        = rim |n · l|^sharpness fall(d / rimWidth),    l = (cos angle, sin angle)
///     result   = encode(x + I (1 - x)),    x = decode(shaded c)
///
/// c is a colour divided by its alpha. The light is added in linear light (sRGB's), as far as there is room: it never clips. Two
/// lights shine from opposite directions, so the sign of n · l does not count. Outside the shape d counts as 0.
public struct EdgeLight: Sendable, Hashable {
    /// The intensity of the light, 0 to 1.
    public var rim: Double
    /// The width of the rim in pixels.
    public var rimWidth: Double
    /// The direction of one of the two lights in degrees, clockwise from the x axis.
    public var angle: Double
    /// How quickly the light falls off where the edge turns away from it; 0 lights the whole edge.
    public var sharpness: Double
    /// The strength of the shade at the edge, 0 to 1.
    public var shade: Double
    /// The width of the shade in pixels.
    public var shadeWidth: Double

    /// Creates light and shade along an edge.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)``.
    public init(
        rim: Double, rimWidth: Double = 1.5, angle: Double = 45, sharpness: Double = 2, shade: Double = 0,
        shadeWidth: Double = 8
    ) throws(ParameterError) {
        for (name, value, allowed) in [
            ("rim", rim, 0.0...1), ("rim width", rimWidth, Self.widthRange), ("rim angle", angle, -360...360),
            ("rim sharpness", sharpness, Self.sharpnessRange), ("shade", shade, 0...1),
            ("shade width", shadeWidth, Self.widthRange),
        ] where !allowed.contains(value) {
            throw .outOfRange(parameter: name, value: value, allowed: allowed)
        }
        (self.rim, self.rimWidth, self.angle, self.sharpness) = (rim, rimWidth, angle, sharpness)
        (self.shade, self.shadeWidth) = (shade, shadeWidth)
    }

    /// The allowed widths in pixels.
    public static let widthRange = 0.0...4096.0
    /// The allowed sharpnesses.
    public static let sharpnessRange = 0.0...64.0

    /// Whether the light changes no pixel.
    public var isIdentity: Bool { (rim == 0 || rimWidth == 0) && (shade == 0 || shadeWidth == 0) }

    /// The width of the band in which pixels change.
    package var band: Double { max(rim > 0 ? rimWidth : 0, shade > 0 ? shadeWidth : 0) }

    /// The direction of the light.
    package var direction: SIMD2<Double> { SIMD2(cos(angle * .pi / 180), sin(angle * .pi / 180)) }

    /// Returns a part of the light and of the shade.
    func weakened(to strength: Double) -> EdgeLight {
        var weak = self
        (weak.rim, weak.shade) = (rim * strength, shade * strength)
        return weak
    }

    /// Returns the shade and the light at a place: how much of a colour is taken away, and how much of the rest to full light is
    /// added.
    ///
    /// - Parameters:
    ///   - depth: the distance from the edge.
    ///   - outward: the direction of the edge there.
    ///   - band: the largest widths.
    func amounts(_ depth: Double, _ outward: SIMD2<Double>, within band: Double) -> (shade: Double, light: Double) {
        let d = max(depth, 0)
        let facing = abs((outward * direction).sum())
        return (
            shade * Self.fall(d, min(shadeWidth, band)),
            rim * (sharpness == 0 ? 1 : pow(facing, sharpness)) * Self.fall(d, min(rimWidth, band))
        )
    }

    private static func fall(_ d: Double, _ width: Double) -> Double {
        guard d < width else { return 0 }
        let rest = 1 - (d / width) * (d / width)
        return rest * rest
    }

    /// Applies the shade and the light to a premultiplied colour.
    package static func apply(
        _ amounts: (shade: Double, light: Double), to color: SIMD4<Double>
    ) -> SIMD4<Double> {
        let alpha = color.w
        guard alpha > 0, amounts.shade > 0 || amounts.light > 0 else { return color }
        var result = color
        for c in 0..<3 {
            let shaded = color[c] / alpha * (1 - amounts.shade)
            let light = TransferFunction.sRGB.decode(shaded)
            let lit = amounts.light > 0 ? TransferFunction.sRGB.encode(light + amounts.light * (1 - light)) : shaded
            result[c] = min(max(lit, 0), 1) * alpha
        }
        return result
    }
}

/// Light and shade along the edges of some shapes, pixel by pixel.
package struct EdgeField: Sendable {
    package let light: EdgeLight
    package let group: ShapeGroup

    package init(_ light: EdgeLight, along shapes: [RoundedRect], join: Double) {
        self.light = light
        group = ShapeGroup(shapes, join: join) { ShapeField(band: light.band, along: $0) }
    }

    /// Returns the shade and the light of a pixel, at its centre. Pixels that no shape touches have none.
    package func amounts(_ x: Int, _ y: Int) -> (shade: Double, light: Double) {
        let point = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
        guard let place = group.place(point, x, y), max(place.depth, 0) < place.field.band else { return (0, 0) }
        return light.amounts(place.depth, place.outward, within: place.field.band)
    }
}
