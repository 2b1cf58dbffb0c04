/// A Gaussian blur whose sigma is a fraction of the image's width or height.
public struct ProportionalBlur: Sendable, Hashable {
    /// Sigma as a fraction of the image's width or height.
    public let fraction: Double
    /// The image's side to which ``fraction`` refers: x for the width, y for the height.
    public let axis: Axis
    /// The edge mode, which defines the pixels that the blur reads outside the image.
    public let edge: EdgeMode

    /// Creates a blur whose sigma is `fraction` times the image's size along an axis.
    public init(fraction: Double, of axis: Axis, edge: EdgeMode) {
        self.fraction = fraction
        self.axis = axis
        self.edge = edge
    }

    /// Returns the Gaussian blur for an image of this size.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` if the resulting sigma is outside 0...1000.
    public func gaussian(extent: Rect) throws(ParameterError) -> GaussianBlur {
        try GaussianBlur(sigma: fraction * Double(extent[axis].count), edge: edge)
    }
}

extension ProportionalBlur: Blur {
    public var isIdentity: Bool { fraction == 0 }

    public var description: String { "sigma \(numberText(fraction)) of the \(side)" }
    public var roundedDescription: String { "sigma \(numberText(fraction, decimals: 4)) of the \(side)" }

    private var side: String {
        switch axis {
        case .x: "width"
        case .y: "height"
        }
    }

    public func scaled(by factor: Double) throws(ParameterError) -> (any Blur)? {
        ProportionalBlur(fraction: fraction * factor, of: axis, edge: edge)
    }

    public func forPicture(enlargedBy factor: Double) throws(ParameterError) -> any Blur { self }

    public func plan(_ request: PlanRequest) throws(ParameterError) -> Plan {
        try gaussian(extent: request.extent).plan(request)
    }
}
