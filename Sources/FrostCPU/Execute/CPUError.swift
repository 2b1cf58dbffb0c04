public import FrostCore

/// Why the CPU did not deliver.
public enum CPUError: Error, Sendable, Equatable {
    /// The caller asked for the work to stop. The target holds a mixture of old and new rows.
    case cancelled
    /// Source or target do not fit the plan, or each other.
    case pixels(PixelError)
    /// The plan cannot be made for the image.
    case parameter(ParameterError)
}

extension CPUError: CustomStringConvertible {
    /// One line.
    public var description: String {
        switch self {
        case .cancelled: "cancelled"
        case .pixels(let error): error.description
        case .parameter(let error): error.description
        }
    }
}
