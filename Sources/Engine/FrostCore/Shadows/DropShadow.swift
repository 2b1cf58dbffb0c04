/// A shadow that shapes throw on the picture below them.
///
/// At each pixel, the shadow is a part p of its colour: the Gaussian of the shape's area, moved by the offset and averaged over
/// the pixel. The parts of several shapes add up, to at most 1, and parts below 2^-17 count as 0. A shadow shows only beside its shape. If the result covers the
/// part c of a pixel, times the opacity α, the pixel is
///
///     α c result + (1 - α c) (original + q (shadow - original · its alpha)),    q = α p (1 - c) / (1 - α c)
///
/// so that it darkens α p (1 - c) of the pixel, and what shows through a faint pane is not darkened.
public struct DropShadow: Sendable, Hashable {
    /// The standard deviation of the Gaussian in pixels.
    public var sigma: Double
    /// The distance from the shape in pixels, to the right and downwards.
    public var offset: SIMD2<Double>
    /// The colour and its alpha.
    public var color: Color

    /// The allowed standard deviations in pixels.
    public static let sigmaRange = 0.5...1000.0
    /// The allowed distances in pixels.
    public static let offsetRange = -4096.0...4096.0

    /// Creates a shadow.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)``.
    public init(sigma: Double, offset: SIMD2<Double> = .zero, color: Color) throws(ParameterError) {
        guard Self.sigmaRange.contains(sigma) else {
            throw .outOfRange(parameter: "shadow's sigma", value: sigma, allowed: Self.sigmaRange)
        }
        for value in [offset.x, offset.y] where !Self.offsetRange.contains(value) {
            throw .outOfRange(parameter: "shadow's offset", value: value, allowed: Self.offsetRange)
        }
        (self.sigma, self.offset, self.color) = (sigma, offset, color)
    }

    /// Whether the shadow changes no pixel.
    public var isIdentity: Bool { color.alpha == 0 }

    /// Whether the shadow keeps a grey picture grey.
    package var keepsGrey: Bool { isIdentity || color.red == color.green && color.green == color.blue }

    /// The premultiplied colour.
    package var premultiplied: SIMD4<Double> {
        SIMD4(color.red * color.alpha, color.green * color.alpha, color.blue * color.alpha, color.alpha)
    }

    /// The distance beyond which a shadow ends: there, a straight edge throws less than ``leastPart``.
    var margin: Double { 4.5 * sigma + 1 }

    /// Smaller parts count as 0. They would change no sample of 16 bits.
    static let leastPart = 0x1p-17

    /// Returns the pixels that the shadow of a shape can darken.
    package func bounds(of shape: RoundedRect) -> Rect {
        let bounds = shape.bounds
        func range(_ pixels: Range<Int>, _ offset: Double) -> Range<Int> {
            Int(
                (Double(pixels.lowerBound) + offset - margin).rounded(.down))..<Int(
                    (Double(pixels.upperBound) + offset + margin).rounded(.up))
        }
        return Rect(columns: range(bounds.columns, offset.x), rows: range(bounds.rows, offset.y))
    }

    /// Returns a part of the shadow.
    func weakened(to strength: Double) -> DropShadow {
        var weak = self
        weak.color = color.covering(color.alpha * strength)
        return weak
    }
}
