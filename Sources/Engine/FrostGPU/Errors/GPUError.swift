package import FrostCore
import FrostDrawing
public import FrostGLES

/// The reason why the GPU did not execute a plan. The target's pixels are undefined after this error.
public enum GPUError: Error, Sendable, Equatable {
    /// EGL or the GL reported an error.
    case gl(GLError)
    /// The caller cancelled the execution with its `Cancellation`.
    case cancelled
    /// A side of the source, the output or an intermediate exceeds the maximum texture size. Nothing was allocated.
    case imageTooLarge(what: String, side: Int, limit: Int)
    /// The device has no render target with the required precision.
    case unsupportedFormat(String)
    /// The output stages exceed the limits of the shader.
    case unsupportedOutputStages(String)
    /// As many executions are in flight as ``GPUOptions/maximumInFlight`` allows. Collect an execution before you submit
    /// another one.
    case queueFull(limit: Int)
    /// The ticket belongs to another executor, or was collected before. This is an error of the caller.
    case invalidTicket(String)
    /// A texture or framebuffer of the embedding program differs from its description, or cannot be used as described.
    case surface(SurfaceFault)
    /// The plan contradicts itself or the images. This is an error of the caller.
    case invalidPlan(String)
    /// The system has no memory for the work: `bytes` is the size of the block that it refused. See ``GLError/outOfMemory(_:)`` for
    /// the memory of the GPU.
    case outOfMemory(bytes: Int)
}

extension GPUError {
    package static func memory(_ error: OutOfMemory) -> Self { .outOfMemory(bytes: error.bytes) }
}

extension GPUError: CustomStringConvertible {
    /// The error as one line of text, with its details.
    public var description: String {
        switch self {
        case .gl(let error): error.description
        case .cancelled: "cancelled"
        case .imageTooLarge(let what, let side, let limit):
            DrawingError.imageTooLarge(what: what, side: side, limit: limit).description
        case .unsupportedFormat(let reason): reason
        case .unsupportedOutputStages(let what): DrawingError.unsupportedOutputStages(what).description
        case .queueFull(let limit): "too many images are in progress on the GPU (maximum: \(limit))"
        case .invalidTicket(let reason): "the result of the submitted image cannot be collected: \(reason)"
        case .surface(let fault): fault.description
        case .invalidPlan(let reason): DrawingError.invalidPlan(reason).description
        case .outOfMemory(let bytes): "not enough memory for \(bytes) bytes"
        }
    }
}

extension GPUError {
    /// The error of a plan that does not suit its images.
    init(_ error: PixelError) { self = .invalidPlan(error.description) }
}

/// Calls `body` and converts a ``GLError`` to a ``GPUError``.
@inline(__always)
func fromGL<Value: ~Copyable>(_ body: () throws(GLError) -> Value) throws(GPUError) -> Value {
    do throws(GLError) {
        return try body()
    } catch {
        throw .gl(error)
    }
}

/// Calls `body` and converts a ``DrawingError`` to a ``GPUError``.
func fromDrawing<Value>(_ body: () throws(DrawingError) -> Value) throws(GPUError) -> Value {
    do throws(DrawingError) { return try body() } catch {
        switch error {
        case .imageTooLarge(let what, let side, let limit):
            throw .imageTooLarge(what: what, side: side, limit: limit)
        case .unsupportedOutputStages(let what): throw .unsupportedOutputStages(what)
        case .invalidPlan(let reason): throw .invalidPlan(reason)
        }
    }
}

extension GPUError {
    /// Whether the GL refused a call, so that the objects of the pipeline may be incomplete.
    var leavesObjectsIncomplete: Bool {
        switch self {
        case .gl(let error):
            switch error {
            // A buffer whose memory was lost, which also counts as a lost context, may be mapped still.
            case .callFailed, .outOfMemory, .contextLost: true
            // Nothing was left behind: the object was not created, or belongs to the host.
            case .framebufferIncomplete, .shaderCompilation, .link: false
            case .timeout, .driverBlocked, .notCurrent, .tooLarge, .unsupported, .libraryMissing,
                .noDevice, .displayFailed, .contextFailed, .dmaBuffer, .noThread, .forked:
                false
            }
        case .cancelled, .imageTooLarge, .unsupportedFormat, .unsupportedOutputStages, .queueFull, .invalidTicket,
            .surface, .invalidPlan, .outOfMemory:
            false
        }
    }
}
