import Glibc

/// The strength of an effect at each pixel: 0 shows the original, 1 the effect. For a ``VariableBlur``: the factor of
/// its sigma.
public enum Mask: Sendable, Hashable {
    /// A picture that is passed with the image and stretched over its extent: see ``MaskImage``.
    case image
    /// Sharp between two horizontal lines, blurred above and below.
    case band(Band)
    /// Sharp within a circle, blurred outside.
    case circle(Circle)
    /// From 0 to 1 along a line.
    case ramp(Ramp)

    /// In fractions of the image's height, downwards: 0 from `top` to `bottom`, 1 at a distance of `falloff` and more,
    /// smoothstep in between. Like GPUImage's tilt-shift.
    public struct Band: Sendable, Hashable {
        public var top, bottom, falloff: Double

        public init(top: Double, bottom: Double, falloff: Double) {
            self.top = top
            self.bottom = bottom
            self.falloff = falloff
        }
    }

    /// In fractions of the image's width, with `centerY` in fractions of its height: 0 within `radius - border`, 1
    /// outside `radius`, smoothstep in between. Like GPUImage's selective blur.
    public struct Circle: Sendable, Hashable {
        public var centerX, centerY, radius, border: Double

        public init(centerX: Double, centerY: Double, radius: Double, border: Double) {
            self.centerX = centerX
            self.centerY = centerY
            self.radius = radius
            self.border = border
        }
    }

    /// Linear from 0 at `from` to 1 at `to`, and constant before and after. Both are fractions of the way through the
    /// image at an angle: a line perpendicular to it first touches the image at 0 and last at 1. Like CSS's linear
    /// gradients, but with another origin of angles. If both are the same, the mask is a step.
    public struct Ramp: Sendable, Hashable {
        public var from, to: Double
        /// In degrees, clockwise: 0 to the right, 90 downwards.
        public var angle: Double

        public init(from: Double, to: Double, angle: Double = 90) {
            self.from = from
            self.to = to
            self.angle = angle
        }
    }
}

extension Mask {
    /// The mask at the centre of a pixel.
    ///
    /// - Parameters:
    ///   - x, y: in the same absolute pixels as `extent`, the image's rectangle.
    ///   - image: for ``image``, ``MaskImage/fitted(to:)`` the extent; without it the mask is 0.
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

    static func smoothstep(_ low: Double, _ high: Double, _ x: Double) -> Double {
        guard low < high else { return x < low ? 0 : 1 }
        let t = min(max((x - low) / (high - low), 0), 1)
        return t * t * (3 - 2 * t)
    }
}

extension Mask.Ramp {
    /// A ramp on an image of a known size: `offset + slopeX x + slopeY y` in pixels, clamped to 0...1; for a step,
    /// whether that is at least 0.
    public struct Line: Sendable, Hashable {
        public let slopeX, slopeY, offset: Double
        public let isStep: Bool

        /// - Parameters:
        ///   - x, y: from the image's top left corner.
        public func value(x: Double, y: Double) -> Double {
            let value = offset + slopeX * x + slopeY * y
            return isStep ? (value < 0 ? 0 : 1) : min(max(value, 0), 1)
        }
    }

    public func line(width: Double, height: Double) -> Line {
        // Multiples of a right angle are exact, so that level ramps have no slope.
        let turns = (angle / 90).rounded() * 90 == angle ? angle.truncatingRemainder(dividingBy: 360) : nil
        let (dx, dy): (Double, Double) =
            switch turns {
            case 0: (1, 0)
            case 90, -270: (0, 1)
            case 180, -180: (-1, 0)
            case 270, -90: (0, -1)
            default: (cos(angle * .pi / 180), sin(angle * .pi / 180))
            }
        let way = abs(dx) * width + abs(dy) * height
        // Too narrow to be visible, and its reciprocal could overflow.
        let isStep = abs(to - from) < 1e-9
        let scale = isStep ? 1 : 1 / (to - from)
        let corner = 0.5 - (dx * width + dy * height) / (2 * way)
        return Line(
            slopeX: dx / way * scale, slopeY: dy / way * scale, offset: (corner - from) * scale, isStep: isStep)
    }
}
