import Glibc

/// A Gaussian blur with a different sigma at each pixel: ``sigma`` times the mask's value.
///
/// The blur is made of Gaussians with fixed sigmas, the ``levels``. A pixel with a sigma s between two levels, a < s <
/// b, is the mixture of both, with the weight `(s^2 - a^2) / (b^2 - a^2)` for b. So the pixel has the requested
/// variance and changes continuously with the mask. Levels are a factor of 2^(1/4) apart, so a mixture of two Gaussians
/// looks like a single Gaussian.
///
/// The lowest level is the picture itself, sigma 0. The next level has the lowest sigma at which ``GaussianBlur`` does
/// not copy, and differs from the picture by less than 0.2 of an 8-bit step. So levels that appear or disappear while
/// ``sigma`` is animated are not visible.
///
/// Colours are mixed premultiplied. A mixture's error is at most the error of the worse of its two levels. The cost is
/// about one plain blur for each level that the mask needs, over the rectangle in which the mask needs the level.
public struct VariableBlur: Sendable, Hashable {
    /// The standard deviation in pixels of the input, for a mask value of 1.
    public let sigma: Double
    /// The mask that multiplies sigma at each pixel.
    public let mask: Mask
    /// The edge mode, which extends the image for reads outside it.
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
