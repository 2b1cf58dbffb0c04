import Glibc

/// A Gaussian blur whose sigma varies from pixel to pixel: it is ``sigma`` times the mask's value at the pixel.
///
/// The blur is made of Gaussians with fixed sigmas, the ``levels``. A pixel whose sigma s lies between two levels a and
/// b, `a < s < b`, is a mixture of the two levels. The weight of level b is `(s^2 - a^2) / (b^2 - a^2)`. So the pixel
/// has the requested variance and changes continuously with the mask. Each level is 2^(1/4) times the previous level,
/// so a mixture of two Gaussians looks like a single Gaussian.
///
/// The lowest level is the picture itself, with sigma 0. The next level has a sigma just above the limit below which
/// ``GaussianBlur`` copies. It differs from the picture by less than 0.2 of an 8-bit step. So nobody can see that
/// levels appear or disappear while ``sigma`` is animated.
///
/// Colours are mixed premultiplied. The error of a mixture is at most the larger error of its two levels. Each pixel costs
/// two to three blurs for the levels that it shows, and their mixture. On the CPU, levels share decimations.
public struct VariableBlur: Sendable, Hashable {
    /// The standard deviation in pixels of the input, for a mask value of 1.
    public let sigma: Double
    /// The mask that multiplies sigma at each pixel.
    public let mask: Mask
    /// The edge mode, which defines the pixels that the blur reads outside the image.
    public let edge: EdgeMode

    /// Creates a variable blur.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for a sigma outside 0...1000, or NaN.
    public init(sigma: Double, mask: Mask, edge: EdgeMode = .clamp) throws(ParameterError) {
        guard GaussianBlur.sigmaRange.contains(sigma) else {
            throw .outOfRange(parameter: "sigma", value: sigma, allowed: GaussianBlur.sigmaRange)
        }
        self.sigma = sigma
        self.mask = mask
        self.edge = edge
    }

    /// The number of levels per factor of two of sigma.
    public static let levelsPerOctave = 4

    /// The sigmas of the Gaussians, ascending from 0: each `sigma * 2^(-k/4)` that is at least
    /// ``GaussianBlur/smallestSigma``.
    public var levels: [Double] {
        var levels: [Double] = []
        for k in 0... {
            let level = sigma * exp2(-Double(k) / Double(Self.levelsPerOctave))
            guard level >= GaussianBlur.smallestSigma else { break }
            levels.append(level)
        }
        return [0] + levels.reversed()
    }
}

extension VariableBlur: CustomStringConvertible {
    /// The blur in words, for example "variable sigma 20" or "variable sigma 5 edge mirror".
    public var description: String {
        "variable sigma \(numberText(sigma))" + (edge == .clamp ? "" : " edge \(edge.rawValue)")
    }
}

extension VariableBlur: Blur {
    public var isIdentity: Bool { levels.count == 1 }
    public var phrase: String { "blur of sigma 0 to \(text(sigma))" }
    public var ownMask: Mask? { mask }
    /// Several reduced images and a sum.
    public func extraFloatsPerSample(threads: Int) -> Int { 3 }

    public func scaled(by factor: Double) throws(ParameterError) -> (any Blur)? {
        try forPicture(enlargedBy: factor)
    }

    public func forPicture(enlargedBy factor: Double) throws(ParameterError) -> any Blur {
        try VariableBlur(sigma: sigma * factor, mask: mask, edge: edge)
    }

    public func plan(_ request: PlanRequest) throws(ParameterError) -> Plan {
        try plan(
            extent: request.extent, region: request.region, accuracy: request.accuracy, mask: request.mask,
            over: request.maskBounds)
    }
}
