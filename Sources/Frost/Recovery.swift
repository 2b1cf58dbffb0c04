import FrostGLES
import FrostGPU

/// What to do after an error of the GPU. No other code decides that.
enum Recovery: Equatable {
    /// The caller does not want a result any more.
    case stop
    /// Create a new context and try again.
    case reopen
    /// Let the CPU do the work, and report why.
    case cpu(String)
    /// Throw the error.
    case fail

    /// - Parameters:
    ///   - demanded: the caller accepts no CPU.
    ///   - attempts: how often this image has been tried on the GPU.
    init(from error: GPUError, demanded: Bool, attempts: Int) {
        let elsewhere: Recovery = demanded ? .fail : .cpu(error.description)
        switch error {
        case .cancelled:
            self = .stop
        case .imageTooLarge, .unsupportedFormat, .unsupportedOutputStages:
            self = elsewhere
        case .invalidPlan, .invalidTicket, .queueFull, .surface:
            // A fault in Frost or in its host, which a fallback to the CPU would hide.
            self = .fail
        case .gl(let gl):
            switch gl {
            case .contextLost:
                // A reset destroys every context of the device. A second one in a row is not a coincidence.
                self = attempts < 2 ? .reopen : elsewhere
            case .notCurrent:
                self = .fail
            case .outOfMemory, .tooLarge, .unsupported, .timeout, .framebufferIncomplete, .libraryMissing, .noDevice,
                .displayFailed, .contextFailed, .shaderCompilation, .link, .dmaBuffer, .callFailed:
                self = elsewhere
            }
        }
    }
}
