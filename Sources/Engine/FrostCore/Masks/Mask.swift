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
        value(
            at: SIMD2(Double(x - extent.x) + 0.5, Double(y - extent.y) + 0.5),
            in: SIMD2(Double(extent.width), Double(extent.height)), image: image)
    }

    /// Returns the mask's value at a point.
    ///
    /// - Parameters:
    ///   - point: the point in pixels from the top left corner of the rectangle that the mask is stretched over.
    ///   - size: the width and the height of the rectangle, in pixels.
    package func value(at point: SIMD2<Double>, in size: SIMD2<Double>, image: MaskImage?) -> Double {
        switch self {
        case .image:
            return image?.value(x: point.x / size.x, y: point.y / size.y) ?? 0
        case .band(let band):
            let v = point.y / size.y
            return 1 - Self.smoothstep(band.top - band.falloff, band.top, v)
                + Self.smoothstep(band.bottom, band.bottom + band.falloff, v)
        case .circle(let circle):
            let dx = point.x / size.x - circle.centerX
            let dy = (point.y - circle.centerY * size.y) / size.x
            return Self.smoothstep(
                circle.radius - circle.border, circle.radius, (dx * dx + dy * dy).squareRoot())
        case .ramp(let ramp):
            return ramp.line(width: size.x, height: size.y).value(x: point.x, y: point.y)
        }
    }

    /// Returns an image of the mask over a whole picture, for a rectangle that is turned, or whose edges lie between pixels.
    ///
    /// - Parameters:
    ///   - place: the rectangle that the mask is stretched over, before it is turned about its centre.
    ///   - angle: degrees, clockwise.
    ///   - part: the pixels that are needed; the others are 0.
    ///   - picture: the picture's rectangle, not empty.
    ///   - image: the mask's picture, if the mask is ``image``.
    package func image(
        over place: Placement, turnedBy angle: Double, seenIn part: Rect, of picture: Rect, image: MaskImage?
    ) -> MaskImage {
        let (sine, cosine) = ContentImage.sineAndCosine(angle)
        let size = SIMD2(place.width, place.height)
        let center = SIMD2(place.x, place.y) + size / 2
        let pixels = Rect(x: 0, y: 0, width: Int(size.x.rounded(.up)), height: Int(size.y.rounded(.up)))
        let image = pixels.isEmpty ? nil : image?.fitted(to: pixels)
        let line = ramp(over: size)
        var values = [Float](repeating: 0, count: picture.width * picture.height)
        guard let part = part.intersection(picture) else {
            return MaskImage(width: picture.width, height: picture.height, values: values)
        }
        for y in part.rows {
            for x in part.columns {
                let offset = SIMD2(Double(x) + 0.5, Double(y) + 0.5) - center
                let upright = SIMD2(offset.x * cosine + offset.y * sine, offset.y * cosine - offset.x * sine)
                let point = upright + size / 2
                let value = line?.value(x: point.x, y: point.y) ?? value(at: point, in: size, image: image)
                values[(y - picture.y) * picture.width + x - picture.x] = Float(value)
            }
        }
        return MaskImage(width: picture.width, height: picture.height, values: values)
    }

    /// The line of a ramp over a rectangle, which is computed once for all pixels; nil for other masks.
    private func ramp(over size: SIMD2<Double>) -> Ramp.Line? {
        switch self {
        case .ramp(let ramp): ramp.line(width: size.x, height: size.y)
        case .image, .band, .circle: nil
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
