/// A zoom blur: the mean of many copies of the picture, which are scaled about a centre. Colours are averaged
/// premultiplied. The result resembles the picture of a camera that zooms while its shutter is open.
///
/// Let c be the centre and s a factor in ``scales``. The result at a pixel p is the mean of the picture over the points
/// c + s (p - c), for all s. These points form a part of the line through p and the centre. The part is sampled once in
/// each column or row that it crosses (``KernelZoom``). So no single copy is visible, and the result changes
/// continuously when the factors are animated.
///
/// The cost per pixel is O(distance to the centre * width of ``scales``). On the CPU it hardly grows with the distance if the
/// samples are integers.
public struct ZoomBlur: Sendable, Hashable {
    /// The centre's x coordinate as a fraction of the image's width.
    public let centerX: Double
    /// The centre's y coordinate as a fraction of the image's height.
    public let centerY: Double
    /// The range of scale factors, which must contain 1. For example, 0.8...1 smears each pixel along one fifth of its
    /// distance to the centre.
    public let scales: ClosedRange<Double>
    /// The edge mode, which defines the pixels that the blur reads outside the image.
    public let edge: EdgeMode

    /// The range of accepted centre coordinates, as fractions of the image's width and height.
    public static let centerRange: ClosedRange<Double> = 0...1
    /// The range of accepted lower bounds of the scale factors.
    public static let lowerScaleRange: ClosedRange<Double> = 0...1
    /// The range of accepted upper bounds of the scale factors.
    public static let upperScaleRange: ClosedRange<Double> = 1...2

    /// Creates a zoom blur.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for a centre outside 0...1, a lower factor
    ///   outside 0...1 and an upper factor outside 1...2.
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

    /// Whether the blur copies every pixel.
    public var isIdentity: Bool { scales == 1...1 }

    /// Returns the zoom's kernel data for an image of a known size.
    public func zoom(extent: Rect) -> KernelZoom {
        // The fractions are measured from the image's corner, so the centre of the first pixel is at 0.5. The kernel
        // measures from the centre of the first pixel, so 0.5 is subtracted.
        KernelZoom(
            centerX: Double(extent.x) + centerX * Double(extent.width) - 0.5,
            centerY: Double(extent.y) + centerY * Double(extent.height) - 0.5, scales: scales)
    }
}

extension ZoomBlur: CustomStringConvertible {
    /// The blur in words, for example "zoom 0.8 to 1 around 0.5,0.5".
    public var description: String {
        let texts = [scales.lowerBound, scales.upperBound, centerX, centerY].map { numberText($0, decimals: 4) }
        return "zoom \(texts[0]) to \(texts[1]) around \(texts[2]),\(texts[3])"
            + (edge == .clamp ? "" : " edge \(edge.rawValue)")
    }
}

extension ZoomBlur: Blur {
    public var phrase: String {
        "blur of copies scaled by \(text(scales.lowerBound)) to \(text(scales.upperBound))"
            + " around \(text(centerX)), \(text(centerY))"
    }
    /// The source as floats, and one more copy for each thread's band.
    public func extraFloatsPerSample(threads: Int) -> Int { threads + 1 }

    public func scaled(by factor: Double) throws(ParameterError) -> (any Blur)? {
        let scales = 1 + (scales.lowerBound - 1) * factor...1 + (scales.upperBound - 1) * factor
        return try ZoomBlur(centerX: centerX, centerY: centerY, scales: scales, edge: edge)
    }

    public func forPicture(enlargedBy factor: Double) throws(ParameterError) -> any Blur { self }

    public func plan(_ request: PlanRequest) throws(ParameterError) -> Plan {
        try Kernel2D(.zoom(zoom(extent: request.extent)), edge: edge)
            .plan(extent: request.extent, region: request.region)
    }
}
