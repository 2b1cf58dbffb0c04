#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// How much of an effect shows at each pixel: 0 is the original, 1 the effect. Of a ``VariableBlur``: how much of its sigma.
public enum Mask: Sendable, Hashable {
    /// A picture that is handed over with the image, stretched over its extent: see ``MaskImage``.
    case image
    /// Sharp between two horizontal lines, blurred away from them.
    case band(Band)
    /// Sharp within a circle, blurred outside.
    case circle(Circle)
    /// From 0 to 1 along a line.
    case ramp(Ramp)

    /// In fractions of the image's height, downwards: 0 at `top` and `bottom` and between them, 1 from `falloff` away,
    /// smoothstep in between. As GPUImage's tilt-shift.
    public struct Band: Sendable, Hashable {
        public var top, bottom, falloff: Double

        public init(top: Double, bottom: Double, falloff: Double) {
            self.top = top
            self.bottom = bottom
            self.falloff = falloff
        }
    }

    /// In fractions of the image's width, `centerY` of its height: 1 from `radius` outwards, 0 within
    /// `radius - border`, smoothstep in between. As GPUImage's selective blur.
    public struct Circle: Sendable, Hashable {
        public var centerX, centerY, radius, border: Double

        public init(centerX: Double, centerY: Double, radius: Double, border: Double) {
            self.centerX = centerX
            self.centerY = centerY
            self.radius = radius
            self.border = border
        }
    }

    /// Straight from 0 at `from` to 1 at `to`, and constant beyond them: in fractions of the way through the image at an
    /// angle, on which 0 and 1 are where a line across it first and last touches the image. As linear gradients of CSS,
    /// but for where angles start. Where both are the same the mask is a step.
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
    ///   - image: for ``image``; nothing is covered without one.
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
    /// A ramp on an image of a certain size: `offset + slopeX x + slopeY y` in pixels, limited to 0...1; or, of a step,
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
        // Right angles are whole, so that nothing slopes that should be level.
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
        // Narrower than any picture can show, and what its reciprocal could not be multiplied with.
        let isStep = abs(to - from) < 1e-9
        let scale = isStep ? 1 : 1 / (to - from)
        let corner = 0.5 - (dx * width + dy * height) / (2 * way)
        return Line(
            slopeX: dx / way * scale, slopeY: dy / way * scale, offset: (corner - from) * scale, isStep: isStep)
    }
}

/// A mask as a picture: the alpha of pictures that have some, else the luma of their colour.
public struct MaskImage: Sendable, Hashable {
    public let width: Int
    public let height: Int
    /// 0...1, row by row.
    public let values: [Float]

    /// - Parameter picture: of any format.
    public init(_ picture: PixelBuffer) {
        width = picture.width
        height = picture.height
        let rows = SampleRows(picture)
        let count = rows.channels.count
        var values: [Float] = []
        values.reserveCapacity(width * height)
        for y in 0..<height {
            let row = rows[y]
            for x in 0..<width {
                let pixel = row[x * count..<(x + 1) * count]
                let value: Double
                if rows.channels.hasAlpha {
                    value = row[(x + 1) * count - 1]
                } else if count == 1 {
                    value = row[x]
                } else {
                    value = LumaWeights.rec709(SIMD4(pixel[x * count], pixel[x * count + 1], pixel[x * count + 2], 1))
                }
                values.append(Float(value > 0 ? min(value, 1) : 0))
            }
        }
        self.values = values
    }

    /// Interpolated linearly between the centres of the nearest pixels; beyond the outermost centres as at them.
    ///
    /// - Parameter x, y: in fractions of the width and the height.
    public func value(x: Double, y: Double) -> Double {
        let (left, right, tx) = columns(at: x)
        let (top, bottom, ty) = rows(at: y)
        func mixed(_ row: Int) -> Double {
            let (a, b) = (Double(values[row * width + left]), Double(values[row * width + right]))
            return a + (b - a) * tx
        }
        let (above, below) = (mixed(top), mixed(bottom))
        return above + (below - above) * ty
    }

    /// The two columns whose centres `x`, in fractions of the width, lies between, and how far from the first.
    public func columns(at x: Double) -> (low: Int, high: Int, t: Double) { Self.place(x, width) }

    /// The same of rows.
    public func rows(at y: Double) -> (low: Int, high: Int, t: Double) { Self.place(y, height) }

    private static func place(_ fraction: Double, _ count: Int) -> (low: Int, high: Int, t: Double) {
        let place = min(max(fraction * Double(count) - 0.5, 0), Double(count - 1))
        let low = Int(place)
        return (low, min(low + 1, count - 1), place - Double(low))
    }
}
