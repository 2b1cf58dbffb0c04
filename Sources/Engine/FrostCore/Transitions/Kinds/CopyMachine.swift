/// A bar of light crosses the picture like the lamp of a copy machine, and reveals the target on its way back.
///
///     s = 2t - 1
///     b = mix(u0 - width/2, u1 + width/2, 1 - |s|)              the centre of the bar
///     m = unit(u - b + s) if s > 0, else 0                      a ramp of one pixel, which appears without a jump
///     e = (1 - min(1, 2|u - b| / width)²)²                      a bell, which ends softly at the bar's borders
///     c = opacity e / (1 + max(0, opacity - 1) e)               at most 1, and without a plateau
///
/// c changes by at most 3.08 max(1, opacity) / width for each pixel. From opacity 1 on its maximum is 1.
public struct CopyMachine: Sendable, Hashable {
    /// The colour of the light.
    public let color: Color
    /// The direction in which the bar first moves, in radians.
    public let angle: Double
    /// The width of the bar in pixels.
    public let width: Double
    /// The strength of the light, at least 0. Above 1 the bar looks wider.
    public let opacity: Double

    package struct Drawing: TransitionDrawing {
        /// The distance u of a pixel.
        package let distance: LinearDistance
        /// The position b of the bar's centre.
        package let bar: Double
        /// 2 / w.
        package let slope: Double
        /// s, the offset of the ramp between the images; nil in the first half, when only the source is visible.
        package let ramp: Double?
        /// The colour of the light.
        package let color: SIMD4<Double>
        /// The strength of the light, at least 0.
        package let opacity: Double

        /// Without a ramp, an offset of -2^20 makes the share 0 everywhere.
        package var parameters: [Double] { distance.parameters + [bar, slope, ramp ?? -0x1p20, opacity] + color.list }
    }

    package func drawing(_ frame: TransitionFrame) -> Drawing {
        let distance = frame.distance(along: LinearDistance.direction(angle))
        let (low, high) = (distance.range.lowerBound - width / 2, distance.range.upperBound + width / 2)
        let back = 2 * frame.time - 1
        return Drawing(
            distance: distance, bar: low + (high - low) * (1 - abs(back)), slope: 2 / width,
            ramp: back > 0 ? back : nil, color: frame.premultiplied(color), opacity: opacity)
    }
}

extension CopyMachine: TransitionKind {
    package var ownColor: Color? { color }

    package static let descriptions = [
        TransitionDescription(
            "copy-machine", "CICopyMachineTransition",
            "a bar of light crosses the picture, and reveals the target on its way back",
            parameters: [
                EffectParameter(
                    "color", .color(default: Color(unchecked: 0.6, 1, 0.8, 1)), "colour of the bar of light"),
                .angle(0, "direction in which the bar first moves, clockwise: 0 is to the right, 90 is downwards"),
                .number("width", 0.1...100_000, 200, unit: "pixels", "width of the bar"),
                .number("opacity", 0...100, 1.3, "strength of the light; above 1 the bar looks wider"),
            ]
        ) { values throws(ParameterError) in
            .copyMachine(
                CopyMachine(
                    color: values.color("color"), angle: values.angle, width: values.number("width"),
                    opacity: values.number("opacity")))
        }
    ]
}
