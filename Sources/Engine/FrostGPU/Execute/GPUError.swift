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
}

extension GPUError: CustomStringConvertible {
    /// The error as one line of text, with its details.
    public var description: String {
        switch self {
        case .gl(let error): error.description
        case .cancelled: "cancelled"
        case .imageTooLarge(let what, let side, let limit):
            "\(what) has a side of \(side) pixels; the GPU's limit is \(limit)"
        case .unsupportedFormat(let reason): reason
        case .unsupportedOutputStages(let what): "the GPU cannot execute the output stages: \(what)"
        case .queueFull(let limit): "too many images are in progress on the GPU (maximum: \(limit))"
        case .invalidTicket(let reason): "the result of the submitted image cannot be collected: \(reason)"
        case .surface(let fault): fault.description
        case .invalidPlan(let reason): "the GPU cannot execute the plan: \(reason)"
        }
    }
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
