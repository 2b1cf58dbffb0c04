/// A bar of light crosses the picture like the lamp of a copy machine, and reveals the target on its way back.
///
/// Let u be the distance along the angle from the centre of the extent, clamped to its range u0...u1 over the extent, and
/// let w be the width. The bar's centre is at b = mix(u0 - w/2, u1 + w/2, 1 - |2 time - 1|). The colour is drawn with the
/// weight opacity * max(0, 1 - 2|u - b| / w)², at most 1. In the second half, pixels with u > b show the target. The
/// border at b is a ramp of one pixel, clamp(u - b + s) with s = 2 time - 1, so that it appears and disappears without a
/// jump.
public struct CopyMachine: Sendable, Hashable {
    /// The colour of the light.
    public let color: Color
    /// The direction in which the bar first moves, in radians.
    public let angle: Double
    /// The width of the bar in pixels.
    public let width: Double
    /// The strength of the light, at least 0.
    public let opacity: Double

    /// The numbers of one frame.
    public struct Drawing: Sendable, Hashable {
        /// The distance u of a pixel.
        public let distance: LinearDistance
        /// The position b of the bar's centre.
        public let bar: Double
        /// 2 / w.
        public let slope: Double
        /// s, the offset of the ramp between the images; nil in the first half, when only the source is visible.
        public let ramp: Double?
        /// The colour of the light.
        public let color: SIMD4<Double>
        /// The strength of the light, at least 0.
        public let opacity: Double

        /// Without a ramp, an offset of -2^20 makes the share 0 everywhere.
        var numbers: [Double] { distance.numbers + [bar, slope, ramp ?? -0x1p20, opacity] + color.list }
    }

    func drawing(_ frame: TransitionFrame) -> Drawing {
        let distance = frame.distance(along: LinearDistance.direction(angle))
        let (low, high) = (distance.range.lowerBound - width / 2, distance.range.upperBound + width / 2)
        let back = 2 * frame.time - 1
        return Drawing(
            distance: distance, bar: low + (high - low) * (1 - abs(back)), slope: 2 / width,
            ramp: back > 0 ? back : nil, color: frame.numbers(of: color), opacity: opacity)
    }
}

extension CopyMachine {
    static let description = TransitionDescription(
        "copy-machine", "CICopyMachineTransition",
        "a bar of light crosses the picture, and reveals the target on its way back",
        parameters: [
            EffectParameter(
                "color", .color(default: Color(unchecked: 0.6, 1, 0.8, 1)), "colour of the bar of light"),
            .angle(0, "direction in which the bar first moves, clockwise: 0 is to the right, 90 is downwards"),
            .number("width", 0.1...100_000, 200, unit: "pixels", "width of the bar"),
            .number("opacity", 0...100, 1.3, "strength of the light; above 1 its middle is a plain area"),
        ]
    ) { values throws(ParameterError) in
        .copyMachine(
            CopyMachine(
                color: values.color("color"), angle: values.angle, width: values.number("width"),
                opacity: values.number("opacity")))
    }
}
