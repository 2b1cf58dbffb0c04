/// The target shows through round holes in a grid. The holes grow until nothing of the source is left.
///
/// The holes are the discs of radius √2 * r * time around the points of a square grid with the distance 2r, turned by the
/// angle about the centre, which is one of the points. Grid and holes grow by the factor s = 1 + |p - c| / compression with
/// the distance from the centre c. If d is the distance in the unstretched grid from the nearest grid point, the target's
/// share is clamp((√2 * r * time - d) * s + time), which is a ramp of one pixel at the border of each hole.
public struct Mod: Sendable, Hashable {
    /// The grid's centre, as fractions of the extent.
    public let center: SIMD2<Double>
    /// The angle of the grid in radians.
    public let angle: Double
    /// The radius r in pixels: half the distance of two holes.
    public let radius: Double
    /// The distance from the centre in pixels at which the grid is twice as large.
    public let compression: Double

    /// The numbers of one frame.
    public struct Drawing: Sendable, Hashable {
        /// The centre in pixels.
        public let center: SIMD2<Double>
        /// The grid's x axis.
        public let axis: SIMD2<Double>
        /// The distance 2r of two grid points.
        public let pitch: Double
        /// 1 / compression.
        public let stretch: Double
        /// The radius of the holes in the unstretched grid.
        public let holeRadius: Double
        /// The time, the offset of the ramp.
        public let ramp: Double

        var numbers: [Double] { [center.x, center.y, axis.x, axis.y, pitch, stretch, holeRadius, ramp] }
    }

    func drawing(_ frame: TransitionFrame) -> Drawing {
        Drawing(
            center: frame.point(center), axis: LinearDistance.direction(angle), pitch: 2 * radius,
            stretch: 1 / compression, holeRadius: 2.0.squareRoot() * radius * frame.time, ramp: frame.time)
    }
}

extension Mod {
    static let description = TransitionDescription(
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
}
