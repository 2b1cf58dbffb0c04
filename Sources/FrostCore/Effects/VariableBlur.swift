#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A Gaussian blur whose sigma differs from pixel to pixel: ``sigma`` times what a mask is there.
///
/// It is made of Gaussians of certain sigmas, the ``levels``. A pixel between two of them, a < s < b, is the mixture of
/// both with weight `(s^2 - a^2) / (b^2 - a^2)` for b: it has the variance that was asked for, and moves with the mask
/// without a step. Levels lie 2^(1/4) apart, so that the mixture of two Gaussians cannot be told from one.
/// The lowest is the picture itself, sigma 0. The next is the lowest that ``GaussianBlur`` tells from it, and differs from
/// it by less than 0.2 of an 8-bit step: so nothing is seen of a level that comes or goes when ``sigma`` is animated.
///
/// Mixtures are of premultiplied colour. A mixture's error is at most that of its worse level. Costs about a plain blur
/// a level that the mask asks for, over the rectangle in which it does.
public struct VariableBlur: Sendable, Hashable {
    /// The standard deviation where the mask is 1, in pixels of the input.
    public let sigma: Double
    /// What sigma is multiplied with.
    public let mask: Mask
    /// What lies outside the image.
    public let edge: EdgeMode

    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)`` for a sigma outside 0...1000, or no number.
    public init(sigma: Double, mask: Mask, edge: EdgeMode = .clamp) throws(ParameterError) {
        guard GaussianBlur.sigmaRange.contains(sigma) else {
            throw .outOfRange(parameter: "sigma", value: sigma, allowed: GaussianBlur.sigmaRange)
        }
        self.sigma = sigma
        self.mask = mask
        self.edge = edge
    }

    /// Levels for each doubling of sigma.
    public static let levelsPerOctave = 4

    /// The sigmas that are mixed, upwards from 0: each `sigma * 2^(-k/4)` that is no less than
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

    /// What the result's pixels look like: the input's format, with an alpha channel where transparent edges bleed in.
    public func outputFormat(for input: PixelFormat) -> PixelFormat {
        var output = input
        if edge == .clear, levels.count > 1 { output.channels = input.channels.addingAlpha }
        return output
    }
}

extension VariableBlur: CustomStringConvertible {
    /// "variable sigma 20", "variable sigma 5 edge mirror".
    public var description: String {
        "variable sigma \(numberText(sigma))" + (edge == .clamp ? "" : " edge \(edge.rawValue)")
    }
}
