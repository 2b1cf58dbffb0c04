import Glibc

/// A lens along the edge of a shape, through which the blurred picture is seen, as through a bevelled pane of glass.
///
/// A pixel whose centre is d pixels inside the edge shows the blurred picture at another place: `offset(d)` pixels further
/// along the direction in which d grows. With t = d / ``band``, limited to 0...1:
///
///     offset(d) = depth * profile(t)
///     soft      profile(t) = e^(-t / 0.225) (1 - t²)²
///     gentle    the same, with the depth limited so that offset' > -0.9: nothing is mirrored
///     bevel     profile(t) = (1 - √(1 - k² (1 - t)²)) / (1 - √(1 - k²)),  k = 0.98
///
/// All profiles fall from 1 at the edge to 0 with the slope 0 at the end of the band, so the picture is seen without a seam.
/// Where offset' is below -1, it is seen mirrored: with `soft` near the edge, which is the look of thick glass. `ShapeField`
/// defines d, and limits the band and the depth for shapes that are too small for them.
public struct Lens: Sendable, Hashable {
    /// How the offset falls from the edge to the end of the band.
    public enum Profile: String, Sendable, Hashable, CaseIterable {
        /// Steep at the edge, and flat over most of the band.
        case soft
        /// As soft, but never so steep that the picture is mirrored.
        case gentle
        /// The section of a rounded bevel.
        case bevel
    }

    /// The width in pixels of the band along the edge in which the lens refracts.
    public let band: Double
    /// The offset in pixels at the edge: positive towards the inside of the shape, negative towards the outside.
    public let depth: Double
    /// How the offset falls from the edge to the end of the band.
    public let profile: Profile
    /// By which part the offset of red is smaller, and that of blue larger, than that of green and alpha.
    public let dispersion: Double

    /// The allowed widths of the band in pixels.
    public static let bandRange = 0.0...4096.0
    /// The allowed depths in pixels.
    public static let depthRange = -4096.0...4096.0
    /// The allowed dispersions.
    public static let dispersionRange = 0.0...1.0

    /// Creates a lens.
    ///
    /// - Throws: ``ParameterError/outOfRange(parameter:value:allowed:)``.
    public init(
        band: Double, depth: Double, profile: Profile = .soft, dispersion: Double = 0
    ) throws(ParameterError) {
        for (name, value, allowed) in [
            ("band", band, Self.bandRange), ("depth", depth, Self.depthRange),
            ("dispersion", dispersion, Self.dispersionRange),
        ] where !allowed.contains(value) {
            throw .outOfRange(parameter: name, value: value, allowed: allowed)
        }
        (self.band, self.depth, self.profile, self.dispersion) = (band, depth, profile, dispersion)
    }

    private init(_ lens: Lens, depth: Double, dispersion: Double) {
        (band, profile) = (lens.band, lens.profile)
        (self.depth, self.dispersion) = (depth, dispersion)
    }

    /// Whether the lens leaves every picture as it is.
    public var isIdentity: Bool { band == 0 || depth == 0 }

    /// Returns the lens with a part of its depth.
    ///
    /// - Parameter strength: 0 to 1.
    package func weakened(to strength: Double) -> Lens {
        Lens(self, depth: depth * strength, dispersion: dispersion)
    }

    /// The lens for pictures without colours.
    var withoutDispersion: Lens { Lens(self, depth: depth, dispersion: 0) }

    /// The largest offset in pixels of any colour.
    package var reach: Double { isIdentity ? 0 : abs(depth) * (1 + dispersion) }

    /// The number of samples along each axis of a pixel whose mean is its colour. The picture is read up to
    /// 1 - offset' times as coarsely as it is stored: 7.6 times by the deepest preset. A Gaussian of sigma 4 has hardly any detail
    /// that is lost; sharper pictures are read more often.
    ///
    /// - Parameter sigma: the standard deviation of the blur before the lens; nil if it is not a Gaussian.
    package func sampling(sigma: Double?) -> Int {
        guard let sigma, sigma > 0 else { return 4 }
        return min(max(Int((4 / sigma).rounded(.up)), 1), 4)
    }
}

extension Lens.Profile {
    /// The profile's value at t, 0 to 1.
    @inline(__always) package func value(_ t: Double) -> Double {
        switch self {
        case .soft, .gentle:
            let rest = 1 - t * t
            return exp(-t / Self.decay) * rest * rest
        case .bevel:
            let height = Self.bevelSine * (1 - t)
            return (1 - (1 - height * height).squareRoot()) / Self.bevelDepth
        }
    }

    /// The largest magnitude of the profile's slope, which it has at the edge.
    package var slope: Double {
        switch self {
        case .soft, .gentle: 1 / Self.decay
        case .bevel:
            Self.bevelSine * Self.bevelSine / ((1 - Self.bevelSine * Self.bevelSine).squareRoot() * Self.bevelDepth)
        }
    }

    /// The largest magnitude of the depth, as a multiple of the band.
    package var deepest: Double {
        switch self {
        case .soft, .bevel: .infinity
        case .gentle: 0.9 / slope
        }
    }

    /// The distance over which the soft profile falls to 1/e, as a part of the band.
    package static let decay = 0.225
    /// The sine of the bevel's angle at the edge. With 1 the slope would be infinite there.
    package static let bevelSine = 0.98
    package static let bevelDepth = 1 - (1 - bevelSine * bevelSine).squareRoot()
}
