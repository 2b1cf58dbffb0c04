public import FrostCore

/// The errors of the CPU backend.
public enum CPUError: Error, Sendable, Equatable {
    /// The caller cancelled the work. The target holds a mixture of old and new rows.
    case cancelled
    /// An image has a wrong size or format: the source or the target does not match the plan, or source and target do
    /// not match each other.
    case pixels(PixelError)
    /// No plan can be made, because a parameter of the effect is not valid for this image.
    case parameter(ParameterError)
    /// The system has no memory for the work: `bytes` is the size of the block that it refused.
    case outOfMemory(bytes: Int)
}

extension CPUError {
    static func memory(_ error: OutOfMemory) -> Self { .outOfMemory(bytes: error.bytes) }
}

extension CPUError: CustomStringConvertible {
    /// A description of the error on one line.
    public var description: String {
        switch self {
        case .cancelled: "cancelled"
        case .pixels(let error): error.description
        case .parameter(let error): error.description
        case .outOfMemory(let bytes): "not enough memory for \(bytes) bytes"
        }
    }
}
