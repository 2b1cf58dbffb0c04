/// A zoom blur: the mean of the picture's copies scaled around a centre, of premultiplied colour, like a camera that
/// zooms while its shutter is open.
///
/// With c the centre and s every factor in ``scales``, a pixel p is the mean of the picture along c + s (p - c). That
/// is a part of the line to the centre, with a sample in each column or row that it crosses (``Kernel2D/Zoom``). So no
/// single copy is visible, and the result is continuous when the factors are animated.
///
/// O(distance to the centre * width of the range) per pixel.
public struct ZoomBlur: Sendable, Hashable {
    /// As a fraction of the image's width and height.
    public let centerX: Double
    public let centerY: Double
    /// For example 0.8...1, which smears by a fifth of the way to the centre. The range must contain 1.
    public let scales: ClosedRange<Double>
    /// How the image is extended.
    public let edge: EdgeMode

    public static let centerRange: ClosedRange<Double> = 0...1
    public static let lowerScaleRange: ClosedRange<Double> = 0...1
    public static let upperScaleRange: ClosedRange<Double> = 1...2

    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for a centre outside 0...1, a lower factor
    ///   outside 0...1 and an upper one outside 1...2.
    public init(
        centerX: Double = 0.5, centerY: Double = 0.5, scales: ClosedRange<Double>, edge: EdgeMode = .clamp
    ) throws(ParameterError) {
        for (name, value, range) in [
            ("center x", centerX, Self.centerRange), ("center y", centerY, Self.centerRange),
            ("lower scale", scales.lowerBound, Self.lowerScaleRange),
            ("upper scale", scales.upperBound, Self.upperScaleRange),
        ] {
            guard range.contains(value) else { throw .outOfRange(parameter: name, value: value, allowed: range) }
        }
        self.centerX = centerX
        self.centerY = centerY
        self.scales = scales
        self.edge = edge
    }

    /// Whether every pixel is copied.
    public var isIdentity: Bool { scales == 1...1 }

    /// The zoom on an image of a known size.
    public func zoom(extent: Rect) -> Kernel2D.Zoom {
        // The centre of the first pixel is at 0.5.
        Kernel2D.Zoom(
            centerX: Double(extent.x) + centerX * Double(extent.width) - 0.5,
            centerY: Double(extent.y) + centerY * Double(extent.height) - 0.5, scales: scales)
    }
}

extension ZoomBlur: CustomStringConvertible {
    /// "zoom 0.8 to 1 around 0.5,0.5".
    public var description: String {
        let numbers = [scales.lowerBound, scales.upperBound, centerX, centerY].map { numberText($0, decimals: 4) }
        return "zoom \(numbers[0]) to \(numbers[1]) around \(numbers[2]),\(numbers[3])"
            + (edge == .clamp ? "" : " edge \(edge.rawValue)")
    }
}
