public import FrostGLES

/// Why a plan was not carried out on the GPU. The target's pixels are then undefined.
public enum GPUError: Error, Sendable, Equatable {
    /// What EGL or the GL reported.
    case gl(GLError)
    /// The caller's `Cancellation` was used.
    case cancelled
    /// The source, the output or an intermediate has a longer side than a texture may have. Nothing was allocated.
    case imageTooLarge(what: String, side: Int, limit: Int)
    /// The device has no render target that is exact enough.
    case unsupportedFormat(String)
    /// The output stages have more parts than the shader has room for.
    case unsupportedOutputStages(String)
    /// As many executions are in flight as ``GPUOptions/maximumInFlight`` allows: one has to be collected first.
    case queueFull(limit: Int)
    /// A ticket of another executor, or one that was collected before: a fault of the caller.
    case invalidTicket(String)
    /// A texture or framebuffer of the embedding program differs from its description, or cannot be used so.
    case surface(SurfaceFault)
    /// The plan contradicts itself or the images: a fault of the caller.
    case invalidPlan(String)
}

extension GPUError: CustomStringConvertible {
    /// One line for people, with the evidence.
    public var description: String {
        switch self {
        case .gl(let error): error.description
        case .cancelled: "cancelled"
        case .imageTooLarge(let what, let side, let limit):
            "\(what) has a side of \(side) pixels, the GPU's textures at most \(limit)"
        case .unsupportedFormat(let reason): reason
        case .unsupportedOutputStages(let what): "what follows the blur is beyond the GPU: \(what)"
        case .queueFull(let limit): "\(limit) images are under way on the GPU, the most that are allowed"
        case .invalidTicket(let reason): "the ticket cannot be collected: \(reason)"
        case .surface(let fault): fault.description
        case .invalidPlan(let reason): "the plan cannot be carried out: \(reason)"
        }
    }
}

/// Calls `body` and converts its error to this layer's.
@inline(__always)
func fromGL<Value: ~Copyable>(_ body: () throws(GLError) -> Value) throws(GPUError) -> Value {
    do throws(GLError) {
        return try body()
    } catch {
        throw .gl(error)
    }
}
