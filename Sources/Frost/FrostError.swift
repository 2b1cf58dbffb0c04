public import FrostCore
public import FrostGPU

/// Why an image was not blurred.
public enum FrostError: Error, Sendable, Equatable {
    /// A parameter is out of range.
    case parameter(ParameterError)
    /// The pixels' layouts do not match.
    case pixels(PixelError)
    /// The queue is full: wait for one of its images.
    case busy(depth: Int)
    /// The caller asked for the work to stop.
    case cancelled
    /// A texture or framebuffer of the embedding program differs from its description.
    case surface(SurfaceFault)
    /// A GPU was demanded and none can be used. `reason` lists what was tried.
    case deviceUnavailable(reason: String)
    /// A GPU was demanded and failed.
    case deviceFailed(device: String, GPUError)
}

extension FrostError: CustomStringConvertible {
    /// One line.
    public var description: String {
        switch self {
        case .parameter(let error): error.description
        case .pixels(let error): error.description
        case .busy(let depth): "the queue is full: \(depth) \(depth == 1 ? "image is" : "images are") under way"
        case .cancelled: "cancelled"
        case .surface(let fault): fault.description
        case .deviceUnavailable(let reason): reason
        case .deviceFailed(let device, let error): "\(device): \(error)"
        }
    }
}
