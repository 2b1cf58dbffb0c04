package import Frost
import FrostImages

extension ColorSpace {
    /// Returns the transfer function that `--linear` uses for a picture; nil if the picture's values are already linear
    /// in light.
    package func light(_ input: FilePath, _ console: Console) throws(CommandError) -> TransferFunction? {
        if case .icc(let profile) = self {
            switch ProfileCurve(profile: profile) {
            case .linear?: return nil
            case .curve(let curve)?: return curve
            case nil:
                console.warn("\(input.shownName): its ICC profile has no usable tone curve; --linear uses that of sRGB")
                return .sRGB
            }
        }
        do throws(ParameterError) { return try transfer() } catch { throw .frost(.parameter(error)) }
    }
}
