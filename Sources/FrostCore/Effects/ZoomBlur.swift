/// A zoom blur: the mean of the picture's copies that are scaled around a centre, on premultiplied colour, as a camera
/// sees that zooms while its shutter is open.
///
/// With c the centre and s every factor in ``scales``, a pixel p is the mean of the picture along c + s (p - c): a part of
/// the line to the centre, with a sample in each column or row that it crosses (``Kernel2D/Zoom``). So no copy shows by
/// itself, and nothing jumps when the factors are animated.
///
/// O(distance to the centre * width of the range) a pixel.
public struct ZoomBlur: Sendable, Hashable {
    /// As a part of the image's width and height.
    public let centerX: Double
    public let centerY: Double
    /// 0.8...1 smears by a fifth of the way to the centre. 1 is among them.
    public let scales: ClosedRange<Double>
    /// What lies outside the image.
    public let edge: EdgeMode

    public static let centerRange: ClosedRange<Double> = 0...1
    public static let lowerScaleRange: ClosedRange<Double> = 0...1
    public static let upperScaleRange: ClosedRange<Double> = 1...2

    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for a centre outside of 0...1, a lower
    ///   factor outside of 0...1 and an upper one outside of 1...2.
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

    /// Whether every pixel stays where it is.
    public var isIdentity: Bool { scales == 1...1 }

    /// On an image of a certain size.
    public func zoom(extent: Rect) -> Kernel2D.Zoom {
        // The middle of the first pixel lies at half a pixel.
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
