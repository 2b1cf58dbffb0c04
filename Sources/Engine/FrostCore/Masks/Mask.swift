/// The strength of an effect at each pixel: 0 shows the original, 1 shows the effect. For a ``VariableBlur``, the
/// mask's value is the factor by which sigma is multiplied.
public enum Mask: Sendable, Hashable {
    /// A picture that the caller supplies together with the image. It is stretched over the image's rectangle: see
    /// ``MaskImage``.
    case image
    /// A horizontal band that is sharp, with blur above and below.
    case band(Band)
    /// A circle that is sharp, with blur outside.
    case circle(Circle)
    /// Values that change along a line.
    case ramp(Ramp)

    /// A mask with a sharp horizontal band. Positions are fractions of the image's height, measured downwards from the
    /// image's top. The mask is 0 from `top` to `bottom`, 1 at a distance of `falloff` or more from the band, and a
    /// smoothstep in between. GPUImage's tilt-shift has such a mask.
    public struct Band: Sendable, Hashable {
        /// The band's upper and lower edge, and the height of the transition on each side, as fractions of the image's
        /// height.
        public var top, bottom, falloff: Double

        /// Creates a band from its edges and the height of its transitions.
        public init(top: Double, bottom: Double, falloff: Double) {
            self.top = top
            self.bottom = bottom
            self.falloff = falloff
        }
    }

    /// A mask with a sharp circle. Lengths are fractions of the image's width, but `centerY` is a fraction of the
    /// image's height. The mask is 0 within `radius - border`, 1 outside `radius`, and a smoothstep in between.
    /// GPUImage's selective blur has such a mask.
    public struct Circle: Sendable, Hashable {
        /// The circle's centre, its radius, and the width of the transition inside the radius. `centerY` is a fraction
        /// of the image's height. The other numbers are fractions of the image's width.
        public var centerX, centerY, radius, border: Double

        /// Creates a circle from its centre, its radius and the width of its transition.
        public init(centerX: Double, centerY: Double, radius: Double, border: Double) {
            self.centerX = centerX
            self.centerY = centerY
            self.radius = radius
            self.border = border
        }
    }

    /// A mask that changes linearly from stop to stop along a line, and is constant before the first stop and after the
    /// last. Positions are measured along the direction of `angle`: imagine a line, perpendicular to this direction,
    /// that moves across the image. It first touches the image at position 0 and leaves it at position 1. CSS defines
    /// linear gradients in the same way, but its angles begin at another direction. Between two stops at the same
    /// position, the mask is a step.
    public struct Ramp: Sendable, Hashable {
        /// The stops, in the order in which the line passes them; at least two.
        public var stops: [Stop]
        /// The direction in degrees, clockwise: 0 is to the right, 90 downwards.
        public var angle: Double

        /// Creates a ramp through stops along a direction: see ``checkStops(_:of:)``.
        public init(stops: [Stop], angle: Double = 90) {
            (self.stops, self.angle) = (stops, angle)
        }

        /// Creates a ramp from 0 at the position `from` to 1 at the position `to`.
        public init(from: Double, to: Double, angle: Double = 90) {
            self.init(stops: [Stop(from, 0), Stop(to, 1)], angle: angle)
        }

        /// A value at a position along the line.
        public struct Stop: Sendable, Hashable {
            /// Along the line, the image begins at position 0 and ends at position 1.
            public var position: Double
            /// The mask's value, 0 to 1.
            public var value: Double

            /// Creates a stop.
            public init(_ position: Double, _ value: Double) { (self.position, self.value) = (position, value) }
        }
    }
}

extension Mask {
    /// Returns the mask's value at the centre of a pixel.
    ///
    /// - Parameters:
    ///   - x, y: the pixel, in the same absolute pixels as `extent`.
    ///   - extent: the rectangle that the mask is stretched over.
    ///   - image: the mask's picture, if the mask is ``image``. ``MaskImage/fitted(to:)`` must have fitted it to the
    ///     extent. Without the picture the value is 0.
    public func value(x: Int, y: Int, extent: Rect, image: MaskImage?) -> Double {
        let px = Double(x - extent.x) + 0.5
        let py = Double(y - extent.y) + 0.5
        switch self {
        case .image:
            return image?.value(x: px / Double(extent.width), y: py / Double(extent.height)) ?? 0
        case .band(let band):
            let v = py / Double(extent.height)
            return 1 - Self.smoothstep(band.top - band.falloff, band.top, v)
                + Self.smoothstep(band.bottom, band.bottom + band.falloff, v)
        case .circle(let circle):
            let dx = px / Double(extent.width) - circle.centerX
            let dy = (py - circle.centerY * Double(extent.height)) / Double(extent.width)
            return Self.smoothstep(
                circle.radius - circle.border, circle.radius, (dx * dx + dy * dy).squareRoot())
        case .ramp(let ramp):
            let line = ramp.line(width: Double(extent.width), height: Double(extent.height))
            return line.value(x: px, y: py)
        }
    }

    /// Whether pixels that differ only in their position along an axis have the same value. The answer for an image is
    /// always no.
    package func isConstant(along axis: Axis) -> Bool {
        switch self {
        case .image, .circle: return false
        case .band: return axis == .x
        case .ramp(let ramp):
            let line = ramp.line(width: 1, height: 1)
            return line.isConstant(along: axis)
        }
    }

    static func smoothstep(_ low: Double, _ high: Double, _ x: Double) -> Double {
        guard low < high else { return x < low ? 0 : 1 }
        let t = min(max((x - low) / (high - low), 0), 1)
        return t * t * (3 - 2 * t)
    }
}
