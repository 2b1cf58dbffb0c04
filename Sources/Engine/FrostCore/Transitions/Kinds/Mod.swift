/// The target shows through round holes in a grid. The holes grow until nothing of the source is left.
///
///     c                                       the centre
///     s = 1 + |p - c| / compression           how much the grid is stretched
///     g = (p - c) turned by -angle, over s    the position in the unstretched grid
///     d = the distance of g from the nearest point whose coordinates are multiples of 2r
///     m = unit((√2 r t - d) s + t)            a ramp of one pixel at the border of each hole
public struct Mod: Sendable, Hashable {
    /// The grid's centre, as fractions of the extent.
    public let center: SIMD2<Double>
    /// The angle of the grid in radians.
    public let angle: Double
    /// The radius r in pixels: half the distance of two holes.
    public let radius: Double
    /// The distance from the centre in pixels at which the grid is twice as large.
    public let compression: Double

    package struct Drawing: TransitionDrawing {
        /// The centre in pixels.
        package let center: SIMD2<Double>
        /// The grid's x axis.
        package let axis: SIMD2<Double>
        /// The distance 2r of two grid points.
        package let pitch: Double
        /// 1 / compression.
        package let stretch: Double
        /// The radius of the holes in the unstretched grid.
        package let holeRadius: Double
        /// The time, the offset of the ramp.
        package let ramp: Double

        package var parameters: [Double] { [center.x, center.y, axis.x, axis.y, pitch, stretch, holeRadius, ramp] }
    }

    package func drawing(_ frame: TransitionFrame) -> Drawing {
        Drawing(
            center: frame.point(center), axis: LinearDistance.direction(angle), pitch: 2 * radius,
            stretch: 1 / compression, holeRadius: 2.0.squareRoot() * radius * frame.time, ramp: frame.time)
    }
}

extension Mod: TransitionKind {
    package func largestDistance(_ frame: TransitionFrame) -> Double { frame.largestDistance(from: center) }

    package static let descriptions = [
        TransitionDescription(
            "mod", "CIModTransition", "the target shows through a grid of growing holes",
            parameters: [
                .transitionCenterX, .transitionCenterY,
                .angle(114.591559, "angle of the grid, clockwise; the default is Core Image's 2 radians"),
                .number("radius", 1...100_000, 150, unit: "pixels", "half the distance of two holes"),
                .number(
                    "compression", 1...1_000_000, 300, unit: "pixels",
                    "distance from the centre at which the holes are twice as large"),
            ]
        ) { values throws(ParameterError) in
            .mod(
                Mod(
                    center: values.center, angle: values.angle, radius: values.number("radius"),
                    compression: values.number("compression")))
        }
    ]
}
