public import FrostCore

/// The errors of the CPU backend.
public enum CPUError: Error, Sendable, Equatable {
    /// The caller cancelled the work. The target holds a mixture of old and new rows.
    case cancelled
    /// The size or format of the source or the target does not match the plan, or the two do not match each other.
    case pixels(PixelError)
    /// The effect has no plan for this image.
    case parameter(ParameterError)
}

extension CPUError: CustomStringConvertible {
    /// A description of the error on one line.
    public var description: String {
        switch self {
        case .cancelled: "cancelled"
        case .pixels(let error): error.description
        case .parameter(let error): error.description
        }
    }
}
