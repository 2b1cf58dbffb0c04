public import FrostCore
public import FrostGPU
public import FrostThreads

/// The reason why Frost did not blur an image.
public enum FrostError: Error, Sendable, Equatable {
    /// A parameter is out of range.
    case parameter(ParameterError)
    /// A pixel layout is invalid, or the layouts of source and target do not match.
    case pixels(PixelError)
    /// The render queue is full. Wait for one of its images before you add another.
    case busy(depth: Int)
    /// The caller cancelled the work.
    case cancelled
    /// A texture or framebuffer of the embedding program differs from its description.
    case surface(SurfaceFault)
    /// The caller requires a GPU, but no GPU can be used. `reason` lists what was tried.
    case deviceUnavailable(reason: String)
    /// The system refused a thread that the work needs.
    case noThread(ThreadError)
    /// The system has no memory for the work: `bytes` is the size of the block that it refused. Pixels of the target may have been
    /// written. Renderers, queues and caches stay as they were, and can be used again.
    case outOfMemory(bytes: Int)
    /// The GPU, or the render queue, belongs to a parent of this process. In the child of a fork only the CPU works.
    case forked
    /// The caller requires a GPU, and the GPU failed.
    case deviceFailed(device: String, GPUError)
}

extension FrostError {
    static func memory(_ error: OutOfMemory) -> Self { .outOfMemory(bytes: error.bytes) }
}

extension FrostError: CustomStringConvertible {
    /// The error as one line of text.
    public var description: String {
        switch self {
        case .parameter(let error): error.description
        case .pixels(let error): error.description
        case .busy(let depth): "the queue is full: \(depth) \(depth == 1 ? "image is" : "images are") in progress"
        case .cancelled: "cancelled"
        case .surface(let fault): fault.description
        case .deviceUnavailable(let reason): reason
        case .noThread(let error): error.description
        case .outOfMemory(let bytes): "not enough memory for \(bytes) bytes"
        case .forked:
            "a parent of this process has used the GPU or the queue before the fork; in this process only the CPU works"
        case .deviceFailed(let device, let error): "\(device): \(error)"
        }
    }
}
