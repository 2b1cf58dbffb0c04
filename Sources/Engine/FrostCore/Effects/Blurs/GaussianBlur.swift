/// A Gaussian blur. It is separable: the sampled Gaussian is applied to premultiplied colour along one axis and then
/// along the other.
///
/// Along each axis, the result is the average of the extended image with weights `exp(-x^2 / (2 sigma^2))` at integer
/// distances x. The weights are cut at 6 sigma and normalised. An axis with a sigma below
/// ``GaussianBlur/smallestSigma`` is copied: its weights differ from the identity by less than 0.002 of an 8-bit step.
///
/// ```swift
/// let blur = try GaussianBlur(sigma: 8)                             // edge mode clamp
/// let soft = try GaussianBlur(sigmaX: 3, sigmaY: 0, edge: .mirror)  // along x only
/// let result = try renderer.blur(picture, blur)
/// ```
///
/// Cost: proportional to the number of pixels. From sigma 2.5 on, a larger sigma costs no more, because the blur works at
/// reduced resolution.
public struct GaussianBlur: Sendable, Hashable {
    /// The standard deviation along x, in pixels of the input.
    public let sigmaX: Double
    /// The standard deviation along y, in pixels of the input.
    public let sigmaY: Double
    /// The edge mode, which defines the pixels that the blur reads outside the image.
    public let edge: EdgeMode

    /// The range of accepted sigmas, in pixels.
    public static let sigmaRange: ClosedRange<Double> = 0...1000
    /// The smallest effective sigma, in pixels. An axis with a smaller sigma is copied.
    public static let smallestSigma = 0.2

    /// Creates a Gaussian blur with a sigma for each axis.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for a sigma outside 0...1000, or NaN.
    public init(sigmaX: Double, sigmaY: Double, edge: EdgeMode = .clamp) throws(ParameterError) {
        for (name, sigma) in [("sigma x", sigmaX), ("sigma y", sigmaY)] where !Self.sigmaRange.contains(sigma) {
            throw .outOfRange(parameter: name, value: sigma, allowed: Self.sigmaRange)
        }
        self.sigmaX = sigmaX
        self.sigmaY = sigmaY
        self.edge = edge
    }

    /// Creates a Gaussian blur with the same sigma along both axes.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for a sigma outside 0...1000, or NaN.
    public init(sigma: Double, edge: EdgeMode = .clamp) throws(ParameterError) {
        guard Self.sigmaRange.contains(sigma) else {
            throw .outOfRange(parameter: "sigma", value: sigma, allowed: Self.sigmaRange)
        }
        try self.init(sigmaX: sigma, sigmaY: sigma, edge: edge)
    }

    /// Creates a blur that copies the image.
    package static func none(edge: EdgeMode) -> GaussianBlur { GaussianBlur(copyingWith: edge) }

    private init(copyingWith edge: EdgeMode) { (sigmaX, sigmaY, self.edge) = (0, 0, edge) }

    /// Returns the standard deviation along an axis in pixels; 0 if the axis is copied.
    public func effectiveSigma(_ axis: Axis) -> Double {
        let sigma = axis == .x ? sigmaX : sigmaY
        return sigma < Self.smallestSigma ? 0 : sigma
    }
}

extension GaussianBlur: CustomStringConvertible {
    /// The blur as the command `check` prints it, with every digit that was requested: "gaussian sigma 8", "gaussian
    /// sigma 3,40 edge mirror".
    public var description: String { description(decimals: nil) }

    /// Describes the blur with rounded sigmas.
    ///
    /// - Parameter decimals: the maximum number of decimals; nil for all decimals.
    func description(decimals: Int?) -> String {
        let (x, y) = (numberText(sigmaX, decimals: decimals), numberText(sigmaY, decimals: decimals))
        let sigma = sigmaX == sigmaY ? x : "\(x),\(y)"
        return "gaussian sigma \(sigma)" + (edge == .clamp ? "" : " edge \(edge.rawValue)")
    }
}

extension GaussianBlur: Blur {
    public var isIdentity: Bool { effectiveSigma(.x) == 0 && effectiveSigma(.y) == 0 }
    public var roundedDescription: String { description(decimals: 4) }
    public var phrase: String {
        "blur of sigma " + text(sigmaX) + (sigmaX == sigmaY ? "" : ", " + text(sigmaY))
    }

    public func scaled(by factor: Double) throws(ParameterError) -> (any Blur)? {
        try forPicture(enlargedBy: factor)
    }

    public func forPicture(enlargedBy factor: Double) throws(ParameterError) -> any Blur {
        try GaussianBlur(sigmaX: sigmaX * factor, sigmaY: sigmaY * factor, edge: edge)
    }

    public func plan(_ request: PlanRequest) throws(ParameterError) -> Plan {
        try plan(extent: request.extent, region: request.region, accuracy: request.accuracy)
    }
}
