import Glibc

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
    /// A ramp from 0 to 1 along a line.
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

    /// A mask that rises linearly from 0 at the position `from` to 1 at the position `to`, and is constant before and
    /// after. Positions are measured along the direction of `angle`: imagine a line, perpendicular to this direction,
    /// that moves across the image. It first touches the image at position 0 and leaves it at position 1. CSS defines
    /// linear gradients in the same way, but its angles begin at another direction. If `from` and `to` are equal, the
    /// mask is a step.
    public struct Ramp: Sendable, Hashable {
        /// The positions at which the mask is 0 and 1. Along the ramp's direction, the image begins at position 0 and
        /// ends at position 1.
        public var from, to: Double
        /// The direction in degrees, clockwise: 0 is to the right, 90 downwards.
        public var angle: Double

        /// Creates a ramp between two positions along a direction.
        public init(from: Double, to: Double, angle: Double = 90) {
            self.from = from
            self.to = to
            self.angle = angle
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
            return axis == .x ? line.slopeX == 0 : line.slopeY == 0
        }
    }

    static func smoothstep(_ low: Double, _ high: Double, _ x: Double) -> Double {
        guard low < high else { return x < low ? 0 : 1 }
        let t = min(max((x - low) / (high - low), 0), 1)
        return t * t * (3 - 2 * t)
    }
}

extension Mask.Ramp {
    /// A ramp on an image of a known size. Its value is `offset + slopeX x + slopeY y` with x and y in pixels, clamped
    /// to 0...1. A step is 1 if this sum is at least 0, else 0.
    public struct Line: Sendable, Hashable {
        /// The coefficients of the value: its slopes per pixel along x and y, and its constant.
        public let slopeX, slopeY, offset: Double
        /// Whether the mask is a step.
        public let isStep: Bool

        /// Returns the mask's value at a point.
        ///
        /// - Parameters:
        ///   - x, y: the point in pixels, from the image's top left corner.
        public func value(x: Double, y: Double) -> Double {
            let value = offset + slopeX * x + slopeY * y
            return isStep ? (value < 0 ? 0 : 1) : min(max(value, 0), 1)
        }
    }

    /// Returns the ramp's coefficients on an image of a size in pixels.
    public func line(width: Double, height: Double) -> Line {
        // Multiples of a right angle are computed exactly, so that a horizontal or vertical ramp has a slope of exactly
        // 0 along the other axis.
        let turns = (angle / 90).rounded() * 90 == angle ? angle.truncatingRemainder(dividingBy: 360) : nil
        let (dx, dy): (Double, Double) =
            switch turns {
            case 0: (1, 0)
            case 90, -270: (0, 1)
            case 180, -180: (-1, 0)
            case 270, -90: (0, -1)
            default: (cos(angle * .pi / 180), sin(angle * .pi / 180))
            }
        let span = abs(dx) * width + abs(dy) * height
        // A ramp narrower than this cannot be seen to differ from a step, and the reciprocal of its width could
        // overflow.
        let isStep = abs(to - from) < 1e-9
        let scale = isStep ? 1 : 1 / (to - from)
        let corner = 0.5 - (dx * width + dy * height) / (2 * span)
        return Line(
            slopeX: dx / span * scale, slopeY: dy / span * scale, offset: (corner - from) * scale, isStep: isStep)
    }
}
