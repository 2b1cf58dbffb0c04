public import FrostCore

/// The errors of the exact backend.
public enum ExactError: Error, Sendable, Equatable {
    /// The caller cancelled the work.
    case cancelled
    /// The source does not have the size of the extent, or the sample types of a transition's images differ.
    case pixels(PixelError)
    /// A parameter of the effect or of the transition is not valid for this image.
    case parameter(ParameterError)
}

extension ExactError: CustomStringConvertible {
    /// A description of the error on one line.
    public var description: String {
        switch self {
        case .cancelled: "cancelled"
        case .pixels(let error): error.description
        case .parameter(let error): error.description
        }
    }
}
