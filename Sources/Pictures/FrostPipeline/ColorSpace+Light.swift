package import Frost
package import FrostImages

extension ColorSpace {
    /// Returns the transfer function that a blur in linear light uses for a picture; nil if the picture's values are
    /// already linear in light.
    ///
    /// - Parameters:
    ///   - name: the name of the picture, for errors.
    ///   - limits: the limits on the picture, whose sandbox reads the profile.
    ///   - warn: receives a text if the picture's profile has no usable tone curve, or if its gamma is out of range.
    package func light(
        name: String, limits: ImageLimits, warn: (String) -> Void
    ) throws(ImageError) -> TransferFunction? {
        if case .icc(let profile) = self {
            switch try ProfileCurve(profile: profile, name: name, limits: limits) {
            case .linear?: return nil
            case .curve(let curve)?: return curve
            case nil:
                warn("its ICC profile has no usable tone curve; --linear uses that of sRGB")
                return .sRGB
            }
        }
        do throws(ParameterError) { return try transfer() } catch {
            warn("its \(error); --linear uses the tone curve of sRGB")
            return .sRGB
        }
    }
}
