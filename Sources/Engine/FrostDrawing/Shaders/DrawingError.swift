/// The reason why a plan cannot be drawn, which was found without calling the GL.
package enum DrawingError: Error, Hashable {
    /// A side of the source, the output or an intermediate exceeds the maximum texture size.
    case imageTooLarge(what: String, side: Int, limit: Int)
    /// The output stages exceed the limits of the shader.
    case unsupportedOutputStages(String)
    /// The plan contradicts itself or the images.
    case invalidPlan(String)
}

extension DrawingError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .imageTooLarge(let what, let side, let limit):
            "\(what) has a side of \(side) pixels; the GPU's limit is \(limit)"
        case .unsupportedOutputStages(let what): "the GPU cannot execute the output stages: \(what)"
        case .invalidPlan(let reason): "the GPU cannot execute the plan: \(reason)"
        }
    }
}
