import FrostGLES
import FrostGPU

/// What to do when the GPU did not deliver: the one place that decides.
enum Recovery: Equatable {
    /// The caller wants no result any more.
    case stop
    /// Make a new context and try again.
    case reopen
    /// Let the CPU do it, and say why.
    case cpu(String)
    /// Tell the caller.
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
            // A fault in Frost, or in its host: hiding it behind the CPU would keep it alive.
            self = .fail
        case .gl(let gl):
            switch gl {
            case .contextLost:
                // A reset takes every context of the device along; a second one in a row is no accident.
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
