import FrostGLES
import FrostGPU

/// The reaction to a GPU error. No other code decides how to react.
enum Recovery: Equatable {
    /// Stop: the caller no longer wants a result.
    case stop
    /// Create a new context and try again.
    case reopen
    /// Let the CPU do the work, and report the reason.
    case cpu(String)
    /// Let the CPU do this work and all later work, and report the reason.
    case close(String)
    /// Throw the error to the caller.
    case fail

    /// Chooses the reaction to an error.
    ///
    /// - Parameters:
    ///   - demanded: whether the caller requires the GPU and does not accept the CPU.
    ///   - attempts: how often the GPU has tried to compute this image.
    init(from error: GPUError, demanded: Bool, attempts: Int) {
        let elsewhere: Recovery = demanded ? .fail : .cpu(error.description)
        switch error {
        case .cancelled:
            self = .stop
        case .imageTooLarge, .unsupportedFormat, .unsupportedOutputStages, .outOfMemory:
            self = elsewhere
        case .invalidPlan, .invalidTicket, .queueFull, .surface:
            // The error comes from a defect in Frost or in the embedding program. A fallback to the CPU would hide the
            // defect.
            self = .fail
        case .gl(let gl):
            switch gl {
            case .contextLost:
                // A GPU reset destroys every context of the device, so Frost tries again with a new context. If the new
                // context is lost too, the loss is no coincidence, and Frost does not try again.
                self = attempts < 2 ? .reopen : elsewhere
            case .notCurrent:
                self = .fail
            case .timeout, .driverBlocked:
                // The next image would probably wait as long again. If the caller demands the GPU, Frost tries again.
                self = demanded ? .fail : .close(error.description)
            case .outOfMemory, .tooLarge, .unsupported, .framebufferIncomplete, .libraryMissing, .noDevice,
                .displayFailed, .contextFailed, .shaderCompilation, .link, .dmaBuffer, .noThread, .forked, .callFailed:
                self = elsewhere
            }
        }
    }
}
